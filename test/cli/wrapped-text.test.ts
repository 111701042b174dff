import { expect, test } from 'vitest';
import { wrapText } from '../../src/cli/output/wrapped-text.js';

const wrapped = (text: string, width: number, breaksWords = false): readonly string[] => wrapText(text, width, { breaksWords }).split('\n');

test('a text is wrapped at spaces', () => {
  expect(wrapped('one two three', 7)).toEqual(['one two', 'three']);
  expect(wrapped('one two three', 13)).toEqual(['one two three']);
  expect(wrapped('one\ntwo three', 5)).toEqual(['one', 'two', 'three']);
  expect(wrapped('', 5)).toEqual(['']);
});

test('a long word stays whole, or is broken on request', () => {
  expect(wrapped('at /home/ana/shop.db now', 10)).toEqual(['at', '/home/ana/shop.db', 'now']);
  expect(wrapped('at /home/ana/shop.db now', 10, true)).toEqual(['at', '/home/ana/', 'shop.db', 'now']);
});

test('wide characters take two cells, and colours none', () => {
  expect(wrapped('犬犬 猫猫', 8)).toEqual(['犬犬', '猫猫']);
  expect(wrapped('犬犬犬', 4, true)).toEqual(['犬犬', '犬']);
  expect(wrapped('\u001b[31merror:\u001b[39m no', 9)).toEqual(['\u001b[31merror:\u001b[39m no']);
});

test('parts that three spaces separate get lines of their own', () => {
  expect(wrapped('2 applied   batch 1   undo: petstore undo', 20)).toEqual(['2 applied', 'batch 1', 'undo: petstore undo']);
  expect(wrapped('2 applied   batch 1', 20)).toEqual(['2 applied   batch 1']);
});
