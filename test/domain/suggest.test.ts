import fc from 'fast-check';
import { expect, test } from 'vitest';
import { editDistance, nearest } from '../../src/domain/values/suggest.js';

test.each([
  ['quantity', 'quantity', 0],
  ['quantitty', 'quantity', 1],
  ['qauntity', 'quantity', 1],
  ['quanity', 'quantity', 1],
  ['', 'abc', 3],
  ['abc', '', 3],
  ['ca', 'abc', 3],
])('computes the distance of %s and %s', (left, right, distance) => {
  expect(editDistance(left, right)).toBe(distance);
});

test('the distance is symmetric, at most the longer length, and 0 only for equal words', () => {
  fc.assert(
    fc.property(fc.string({ maxLength: 12 }), fc.string({ maxLength: 12 }), (left, right) => {
      const distance = editDistance(left, right);
      expect(distance).toBe(editDistance(right, left));
      expect(distance).toBeLessThanOrEqual(Math.max(left.length, right.length));
      expect(distance === 0).toBe(left === right);
    }),
  );
});

test('suggests the nearest candidate, or none when none is near', () => {
  const candidates = ['petId', 'quantity', 'delta', 'expected', 'note'];
  expect(nearest('Pet ID', candidates)).toBe('petId');
  expect(nearest('QUANTITY', candidates)).toBe('quantity');
  expect(nearest('dleta', candidates)).toBe('delta');
  expect(nearest('notes', candidates)).toBe('note');
  expect(nearest('colour', candidates)).toBeUndefined();
  expect(nearest('', candidates)).toBeUndefined();
  expect(nearest('a', ['b'])).toBeUndefined();
  expect(nearest('x'.repeat(1_000_000), candidates)).toBeUndefined();
});
