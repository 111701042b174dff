import type { ReadCounts } from '../domain/read-store-state.js';

/** What a client had seen when a read began. A position counts what was added to the shop, and grows with it. */
export interface Seen {
  /** The position that a snapshot for the client must have reached. */
  readonly least: number;
  /** Whether `least` covers all changes of the client; if not, only the primary has them for certain. */
  readonly isComplete: boolean;
  readonly slot: number;
  readonly own: bigint;
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
  readonly readStandby: (seen: Seen, position: number) => void;
  /** Notes what a client has read on the primary. A position before `seen` means that the shop went back to an earlier state. */
  readonly readPrimary: (seen: Seen, position: number) => void;
  /** Every client has seen a position. */
  readonly showToAll: (position: number) => void;
  /** A client has changed something, or was refused a change for what the primary has. */
  readonly changed: (client: number | undefined) => void;
  readonly counts: () => ReadCounts;
}

/** Clients that share a slot are treated as one, which is never wrong: each then reads what the other has seen. */
const slots = 1024;
const [commonIndex, standbyReads, primaryReads, firstSlot] = [0, 1, 2, 3];
const [position, changes, covered, width] = [0, 1, 2, 3];

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
      return { slot, own, common, changes: made, isComplete, least: Number(own > common ? own : common) };
    },
    readStandby: ({ slot }, reached) => {
      raise(slot + position, BigInt(reached));
      Atomics.add(cells, standbyReads, 1n);
    },
    readPrimary: ({ slot, own, common, changes: made }, reached) => {
      correct(slot + position, own, BigInt(reached));
      correct(commonIndex, common, BigInt(reached));
      raise(slot + position, BigInt(reached));
      raise(slot + covered, made);
      Atomics.add(cells, primaryReads, 1n);
    },
    showToAll: (reached) => raise(commonIndex, BigInt(reached)),
    changed: (client) => void Atomics.add(cells, slotOf(client) + changes, 1n),
    counts: () => ({ standby: Number(Atomics.load(cells, standbyReads)), primary: Number(Atomics.load(cells, primaryReads)) }),
  };
}
