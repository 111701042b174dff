import { expect, test } from 'vitest';
import { fairTurns } from '../../src/http/server/fair-turns.js';

test('keys take turns, and those of one key come in their order', () => {
  const turns = fairTurns<string, string>(() => true);
  for (const one of ['a1', 'a2', 'a3', 'b1', 'b2']) turns.add(one.charAt(0), one);
  expect([turns.take(), turns.take()]).toEqual(['a1', 'b1']);
  turns.add('c', 'c1');
  expect([turns.count('a'), turns.count('c'), turns.count('d')]).toEqual([2, 1, 0]);
  expect([turns.take(), turns.take(), turns.take(), turns.take(), turns.isEmpty()]).toEqual(['a2', 'b2', 'c1', 'a3', true]);
  expect(turns.take()).toBeUndefined();
});

test('one that no longer waits is dropped and uses no turn', () => {
  const gone = new Set(['a1', 'a2', 'b1']);
  const turns = fairTurns<string, string>((one) => !gone.has(one));
  for (const one of ['a1', 'b1', 'a2', 'a3', 'c1', 'a4']) turns.add(one.charAt(0), one);
  expect([turns.take(), turns.take(), turns.count('a'), turns.take()]).toEqual(['a3', 'c1', 1, 'a4']);
  expect([turns.take(), turns.isEmpty()]).toEqual([undefined, true]);
});
