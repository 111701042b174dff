import { codeKey } from '../../domain/codes/code.js';
import { maximumCodeRows, type CodeDraft } from '../../domain/imports/code-row.js';
import { codesGivenTwice } from '../../domain/imports/plan-codes.js';
import type { RowError } from '../../domain/imports/row-error.js';
import { codesTogether } from './batch-codes.js';
import { tooMany } from './import-batch.js';
import { placeIn } from './pet-look-ups.js';
import { rowNumbers } from './row-changes.js';
import { rowFile } from './text-file.js';

/** A code of a file, and the index of its row. */
export type StoredCode = readonly [rowIndex: number, draft: CodeDraft];

/** The most codes that are compared at once. */
const comparedTogether = 100_000;

/** A number that equal codes share, and very few others: modulo the largest prime below 2^44, so that every step is exact. */
function numberOf(code: string): number {
  const key = codeKey(code);
  let number = 0;
  for (let index = 0; index < key.length; index += 1) number = (number * 257 + key.charCodeAt(index)) % (2 ** 44 - 17);
  return number;
}

/** The codes of a file in its order, in a temporary file: each takes 8 bytes of memory. */
export function storedCodes(name: string | undefined) {
  const stored = rowFile<StoredCode>();
  const numbers = rowNumbers((length) => new Float64Array(length));
  let count = 0;
  let pending: StoredCode[] = [];
  let repeated = new Float64Array();
  const flush = (): void => {
    stored.add(pending);
    pending = [];
  };
  function* codesAmong(wanted: ReadonlySet<number>): Generator<StoredCode, void> {
    for (const block of stored.blocks()) yield* block.filter(([, { code }]) => wanted.has(numberOf(code)));
  }
  return {
    /** Stores the codes of a row. */
    add: (rowIndex: number, drafts: readonly CodeDraft[]): void => {
      if (pending.length + drafts.length > codesTogether) flush();
      for (const draft of drafts) {
        pending.push([rowIndex, draft]);
        numbers.set(count, numberOf(draft.code));
        count += 1;
      }
      if (count > maximumCodeRows) throw tooMany(maximumCodeRows, 'codes', name);
    },
    /** Refuses rows as `codesGivenTwice` does; call it after the last row. */
    refuseGivenTwice: (refuseRow: (rowIndex: number, error: RowError) => void, twoPets?: string): void => {
      flush();
      const sorted = Float64Array.from({ length: count }, (_, index) => numbers.at(index)).toSorted();
      repeated = sorted.filter((number, index) => number === sorted[index - 1] && number !== sorted[index - 2]);
      for (let from = 0; from < repeated.length; from += comparedTogether) {
        const compared = new Set(repeated.subarray(from, from + comparedTogether));
        codesGivenTwice(() => codesAmong(compared), refuseRow, twoPets);
      }
    },
    /** Whether the file may have a code a second time; after `refuseGivenTwice`. */
    mayRepeat: (code: string): boolean => repeated[placeIn(repeated, numberOf(code))] === numberOf(code),
    /** The codes in blocks; those of a row are in one. */
    blocks: stored.blocks,
    close: stored.close,
  };
}
