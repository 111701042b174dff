/** A set of the places of rows in their file, one bit each, written as "3-5,9", or as its bits where that is shorter. */
export interface PlaceSet {
  readonly add: (place: number) => void;
  readonly remove: (place: number) => void;
  readonly has: (place: number) => boolean;
  readonly size: () => number;
  /** The places in ascending order. */
  readonly all: () => Generator<number, void>;
  readonly toText: () => string;
}

const smallest = 1024;
const bitsMark = 'base64:';
/** Beyond so many ranges the bits are written; a million ranges would take a text of many megabytes. */
const mostRanges = 10_000;

function* rangesIn(text: string): Generator<readonly [start: number, end: number], void> {
  for (const [, start, end = start] of text.matchAll(/(\d+)(?:-(\d+))?/g)) yield [Number(start), Number(end)];
}

/** A set of places, empty or read back from its text. */
export function placeSet(text = ''): PlaceSet {
  let bits = new Uint8Array(smallest);
  let size = 0;
  let last = 0;
  const has = (place: number): boolean => ((bits[place >> 3] ?? 0) & (1 << (place & 7))) !== 0;
  const add = (place: number): void => {
    if (has(place)) return;
    if (place >> 3 >= bits.length) {
      const larger = new Uint8Array(Math.max(bits.length * 2, (place >> 3) + 1));
      larger.set(bits);
      bits = larger;
    }
    bits[place >> 3] = (bits[place >> 3] ?? 0) | (1 << (place & 7));
    size += 1;
    last = Math.max(last, place);
  };
  const remove = (place: number): void => {
    if (!has(place)) return;
    bits[place >> 3] = (bits[place >> 3] ?? 0) & ~(1 << (place & 7));
    size -= 1;
  };
  function* all(): Generator<number, void> {
    for (let place = 0; place <= last; place += 1) if (has(place)) yield place;
  }
  if (text.startsWith(bitsMark)) {
    const stored = Buffer.from(text.slice(bitsMark.length), 'base64');
    for (let place = 0; place < stored.length * 8; place += 1) if (((stored[place >> 3] ?? 0) & (1 << (place & 7))) !== 0) add(place);
  } else for (const [start, end] of rangesIn(text)) for (let place = start; place <= end; place += 1) add(place);
  return {
    add,
    remove,
    has,
    size: () => size,
    all,
    toText: () => {
      const ranges: string[] = [];
      for (let place = 0; place <= last; place += 1) {
        if (!has(place)) continue;
        if (ranges.length === mostRanges) return `${bitsMark}${Buffer.from(bits.buffer, 0, (last >> 3) + 1).toString('base64')}`;
        const start = place;
        while (has(place + 1)) place += 1;
        ranges.push(start === place ? String(start) : `${start}-${place}`);
      }
      return ranges.join(',');
    },
  };
}
