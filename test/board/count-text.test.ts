import { expect, test } from 'vitest';
import { showsExpected, stateText, type Count } from '../../src/board/screens/count/count-text.js';
import { countStates, exampleCount, hidesExpected } from '../../src/domain/counts/count.js';

test('a stored line says that the stock changed since the line before', () => {
  expect(stateText({ is: 'stored', id: 2, countedSoFar: 12, onHand: 13, stockChange: -1 }, false)).toBe(
    'Counted so far 12. The stock changed by −1 since the line before; if that was on a shelf counted before, count this pet again.',
  );
});

test('the board hides what is expected of the same counts as the commands', () => {
  for (const state of countStates)
    for (const blind of [true, false]) {
      const count: Count = { ...exampleCount, state, blind };
      expect([state, blind, showsExpected(count)]).toEqual([state, blind, !hidesExpected(count)]);
    }
});
