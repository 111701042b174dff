import { expect, test } from 'vitest';
import {
  afterLine,
  closeOutcomeOf,
  figuresChange,
  stockChangeBefore,
  tallyOf,
  type ClosePolicy,
  type CloseOutcome,
  type LineFacts,
} from '../../src/domain/counts/count-rules.js';
import { maximumQuantity } from '../../src/domain/values/numbers.js';

const at = '2026-11-20T09:00:00.000Z';

/** A line as a short text: "ana 5 of 6", "ben +2 of 6", and a leading "-" for an undone one. */
function line(text: string): LineFacts {
  const [, undone, by = '', adds, number, onHand] = /^(-?)(\w+) (\+?)(\d+) of (\d+)$/.exec(text) ?? expect.fail(text);
  return { by, at, number: Number(number), adds: adds === '+', onHand: Number(onHand), undone: undone === '-' };
}

/** What lines come to, as a short text: "counted 7, expected 6, by ben, 2 lines". */
function tallyText(lines: readonly string[]): string {
  const tally = tallyOf(lines.map(line));
  return tally === undefined ? 'not counted' : `counted ${tally.counted}, expected ${tally.expected}, by ${tally.by}, ${tally.lines} lines`;
}

const lineCases: readonly (readonly [name: string, lines: readonly string[], comesTo: string])[] = [
  ['no line', [], 'not counted'],
  ['one line', ['ana 5 of 6'], 'counted 5, expected 6, by ana, 1 lines'],
  ['none found', ['ana 0 of 6'], 'counted 0, expected 6, by ana, 1 lines'],
  ['a first line that adds', ['ana +5 of 6'], 'counted 5, expected 6, by ana, 1 lines'],
  ['two people who add', ['ana +5 of 6', 'ben +2 of 6'], 'counted 7, expected 6, by ben, 2 lines'],
  ['two people who replace', ['ana 5 of 6', 'ben 7 of 6'], 'counted 7, expected 6, by ben, 2 lines'],
  ['a replacing line after adding ones', ['ana 5 of 6', 'ben +2 of 6', 'ana 3 of 6'], 'counted 3, expected 6, by ana, 3 lines'],
  ['a sale between two lines that add', ['ana 5 of 6', 'ben +2 of 4'], 'counted 7, expected 4, by ben, 2 lines'],
  ['an undone line', ['-ana 5 of 6'], 'not counted'],
  ['an undone line that added', ['ana 5 of 6', '-ben +2 of 4'], 'counted 5, expected 6, by ana, 1 lines'],
  ['an undone line that replaced', ['ana +5 of 6', '-ben 2 of 4', 'cat +1 of 3'], 'counted 6, expected 3, by cat, 2 lines'],
];

for (const [name, lines, comesTo] of lineCases) {
  test(`lines of a pet: ${name}`, () => {
    expect(tallyText(lines)).toBe(comesTo);
  });
}

test('a line more gives the same as all lines at once', () => {
  for (const [, lines] of lineCases) expect(lines.map(line).reduce<ReturnType<typeof tallyOf>>(afterLine, undefined)).toEqual(tallyOf(lines.map(line)));
});

for (const [name, before, after, change] of [
  ['a first line', undefined, 'ana +5 of 6', undefined],
  ['a line that adds', 'ana 5 of 6', 'ben +2 of 6', undefined],
  ['a line that adds after a sale', 'ana 5 of 6', 'ben +2 of 4', -2],
  ['a line that adds after a delivery', 'ana 5 of 6', 'ben +2 of 9', 3],
  ['a line that replaces after a sale', 'ana 5 of 6', 'ben 4 of 4', undefined],
] as const) {
  test(`the change of the stock since the line before: ${name}`, () => {
    expect(stockChangeBefore(before && tallyOf([line(before)]), line(after))).toBe(change);
  });
}

test('the figures of a count follow those of its pets', () => {
  const [agreeing, differing] = [tallyOf([line('ana 5 of 5')]), tallyOf([line('ana 5 of 6')])];
  expect(figuresChange(undefined, agreeing)).toEqual({ counted: 1, differing: 0 });
  expect(figuresChange(undefined, differing)).toEqual({ counted: 1, differing: 1 });
  expect(figuresChange(agreeing, differing)).toEqual({ counted: 0, differing: 1 });
  expect(figuresChange(differing, undefined)).toEqual({ counted: -1, differing: -1 });
  expect(figuresChange(agreeing, agreeing)).toEqual({ counted: 0, differing: 0 });
});

interface CloseCase {
  readonly name: string;
  /** What was counted of what was on hand; absent for a pet without a line. */
  readonly lines?: readonly string[];
  /** Units on hand and reserved at the close; absent for a deleted pet. */
  readonly stock?: readonly [quantity: number, reserved?: number];
  readonly policy?: Partial<ClosePolicy>;
  readonly outcome: string;
}

