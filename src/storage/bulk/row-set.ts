/** A set of row indexes, one bit each. As text it is a list of ranges ("3-5,9"), or base64 of the bits when there are too many ranges. */
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
const bitsMark = 'base64:';
/** With more ranges base64 is usually shorter: a million ranges would be a text of many megabytes. */
const maximumRanges = 10_000;

function* rangesIn(text: string): Generator<readonly [start: number, end: number], void> {
  for (const [, start, end = start] of text.matchAll(/(\d+)(?:-(\d+))?/g)) yield [Number(start), Number(end)];
}

/** The set that `toText` wrote; an empty one by default. */
export function rowSet(text = ''): RowSet {
  let bits = new Uint8Array(initialBytes);
  let size = 0;
  let last = 0;
  const has = (rowIndex: number): boolean => ((bits[rowIndex >> 3] ?? 0) & (1 << (rowIndex & 7))) !== 0;
  const add = (rowIndex: number): void => {
    if (has(rowIndex)) return;
    if (rowIndex >> 3 >= bits.length) {
      const larger = new Uint8Array(Math.max(bits.length * 2, (rowIndex >> 3) + 1));
      larger.set(bits);
      bits = larger;
    }
    bits[rowIndex >> 3] = (bits[rowIndex >> 3] ?? 0) | (1 << (rowIndex & 7));
    size += 1;
    last = Math.max(last, rowIndex);
  };
  const remove = (rowIndex: number): void => {
    if (!has(rowIndex)) return;
    bits[rowIndex >> 3] = (bits[rowIndex >> 3] ?? 0) & ~(1 << (rowIndex & 7));
    size -= 1;
  };
  function* all(): Generator<number, void> {
    for (let rowIndex = 0; rowIndex <= last; rowIndex += 1) if (has(rowIndex)) yield rowIndex;
  }
  if (text.startsWith(bitsMark)) {
    const stored = Buffer.from(text.slice(bitsMark.length), 'base64');
    for (let rowIndex = 0; rowIndex < stored.length * 8; rowIndex += 1) if (((stored[rowIndex >> 3] ?? 0) & (1 << (rowIndex & 7))) !== 0) add(rowIndex);
  } else for (const [start, end] of rangesIn(text)) for (let rowIndex = start; rowIndex <= end; rowIndex += 1) add(rowIndex);
  return {
    add,
    remove,
    has,
    size: () => size,
    all,
    toText: () => {
      const ranges: string[] = [];
      for (let rowIndex = 0; rowIndex <= last; rowIndex += 1) {
        if (!has(rowIndex)) continue;
        if (ranges.length === maximumRanges) return `${bitsMark}${Buffer.from(bits.buffer, 0, (last >> 3) + 1).toString('base64')}`;
        const start = rowIndex;
        while (has(rowIndex + 1)) rowIndex += 1;
        ranges.push(start === rowIndex ? String(start) : `${start}-${rowIndex}`);
      }
      return ranges.join(',');
    },
  };
}
