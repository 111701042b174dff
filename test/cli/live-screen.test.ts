import { expect, test } from 'vitest';
import { frameOf } from '../../src/cli/watch.js';
import { refused, testInShop } from '../support/cli.js';

const plainLines = (frame: string): readonly string[] => frame.replaceAll('\u001b[K', '').replaceAll('\u001b[J', '').split('\r\n');

test('a frame has the lines that fit and a last line that says how many do not', () => {
  const status = (hidden: number): string => `${hidden} more`;
  expect(plainLines(frameOf('a\nb\nc\n', 4, status))).toEqual(['a', 'b', 'c', '0 more']);
  expect(plainLines(frameOf('a\nb\nc\n', 3, status))).toEqual(['a', 'b', '1 more']);
  expect(plainLines(frameOf('a\nb\nc\n', 1, status))).toEqual(['3 more']);
});

test('nothing is erased after a text: at the last column the cursor is on its last character', () => {
  for (const line of frameOf('a\n\nb', 4, () => 'status').split('\r\n')) expect(line.lastIndexOf('\u001b')).toBe(0);
});

testInShop('--watch is refused in a pipe', async ({ petstore }) => {
  for (const line of ['status', 'pet list', 'report stock'])
    expect(await petstore(`${line} --watch`)).toEqual(refused(2, 'error: --watch needs a terminal.', 'hint: petstore log --follow'));
});
