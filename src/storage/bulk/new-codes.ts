import { codeKey } from '../../domain/codes/code.js';
import type { CodeOfPet } from '../../domain/codes/codes-cell.js';
import { maximumCodeRows, type CodeDraft } from '../../domain/imports/code-row.js';
import { codesGivenTwice } from '../../domain/imports/plan-codes.js';
import { codesTogether, tooMany } from './batch-codes.js';
import type { RefusedRows } from './refused-rows.js';
import { rowFile } from './text-file.js';

/** A code of a new pet, and the index of its row, which stands for the id of the pet until that is known. */
export type NewCode = readonly [rowIndex: number, draft: CodeDraft];

/** The most codes that are compared at once. */
const comparedTogether = 100_000;

/** A number that equal codes share, and very few others: modulo the largest prime below 2^44, so that every step is exact. */
function digestOf(code: string): number {
  const key = codeKey(code);
  let digest = 0;
  for (let index = 0; index < key.length; index += 1) digest = (digest * 257 + key.charCodeAt(index)) % (2 ** 44 - 17);
  return digest;
}

/** The codes of new pets, in file order, in a temporary file: each takes 8 bytes of memory. */
export function newCodes(name: string | undefined) {
  const stored = rowFile<NewCode>();
  const digests: number[] = [];
  let pending: NewCode[] = [];
  const flush = (): void => {
    stored.add(pending);
    pending = [];
  };
  return {
    /** Stores the codes of a row. */
    add: (rowIndex: number, line: number, codes: readonly CodeOfPet[]): void => {
      if (pending.length + codes.length > codesTogether) flush();
      for (const { code, units } of codes) {
        pending.push([rowIndex, { line, petId: rowIndex, code, units }]);
        digests.push(digestOf(code));
      }
      if (digests.length > maximumCodeRows) throw tooMany(maximumCodeRows, 'codes', name);
    },
    /** Refuses the rows whose code the file gives to two pets; call it after the last row. */
    refuseGivenTwice: (refused: RefusedRows): void => {
      flush();
      const sorted = Float64Array.from(digests).toSorted();
      const twice = sorted.filter((digest, index) => digest === sorted[index - 1] && digest !== sorted[index - 2]);
      for (let from = 0; from < twice.length; from += comparedTogether) {
        const compared = new Set(twice.slice(from, from + comparedTogether));
        const drafts = (function* draftsOf() {
          for (const block of stored.blocks()) yield* block.filter(([, { code }]) => compared.has(digestOf(code)));
        })();
        codesGivenTwice(drafts, (rowIndex, error) => refused.add({ rowIndex, error: { ...error, column: 'codes' } }), 'and each row becomes a pet of its own');
      }
    },
    /** The codes in blocks; those of a row are in one. */
    blocks: stored.blocks,
    close: stored.close,
  };
}
