import { deflateRawSync, inflateRawSync } from 'node:zlib';

/** A set of row indexes, one bit each. As text it is the compressed bits in base64. */
export interface RowSet {
  readonly add: (rowIndex: number) => void;
  readonly remove: (rowIndex: number) => void;
  readonly has: (rowIndex: number) => boolean;
  readonly size: () => number;
  /** The row indexes in ascending order. */
  readonly all: () => Generator<number, void>;
  readonly toText: () => string;
}

const initialBytes = 1024;
/** More than any file has rows. */
const mostBytes = 1 << 24;

/** The set that `toText` wrote; an empty one by default. */
export function rowSet(text = ''): RowSet {
  let bits = new Uint8Array(initialBytes);
  let size = 0;
  let last = 0;
  const has = (rowIndex: number): boolean => ((bits[rowIndex >> 3] ?? 0) & (1 << (rowIndex & 7))) !== 0;
  const flip = (rowIndex: number): void => {
    bits[rowIndex >> 3] = (bits[rowIndex >> 3] ?? 0) ^ (1 << (rowIndex & 7));
  };
  const add = (rowIndex: number): void => {
    if (has(rowIndex)) return;
    if (rowIndex >> 3 >= bits.length) {
      const larger = new Uint8Array(Math.max(bits.length * 2, (rowIndex >> 3) + 1));
      larger.set(bits);
      bits = larger;
    }
    flip(rowIndex);
    size += 1;
    last = Math.max(last, rowIndex);
  };
  const remove = (rowIndex: number): void => {
    if (!has(rowIndex)) return;
    flip(rowIndex);
    size -= 1;
  };
  function* all(): Generator<number, void> {
    for (let rowIndex = 0; rowIndex <= last; rowIndex += 1) if (has(rowIndex)) yield rowIndex;
  }
  if (text !== '') {
    bits = new Uint8Array(inflateRawSync(Buffer.from(text, 'base64'), { maxOutputLength: mostBytes }));
    last = bits.length * 8 - 1;
    for (const _ of all()) size += 1;
  }
  return { add, remove, has, size: () => size, all, toText: () => (size === 0 ? '' : deflateRawSync(bits.subarray(0, (last >> 3) + 1)).toString('base64')) };
}
