import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { encodings, type Encoding } from '../../src/domain/imports/import-options.js';
import { cellsOf, read, refusal } from './input.js';

const text = 'petId,note\r\n1,"Größe – 5 €"\r\n2,“käse” naïve Œuvre\n';
const expected = [
  ['1', undefined, undefined, undefined, 'Größe – 5 €'],
  ['2', undefined, undefined, undefined, '“käse” naïve Œuvre'],
];

/** The bytes of windows-1252 for the characters of the text. */
const special = new Map([...'–€“”Œ'].map((character, index) => [character, [0x96, 0x80, 0x93, 0x94, 0x8c][index] ?? 0]));
const windows = Buffer.from([...text].map((character) => special.get(character) ?? character.charCodeAt(0)));
const little = Buffer.from(text, 'utf16le');
const big = Buffer.from(little).swap16();
const marked = (bytes: Buffer, ...mark: readonly number[]): Buffer => Buffer.concat([Buffer.from(mark), bytes]);

const files: readonly (readonly [title: string, encoding: Encoding, bytes: Buffer])[] = [
  ['UTF-8', 'utf-8', Buffer.from(text)],
  ['windows-1252', 'windows-1252', windows],
  ['windows-1252 that is called Latin-1', 'latin1', windows],
  ['UTF-16 with a little-endian mark', 'utf-16', marked(little, 0xff, 0xfe)],
  ['UTF-16 with a big-endian mark', 'utf-16', marked(big, 0xfe, 0xff)],
  ['UTF-16 without a mark, little-endian', 'utf-16', little],
  ['UTF-16 without a mark, big-endian', 'utf-16', big],
];

test.each(files)('reads %s, however its bytes arrive', async (_, encoding, bytes) => {
  for (const size of [1, 3, 7, 65_536]) expect(cellsOf(await read(bytes, { encoding }, size))).toEqual(expected);
  expect(cellsOf(await read(gzipSync(bytes), { encoding }))).toEqual(expected);
});

test('reads a character pair on the border of two blocks', async () => {
  const long = `petId,note\n${'1,aé\n'.repeat(6000)}`;
  const fill = 'x'.repeat(32 * 1024 - long.length - '2,'.length - 1);
  const bytes = Buffer.from(`${long}2,${fill}🐟\n`, 'utf16le');
  const { rows } = await read(bytes, { encoding: 'utf-16' });
  expect(rows.at(-1)?.cells[4]).toBe(`${fill}🐟`);
});

test('reads all bytes of windows-1252 as the TextDecoder of browsers does', async () => {
  const bytes = Buffer.concat([Buffer.from('petId,note\n1,x'), Buffer.from(Array.from({ length: 128 }, (_, index) => index + 128))]);
  const { rows } = await read(bytes, { encoding: 'windows-1252' });
  const decoded = String(rows[0]?.cells[4]);
  expect([...decoded]).toHaveLength(129);
  expect(decoded.slice(1, 33)).toBe('€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008DŽ\u008F\u0090‘’“”•–—˜™š›œ\u009DžŸ');
  expect(decoded.endsWith('üýþÿ')).toBe(true);
});

describe('refuses', () => {
  test.each([
    ['an incomplete character at the end', Buffer.concat([little, Buffer.from([0x41])])],
    ['half of a character pair', Buffer.concat([little, Buffer.from([0x00, 0xd8, 0x41, 0x00])])],
  ])('%s', async (_, bytes) => {
    for (const size of [1, 65_536]) expect(await refusal(bytes, { encoding: 'utf-16' }, size)).toBe('malformed_csv: recount.csv is not valid UTF-16.');
  });

  test('a file whose mark names another encoding, with the right one', async () => {
    const utf8 = Buffer.from(`\uFEFF${text}`);
    for (const encoding of encodings.filter((one) => one !== 'utf-8')) {
      expect(await refusal(utf8, { encoding }, 5)).toBe(`malformed_csv: recount.csv is UTF-8 text, not ${encoding}.\n{"encoding":"utf-8"}`);
    }
    const utf16 = marked(little, 0xff, 0xfe);
    for (const encoding of ['latin1', 'windows-1252'] as const) {
      expect(await refusal(utf16, { encoding }, 5)).toBe(`malformed_csv: recount.csv is UTF-16 text, not ${encoding}.\n{"encoding":"utf-16"}`);
    }
  });

  test('an empty file and one that is too large', async () => {
    for (const encoding of encodings) {
      expect(await refusal('', { encoding })).toBe('empty_file: recount.csv is empty.');
      expect(await refusal(gzipSync(Buffer.alloc(1 << 20, 'a')), { encoding, maximumBytes: 1 << 19 })).toMatch(/^payload_too_large/);
    }
  });
});
