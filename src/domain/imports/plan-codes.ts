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

const differs = (one: CodeDraft, other: CodeDraft): boolean => one.petId !== other.petId || one.units !== other.units;

/**
 * Refuses rows, by index, of a code that the file gives to two pets or with two numbers of units: all rows of this code. In a file of
 * new pets the index of a row stands for the id of its pet. `twoPets` says that the other row is of another pet. `read` reads the rows, and is called twice.
 */
export function codesGivenTwice(
  read: () => Iterable<readonly [rowIndex: number, draft: CodeDraft]>,
  refuseRow: (rowIndex: number, error: RowError) => void,
  twoPets = 'for another pet',
): void {
  const first = new Map<string, CodeDraft>();
  /** The first row that differs from the first one of its code. */
  const others = new Map<string, CodeDraft>();
  for (const [, draft] of read()) {
    const key = codeKey(draft.code);
    const earlier = first.get(key);
    if (earlier === undefined) first.set(key, draft);
    else if (!others.has(key) && differs(earlier, draft)) others.set(key, draft);
  }
  if (others.size === 0) return;
  for (const [rowIndex, draft] of read()) {
    const { line, petId, code } = draft;
    const key = codeKey(code);
    const [one, other] = [first.get(key), others.get(key)];
    if (one === undefined || other === undefined) continue;
    const named = differs(one, draft) ? one : other;
    const message = `The code ${code} is also on line ${named.line}, ${named.petId === petId ? 'for other units' : twoPets}.`;
    refuseRow(rowIndex, { line, column: 'code', value: code, code: 'duplicate_row', message });
  }
}
