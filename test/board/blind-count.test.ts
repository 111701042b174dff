import { expect, test } from 'vitest';
import { showsExpected, type Count } from '../../src/board/screens/count/count-text.js';
import { countStates, exampleCount, hidesExpected } from '../../src/domain/counts/count.js';

test('the board hides what is expected of the same counts as the commands', () => {
  for (const state of countStates)
    for (const blind of [true, false]) {
      const count: Count = { ...exampleCount, state, blind };
      expect([state, blind, showsExpected(count)]).toEqual([state, blind, !hidesExpected(count)]);
    }
});
