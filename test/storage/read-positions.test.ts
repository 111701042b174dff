import { expect, test } from 'vitest';
import { readPositions } from '../../src/storage/read-positions.js';

test('a client needs what it has read, wherever it read it', () => {
  const positions = readPositions();
  expect(positions.seenBy(7)).toMatchObject({ least: 0, isComplete: true });
  positions.readStandby(positions.seenBy(7), 12);
  expect(positions.seenBy(7).least).toBe(12);
  positions.readPrimary(positions.seenBy(7), 15);
  positions.readStandby(positions.seenBy(7), 14);
  expect(positions.seenBy(7).least).toBe(15);
  expect([positions.seenBy(8).least, positions.seenBy(undefined).least]).toEqual([0, 0]);
  expect(positions.counts()).toEqual({ standby: 2, primary: 1 });
});

test('after a change only a later read of the primary tells what the client needs', () => {
  const positions = readPositions();
  const earlier = positions.seenBy(7);
  positions.changed(7);
  expect([positions.seenBy(7).isComplete, positions.seenBy(8).isComplete]).toEqual([false, true]);
  positions.readPrimary(earlier, 3);
  expect(positions.seenBy(7).isComplete).toBe(false);
  positions.readPrimary(positions.seenBy(7), 4);
  expect(positions.seenBy(7)).toMatchObject({ least: 4, isComplete: true });
});

test('what everybody has seen counts for every client', () => {
  const positions = readPositions();
  positions.showToAll(20);
  positions.readPrimary(positions.seenBy(7), 25);
  positions.showToAll(19);
  expect([positions.seenBy(7).least, positions.seenBy(8).least]).toEqual([25, 20]);
});

test('when the shop went back, a client follows; an earlier snapshot that ends late changes nothing', () => {
  const positions = readPositions();
  const slow = positions.seenBy(7);
  positions.readPrimary(positions.seenBy(7), 30);
  positions.readPrimary(slow, 10);
  expect(positions.seenBy(7).least).toBe(30);
  positions.showToAll(31);
  positions.readPrimary(positions.seenBy(7), 10);
  expect([positions.seenBy(7).least, positions.seenBy(8).least]).toEqual([10, 10]);
});

test('threads share the memory, and any number of clients fit into it', () => {
  const positions = readPositions();
  const inThread = readPositions(positions.memory);
  for (let client = 1; client <= 100_000; client += 1) inThread.readStandby(inThread.seenBy(client), client);
  // Clients that share a slot need what any of them has read.
  expect(positions.seenBy(5).least).toBeGreaterThanOrEqual(5);
  expect(positions.seenBy(100_000).least).toBe(100_000);
  expect(positions.seenBy(undefined).least).toBe(0);
});
