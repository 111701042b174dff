import { codeTakenText } from '../codes/add-code.js';
import { codeKey, codeOutcome, maximumCodes, type Code } from '../codes/code.js';
import type { CodeDraft } from './code-row.js';
import type { RowError } from './row-error.js';

/** What the shop holds of the pets and the codes of some rows. */
export interface ShopCodes {
  /** The names of the live pets, by id. */
  readonly names: ReadonlyMap<number, string>;
  /** The codes of the shop, by key. */
  readonly codes: ReadonlyMap<string, Code>;
  /** How many codes a pet has, with those that earlier rows add to it. */
  readonly counts: Map<number, number>;
}

/** Whether a row adds its code or changes nothing, or why it is refused. Counts an added code in `counts`. */
export function planCode({ line, petId, code, units }: CodeDraft, { names, codes, counts }: ShopCodes): 'added' | 'unchanged' | RowError {
  const at = { line, petId, column: 'code', value: code };
  if (!names.has(petId)) return { line, petId, code: 'unknown_pet', message: `There is no pet ${petId}.` };
  const existing = codes.get(codeKey(code));
  const count = counts.get(petId) ?? 0;
  const outcome = codeOutcome({ petId, units }, existing, count);
  if (outcome === 'unchanged') return outcome;
  if (existing !== undefined) return { ...at, code: 'code_taken', message: codeTakenText(existing, names.get(existing.petId) ?? '') };
  if (outcome === 'full') return { ...at, code: 'validation_failed', message: `Pet ${petId} has ${maximumCodes} codes, the most of one pet.` };
  counts.set(petId, count + 1);
  return 'added';
}

/**
 * Refuses rows, by index, that give one code to two pets or with two numbers of units; both rows are refused. In a file of new
 * pets the index of a row stands for the id of its pet. `twoPets` says that the other row is of another pet.
 */
export function codesGivenTwice(
  drafts: Iterable<readonly [rowIndex: number, draft: CodeDraft]>,
  refuseRow: (rowIndex: number, error: RowError) => void,
  twoPets = 'for another pet',
): void {
  const first = new Map<string, { readonly rowIndex: number; readonly draft: CodeDraft; isRefused: boolean }>();
  const refuse = (rowIndex: number, { line, petId, code }: CodeDraft, other: CodeDraft): void => {
    const message = `The code ${code} is also on line ${other.line}, ${other.petId === petId ? 'for other units' : twoPets}.`;
    refuseRow(rowIndex, { line, column: 'code', value: code, code: 'duplicate_row', message });
  };
  for (const [rowIndex, draft] of drafts) {
    const key = codeKey(draft.code);
    const earlier = first.get(key);
    if (earlier === undefined) first.set(key, { rowIndex, draft, isRefused: false });
    else if (earlier.draft.petId !== draft.petId || earlier.draft.units !== draft.units) {
      refuse(rowIndex, draft, earlier.draft);
      if (!earlier.isRefused) refuse(earlier.rowIndex, earlier.draft, draft);
      earlier.isRefused = true;
    }
  }
}
