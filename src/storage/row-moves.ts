/** What the rows of a file came to, by their places. */
export interface RowMoves {
  readonly set: (place: number, before: number, after: number) => void;
  /** The quantities before and after the row at a place; undefined where it moved none. */
  readonly at: (place: number) => { readonly before: number; readonly after: number } | undefined;
  readonly clear: () => void;
}

const none = -1;

/** Collects the moves of so many rows in eight bytes for each. */
export function rowMoves(rows: number): RowMoves {
  const [befores, afters] = [new Int32Array(rows).fill(none), new Int32Array(rows)];
  return {
    set: (place, before, after) => {
      befores[place] = before;
      afters[place] = after;
    },
    at: (place) => {
      const [before = none, after = none] = [befores[place], afters[place]];
      return before === none ? undefined : { before, after };
    },
    clear: () => void befores.fill(none),
  };
}
