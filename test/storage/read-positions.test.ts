import { expect, test } from 'vitest';
import { readPositions, type SnapshotPosition } from '../../src/storage/read-positions.js';

const at = (added: number, logged = 10 * added): SnapshotPosition => ({ added, logged });

test('a client needs what it has read, wherever it read it', () => {
  const positions = readPositions();
  expect(positions.seenBy(7)).toMatchObject({ least: at(0), isComplete: true });
  positions.readStandby(positions.seenBy(7), 12);
  expect(positions.seenBy(7).least.added).toBe(12);
  positions.readPrimary(positions.seenBy(7), at(15));
  positions.readStandby(positions.seenBy(7), 14);
  expect(positions.seenBy(7).least.added).toBe(15);
  expect([positions.seenBy(8).least.added, positions.seenBy(undefined).least.added]).toEqual([0, 0]);
  expect(positions.counts()).toEqual({ standby: 2, primary: 1 });
});

test('after a change only a later read of the primary tells what the client needs', () => {
  const positions = readPositions();
  const earlier = positions.seenBy(7);
  positions.changed(7);
  expect([positions.seenBy(7).isComplete, positions.seenBy(8).isComplete]).toEqual([false, true]);
  positions.readPrimary(earlier, at(3));
  expect(positions.seenBy(7).isComplete).toBe(false);
  positions.readPrimary(positions.seenBy(7), at(4));
  expect(positions.seenBy(7)).toMatchObject({ least: at(4), isComplete: true });
});

test('what everybody has seen counts for every client', () => {
  const positions = readPositions();
  positions.showToAll(20);
  positions.readPrimary(positions.seenBy(7), at(25));
  positions.showToAll(19);
  expect([positions.seenBy(7).least.added, positions.seenBy(8).least.added]).toEqual([25, 20]);
});

test('when the shop went back, a client follows; an earlier snapshot that ends late changes nothing', () => {
  const positions = readPositions();
  const slow = positions.seenBy(7);
  positions.readPrimary(positions.seenBy(7), at(30));
  positions.readPrimary(slow, at(10));
  expect(positions.seenBy(7).least.added).toBe(30);
  positions.showToAll(31);
  positions.readPrimary(positions.seenBy(7), at(10));
  expect([positions.seenBy(7).least.added, positions.seenBy(8).least.added]).toEqual([10, 10]);
});

test('threads share the memory, and any number of clients fit into it', () => {
  const positions = readPositions();
  const inThread = readPositions(positions.memory);
  for (let client = 1; client <= 100_000; client += 1) inThread.readStandby(inThread.seenBy(client), client);
  // Clients that share a slot need what any of them has read.
  expect(positions.seenBy(5).least.added).toBeGreaterThanOrEqual(5);
  expect(positions.seenBy(100_000).least.added).toBe(100_000);
  expect(positions.seenBy(undefined).least.added).toBe(0);
});

test('after a change a client also needs the log of the database, which covers a change that adds nothing', () => {
  const positions = readPositions();
  positions.readPrimary(positions.seenBy(7), at(3, 100));
  expect(positions.seenBy(7).least).toEqual(at(3, 0));
  positions.changed(7);
  positions.readPrimary(positions.seenBy(7), at(3, 120));
  expect(positions.seenBy(7).least).toEqual(at(3, 120));
  positions.readPrimary(positions.seenBy(7), at(3, 140));
  expect(positions.seenBy(7).least).toEqual(at(3, 120));
  // After a failover to a server with a shorter log.
  positions.readPrimary(positions.seenBy(7), at(3, 90));
  expect(positions.seenBy(7).least).toEqual(at(3, 90));
});
