/** A set of the places of rows in their file, one bit each, written as "3-5,9". */
export interface PlaceSet {
  readonly add: (place: number) => void;
  readonly remove: (place: number) => void;
  readonly has: (place: number) => boolean;
  readonly size: () => number;
  readonly toText: () => string;
}

const smallest = 1024;

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
  for (const range of text === '' ? [] : text.split(',')) {
    const [start = 0, end = start] = range.split('-').map(Number);
    for (let place = start; place <= end; place += 1) add(place);
  }
  return {
    add,
    remove,
    has,
    size: () => size,
    toText: () => {
      const ranges: string[] = [];
      for (let place = 0; place <= last; place += 1) {
        if (!has(place)) continue;
        const start = place;
        while (has(place + 1)) place += 1;
        ranges.push(start === place ? String(start) : `${start}-${place}`);
      }
      return ranges.join(',');
    },
  };
}
