import type { ReadCounts } from '../domain/read-store-state.js';

/** How far a snapshot has got: both figures grow with the shop. */
export interface SnapshotPosition {
  /** What was added to the ledger and to the batches, exactly as the snapshot has them. */
  readonly added: number;
  /** The position in the log of the database at the time of the snapshot, or later: it covers changes that add nothing. */
  readonly logged: number;
}

/** What a client had seen when a read began. */
export interface Seen {
  /** What a snapshot for the client must have. */
  readonly least: SnapshotPosition;
  /** Whether `least` covers all changes of the client; if not, only the primary has them for certain. */
  readonly isComplete: boolean;
  readonly slot: number;
  readonly own: bigint;
  readonly ownLog: bigint;
  readonly common: bigint;
  readonly changes: bigint;
}

/** How far clients have seen the shop. */
export interface ReadPositions {
  /** Shared by the threads of a server. */
  readonly memory: SharedArrayBuffer;
  /** What a client has seen; undefined for clients without a token, which count as one. */
  readonly seenBy: (client: number | undefined) => Seen;
  /** Notes what a client has read on a standby. */
  readonly readStandby: (seen: Seen, added: number) => void;
  /** Notes what a client has read on the primary. A position before `seen` means that the shop went back to an earlier state. */
  readonly readPrimary: (seen: Seen, position: SnapshotPosition) => void;
  /** Notes that every client has seen what was added. */
  readonly showToAll: (added: number) => void;
  /** Notes that a client made a change, or was refused one: the refusal told it about the primary. */
  readonly changed: (client: number | undefined) => void;
  readonly counts: () => ReadCounts;
}

/** Clients that share a slot are treated as one, which is never wrong: each then reads what the other has seen. */
const slots = 1024;
const [commonIndex, standbyReads, primaryReads, firstSlot] = [0, 1, 2, 3];
const [position, log, changes, covered, width] = [0, 1, 2, 3, 4];

/** The memory of clients, that of another thread if it is given. */
export function readPositions(memory = new SharedArrayBuffer((firstSlot + slots * width) * BigInt64Array.BYTES_PER_ELEMENT)): ReadPositions {
  const cells = new BigInt64Array(memory);
  const slotOf = (client: number | undefined): number => firstSlot + width * (client === undefined ? 0 : 1 + (client % (slots - 1)));
  const raise = (index: number, value: bigint): void => {
    for (let known = Atomics.load(cells, index); known < value; known = Atomics.load(cells, index)) Atomics.compareExchange(cells, index, known, value);
  };
  const correct = (index: number, before: bigint, value: bigint): void => {
    if (value < before) Atomics.compareExchange(cells, index, before, value);
  };
  return {
    memory,
    seenBy: (client) => {
      const slot = slotOf(client);
      const [own, common] = [Atomics.load(cells, slot + position), Atomics.load(cells, commonIndex)];
      const made = Atomics.load(cells, slot + changes);
      const isComplete = Atomics.load(cells, slot + covered) >= made;
      const ownLog = Atomics.load(cells, slot + log);
      const least = { added: Number(own > common ? own : common), logged: Number(ownLog) };
      return { slot, own, ownLog, common, changes: made, isComplete, least };
    },
    readStandby: ({ slot }, reached) => {
      raise(slot + position, BigInt(reached));
      Atomics.add(cells, standbyReads, 1n);
    },
    readPrimary: ({ slot, own, ownLog, common, changes: made, isComplete }, { added, logged }) => {
      correct(slot + position, own, BigInt(added));
      correct(slot + log, ownLog, BigInt(logged));
      correct(commonIndex, common, BigInt(added));
      raise(slot + position, BigInt(added));
      if (!isComplete) raise(slot + log, BigInt(logged));
      raise(slot + covered, made);
      Atomics.add(cells, primaryReads, 1n);
    },
    showToAll: (reached) => raise(commonIndex, BigInt(reached)),
    changed: (client) => void Atomics.add(cells, slotOf(client) + changes, 1n),
    counts: () => ({ standby: Number(Atomics.load(cells, standbyReads)), primary: Number(Atomics.load(cells, primaryReads)) }),
  };
}