/** What a close does as a short text. */
function outcomeText(outcome: CloseOutcome): string {
  if (outcome.kind === 'applied') return `${outcome.after} on hand (${outcome.counted} of ${outcome.expected})`;
  return outcome.kind === 'not counted' ? outcome.kind : `${outcome.refusal.code}: ${outcome.refusal.message}`;
}

const closeCases: readonly CloseCase[] = [
  { name: 'the count agrees', lines: ['ana 6 of 6'], stock: [6], outcome: '6 on hand (6 of 6)' },
  { name: 'fewer were found', lines: ['ana 4 of 6'], stock: [6], outcome: '4 on hand (4 of 6)' },
  { name: 'more were found', lines: ['ana 9 of 6'], stock: [6], outcome: '9 on hand (9 of 6)' },
  { name: 'a sale since the line', lines: ['ana 4 of 6'], stock: [5], outcome: '3 on hand (4 of 6)' },
  { name: 'a sale since a line that agrees', lines: ['ana 6 of 6'], stock: [2], outcome: '2 on hand (6 of 6)' },
  { name: 'a delivery since the line', lines: ['ana 4 of 6'], stock: [26], outcome: '24 on hand (4 of 6)' },
  { name: 'an undo of another batch since the line', lines: ['ana 8 of 6'], stock: [1], outcome: '3 on hand (8 of 6)' },
  { name: 'a restore from a backup since the line, with the count', lines: ['ana 4 of 6'], stock: [6], outcome: '4 on hand (4 of 6)' },
  { name: 'a correction to what was found, since the line', lines: ['ana 4 of 6'], stock: [4], outcome: '2 on hand (4 of 6)' },
  { name: 'a deleted pet', lines: ['ana 4 of 6'], outcome: 'unknown_pet: Rex (pet 7) was deleted meanwhile; nothing changes.' },
  { name: 'a deleted pet that nobody counted', policy: { missing: 'zero' }, outcome: 'not counted' },
  { name: 'two people who add', lines: ['ana +4 of 6', 'ben +3 of 6'], stock: [6], outcome: '7 on hand (7 of 6)' },
  { name: 'two people who replace', lines: ['ana 4 of 6', 'ben 3 of 6'], stock: [6], outcome: '3 on hand (3 of 6)' },
  { name: 'all lines undone', lines: ['-ana 4 of 6'], stock: [6], outcome: 'not counted' },
  { name: 'all lines undone, missing pets have none', lines: ['-ana 4 of 6'], stock: [6], policy: { missing: 'zero' }, outcome: '0 on hand (0 of 6)' },
  { name: 'a pet without a line keeps its stock', stock: [6], outcome: 'not counted' },
  { name: 'a pet without a line has none', stock: [6], policy: { missing: 'zero' }, outcome: '0 on hand (0 of 6)' },
  { name: 'a pet without a line has none, also after sales', stock: [2], policy: { missing: 'zero' }, outcome: '0 on hand (0 of 2)' },
  {
    name: 'a pet without a line has reserved units',
    stock: [6, 2],
    policy: { missing: 'zero' },
    outcome: 'stock_reserved: Rex (pet 7) has 2 units reserved for open orders; 0 on hand would not be enough.',
  },
  { name: 'enough is left for reserved units', lines: ['ana 4 of 6'], stock: [6, 4], outcome: '4 on hand (4 of 6)' },
  {
    name: 'too few are left for reserved units',
    lines: ['ana 4 of 6'],
    stock: [6, 5],
    outcome: 'stock_reserved: Rex (pet 7) has 5 units reserved for open orders; 4 on hand would not be enough.',
  },
  { name: 'a shortage that is allowed', lines: ['ana 4 of 6'], stock: [6, 5], policy: { allowShortage: true }, outcome: '4 on hand (4 of 6)' },
  { name: 'more are found, still too few for reserved units', lines: ['ana 7 of 6'], stock: [6, 9], outcome: '7 on hand (7 of 6)' },
  {
    name: 'fewer than none would be left',
    lines: ['ana 1 of 6'],
    stock: [3],
    outcome: 'out_of_stock: Rex (pet 7) has 3 on hand; cannot remove 5.',
  },
  {
    name: 'fewer than none would be left, whatever is allowed',
    lines: ['ana 1 of 6'],
    stock: [3],
    policy: { allowShortage: true, missing: 'zero' },
    outcome: 'out_of_stock: Rex (pet 7) has 3 on hand; cannot remove 5.',
  },
  {
    name: 'above the maximum',
    lines: [`ana ${maximumQuantity} of 0`],
    stock: [1],
    outcome: 'invalid_quantity: Rex (pet 7) would exceed the maximum of 2147483647.',
  },
];

for (const { name, lines = [], stock, policy, outcome } of closeCases) {
  test(`closing a count: ${name}`, () => {
    const [quantity = 0, reserved = 0] = stock ?? [];
    const pet = { petId: 7, name: 'Rex', tally: tallyOf(lines.map(line)), stock: stock && { quantity, reserved } };
    expect(outcomeText(closeOutcomeOf(pet, { missing: 'keep', allowShortage: false, ...policy }))).toBe(outcome);
  });
}
