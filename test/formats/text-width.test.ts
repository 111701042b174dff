import fc from 'fast-check';
import stringWidth from 'string-width';
import { expect, test } from 'vitest';
import { fit, measure } from '../../src/formats/text-width.js';
import { plain } from '../../src/cli/output/colours.js';
import { drawTable } from '../../src/cli/output/table.js';

/** Texts of every kind: ASCII, Latin letters, drawing characters, combining marks, Hangul jamo, Indic, Hebrew, emoji. */
const characters = fc.oneof(
  fc.integer({ min: 0x20, max: 0x7e }),
  fc.integer({ min: 0xa0, max: 0x24f }),
  fc.constantFrom(0x2026, 0x25cf, 0x2588, 0x2502),
  fc.constantFrom(0x300, 0x301, 0x308, 0x323, 0xfe0f, 0x200d, 0xad),
  fc.integer({ min: 0x1100, max: 0x11ff }),
  fc.integer({ min: 0x900, max: 0x97f }),
  fc.integer({ min: 0xe01, max: 0xe5b }),
  fc.integer({ min: 0x591, max: 0x5f4 }),
  fc.constantFrom(0x72ac, 0x1f415, 0x1f469, 0x1f680, 0x1f3fd, 0x1f1e9),
);
const texts = fc.array(characters, { maxLength: 12 }).map((points) => String.fromCodePoint(...points));

test('measures every text as wide as string-width does', () => {
  fc.assert(
    fc.property(texts, (text) => {
      expect([text, measure(text)]).toEqual([text, stringWidth(text)]);
    }),
    { numRuns: 2000 },
  );
});

test('a text cut to a width is not wider and keeps its start', () => {
  fc.assert(
    fc.property(texts, fc.integer({ min: 1, max: 12 }), (text, width) => {
      const cut = fit(text, width);
      expect(stringWidth(cut)).toBeLessThanOrEqual(width);
      expect(text.startsWith(cut.replace(/…$/u, ''))).toBe(true);
    }),
    { numRuns: 500 },
  );
});

const heads = [
  { heading: 'ID', numeric: true },
  { heading: 'Name', least: 8 },
  { heading: 'Units', numeric: true },
];

function rowsOf(names: readonly string[]) {
  return names.map((name, index) => [String(index + 1), name, String(index * 7)].map((text) => ({ text, colour: undefined })));
}

test('a table is aligned with every kind of text', () => {
  fc.assert(
    fc.property(
      fc.array(
        texts.map((text) => `a${text}`),
        { minLength: 1, maxLength: 5 },
      ),
      (names) => {
        const { text: drawn } = drawTable(heads, rowsOf(names), { columns: 80, paint: plain });
        for (const line of drawn.trimEnd().split('\n').slice(1))
          expect([names, line, stringWidth(line)]).toEqual([names, line, stringWidth(drawn.split('\n')[0] ?? '')]);
      },
    ),
    { numRuns: 300 },
  );
});

test('a long table is drawn with the same columns, and numbers are not cut', () => {
  const rows = rowsOf(Array.from({ length: 1250 }, (_, index) => `Guppy ${index}`));
  const lines = drawTable(heads, rows, { columns: 80, paint: plain }).text.trimEnd().split('\n');
  expect(new Set(lines.map((line) => line.length))).toEqual(new Set(['1250  Guppy 1249   8743'.length]));
  expect(lines.at(-1)).toBe('1250  Guppy 1249   8743');
});
