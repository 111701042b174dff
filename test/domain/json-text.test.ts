import fc from 'fast-check';
import { expect, test } from 'vitest';
import { exactJson } from '../../src/domain/values/json-text.js';

/** The number as an exact fraction of whole numbers, read without floating point. */
function fractionOf(number: string): readonly [numerator: bigint, denominator: bigint] {
  const [, sign = '', whole = '', fraction = '', exponent = '0'] = /^(-?)([0-9]+)(?:\.([0-9]+))?(?:[eE]([+-]?[0-9]+))?$/.exec(number) ?? [];
  const power = Number(exponent) - fraction.length;
  const digits = BigInt(`${sign}${whole}${fraction}`);
  return power < 0 ? [digits, 10n ** BigInt(-power)] : [digits * 10n ** BigInt(power), 1n];
}

/** Whether JSON.parse makes another whole number of a number, or one that is printed with other digits. */
function isRounded(number: string): boolean {
  const value = JSON.parse(number) as number;
  if (Number.isFinite(value) && !Number.isInteger(value)) return false;
  if (!Number.isSafeInteger(value)) return true;
  const [numerator, denominator] = fractionOf(number);
  return numerator !== BigInt(value) * denominator;
}

const digits = (maximum: number) => fc.string({ unit: fc.constantFrom('0', '1', '5', '9'), minLength: 1, maxLength: maximum });
const number = fc
  .tuple(fc.constantFrom('', '-'), digits(22), fc.option(digits(22)), fc.option(fc.tuple(fc.constantFrom('e', 'E-', 'e+'), fc.integer({ min: 0, max: 30 }))))
  .map(([sign, whole, fraction, exponent]) => `${sign}${whole.replace(/^0+(?=.)/, '')}${fraction === null ? '' : `.${fraction}`}${exponent?.join('') ?? ''}`);

test('replaces exactly the numbers that would be rounded', () => {
  fc.assert(
    fc.property(number, fc.string(), (text, key) => {
      const around = (value: string): string => `{${JSON.stringify(key)}:[${value} ,"${text}\\\\"]}`;
      expect(exactJson(around(text), (rounded) => ({ rounded }))).toEqual({ exact: around(isRounded(text) ? `{"rounded":"${text}"}` : text) });
    }),
    { numRuns: 2000 },
  );
});

test('an invalid text stays invalid', () => {
  for (const text of ['01', '00000000000000001', '1.', '.5', '-', '1e', '+1', '9007199254740993x', '0x20000000000001', '"', '"\\', '{"a":9007199254740993']) {
    expect(() => JSON.parse(exactJson(text, String).exact ?? '') as unknown).toThrow(SyntaxError);
  }
});

test('counts the levels of nesting outside texts', () => {
  const nested = (depth: number): string => `${'[{"a":'.repeat(depth / 2)}1${'}]'.repeat(depth / 2)}`;
  expect(exactJson(nested(64), String)).toEqual({ exact: nested(64) });
  expect(exactJson(nested(66), String)).toEqual({ problem: 'is nested deeper than 64 levels' });
  const siblings = `[${'[],{},'.repeat(1000)}"\\"${'['.repeat(100)}"]`;
  expect(exactJson(siblings, String)).toEqual({ exact: siblings });
});

test('refuses a text with very many numbers that would be rounded', () => {
  const list = (length: number): string => `[${Array.from({ length }, () => '9007199254740993').join(',')}]`;
  expect(exactJson(list(1000), String).exact).toHaveLength(list(1000).length + 2000);
  expect(exactJson(list(1001), String).problem).toMatch(/^has more than 1000 numbers/);
});
