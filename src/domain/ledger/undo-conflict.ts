import { codeKey } from '../codes/code.js';
import { type ErrorDetails, StoreError } from '../errors.js';
import { allows } from '../tokens/token.js';
import type { ReadTransaction } from '../transaction.js';
import { settingLabels } from './field-labels.js';
import { type LedgerEntry, subjectFields } from './ledger-entry.js';
import type { LedgerFilter } from './ledger-table.js';
import { utcText } from '../values/time.js';
import { derivedKinds, type UndoAction, type UndoStep } from './undo-steps.js';
import { newestRows, oldestRows } from '../values/pages.js';

/** The actions that change a pet or a category; all others change the stock, an order or a low-stock level. */
const catalogueActions: ReadonlySet<UndoAction> = new Set([
  'hold',
  'release',
  'editPet',
  'deletePet',
  'restorePet',
  'editCategory',
  'deleteCategory',
  'restoreCategory',
]);

/** Whether the caller may make the change of a step by itself: an undo needs `store:write`, and `pets:write` for a pet or a category. */
function mayTake({ scopes }: ReadTransaction, { action, entry: { previous } }: UndoStep): boolean {
  if (scopes === undefined || action === undefined || !catalogueActions.has(action)) return true;
  return (action === 'editPet' && previous?.lowAt !== undefined) || allows(scopes, 'pets:write');
}

/** How many later entries of a record are read at once, and the most that are searched for a change that was not undone. */
const entriesPerRead = 100;
const laterEntries = 1000;

/** The later entries that may prevent a step: those of its record, or of the same fields. Movements never prevent one. */
function laterFilter({ action, entry: { petId, orderId, categoryId } }: UndoStep): LedgerFilter | undefined {
  if (orderId !== undefined) return { orderId: [orderId] };
  if (categoryId !== undefined) return { categoryId: [categoryId] };
  if (action === 'editShop') return { kind: ['shop.updated'] };
  if (petId === undefined) return undefined;
  if (action === 'hold' || action === 'release') return { petId: [petId], kind: ['pet.held', 'pet.released'] };
  if (action === 'editPet') return { petId: [petId], kind: ['pet.updated'] };
  if (action === 'addCode' || action === 'removeCode') return { petId: [petId], kind: ['code.added', 'code.removed'] };
  return action === 'deletePet' ? { petId: [petId] } : undefined;
}

/** The key of the code that an entry added or removed. */
const codeKeyOf = ({ previous, current }: LedgerEntry): string => codeKey(current?.code ?? previous?.code ?? '');

/** Whether a later entry changed other fields of a pet, another code, or other settings of the shop, than a step restores. */
function changesOtherFields({ action, entry }: UndoStep, later: LedgerEntry): boolean {
  if (action === 'addCode' || action === 'removeCode') return codeKeyOf(later) !== codeKeyOf(entry);
  const { previous } = later;
  const isOfFields = action === 'editPet' || action === 'editShop';
  return isOfFields && previous !== undefined && !Object.keys(previous).some((name) => Object.hasOwn(entry.previous ?? {}, name));
}

/**
 * Whether an edit that moved an order to another pet, given by its entry of the pet that the order left, is an undo or was undone. The
 * other entry of the edit, which follows it, shows this.
 */
async function isMoveUndone(tx: ReadTransaction, { id, orderId }: LedgerEntry, undoneFirst: ReadonlySet<number>): Promise<boolean> {
  if (orderId === undefined) return false;
  const [last] = await tx.ledger.list({ orderId: [orderId], kind: ['order.updated'], after: id }, oldestRows(1));
  if (last === undefined) return false;
  const changes = await tx.ledger.changesOf([id, last.id]);
  if (changes.get(id) === undefined || changes.get(id) !== changes.get(last.id)) return false;
  return last.reverses !== undefined || undoneFirst.has(last.id) || (await tx.ledger.undoneBy(last.id)) !== undefined;
}

/** The first of these entries that still has an effect: not an undo, not undone, and not in `undoneFirst`. */
async function firstEffective(tx: ReadTransaction, later: readonly LedgerEntry[], undoneFirst: ReadonlySet<number>): Promise<LedgerEntry | undefined> {
  if (later.length === 0) return undefined;
  const undone = new Set(await tx.ledger.undoneAmong(later.map(({ id }) => id)));
  for (const entry of later) {
    const { id, kind, reverses, previous } = entry;
    if (reverses !== undefined || undone.has(id) || undoneFirst.has(id) || derivedKinds.has(kind)) continue;
    if (kind === 'order.updated' && previous === undefined && (await isMoveUndone(tx, entry, undoneFirst))) continue;
    return entry;
  }
  return undefined;
}

/** The entry that deleted the pet of a step; undefined for a live pet. */
async function deletionOf(tx: ReadTransaction, { action, entry: { petId } }: UndoStep): Promise<LedgerEntry | undefined> {
  if (petId === undefined || action === 'restorePet' || (await tx.stock.get(petId)) !== undefined) return undefined;
  const [deletion] = await tx.ledger.list({ petId: [petId], kind: ['pet.archived'] }, newestRows(1));
  return deletion;
}

/** The later entry that prevents a step: it changed the same record, or deleted its pet. The entries of `undoneFirst` do not count: they are undone before these steps. */
async function conflictOf(tx: ReadTransaction, step: UndoStep, undoneFirst: ReadonlySet<number>): Promise<LedgerEntry | undefined> {
  const deletion = await deletionOf(tx, step);
  if (deletion !== undefined && !undoneFirst.has(deletion.id)) return deletion;
  const filter = laterFilter(step);
  if (filter === undefined) return undefined;
  let after = step.entry.id;
  for (let searched = 0; ; searched += entriesPerRead) {
    const later = await tx.ledger.list({ ...filter, after }, oldestRows(entriesPerRead));
    const others = later.filter((entry) => !changesOtherFields(step, entry));
    const found = await firstEffective(tx, others, undoneFirst);
    if (found !== undefined || later.length < entriesPerRead) return found;
    const last = later.at(-1);
    if (last === undefined || searched + entriesPerRead >= laterEntries) return last;
    after = last.id;
  }
}

/** The record that an entry is about: "order 12". */
function recordOf({ petId, orderId, categoryId, kind, previous }: LedgerEntry): string {
  if (orderId !== undefined) return `order ${orderId}`;
  if (categoryId !== undefined) return `category ${categoryId}`;
  if (petId !== undefined) return `pet ${petId}`;
  return kind === 'shop.updated' ? `the ${settingLabels(previous)} of the shop` : 'the shop';
}

const subjectOf = (entry: LedgerEntry): ErrorDetails => ({
  entryId: entry.id,
  ...Object.fromEntries(subjectFields.flatMap((field) => (entry[field] === undefined ? [] : [[field, entry[field]]]))),
});

function changedSince({ entry }: UndoStep, conflict: LedgerEntry): StoreError {
  const { id, at, actor, kind } = conflict;
  const did = kind === 'pet.archived' || kind === 'category.archived' ? 'deleted' : 'changed';
  const later = `${actor} ${did} ${recordOf(conflict)} ${utcText(at)} (entry ${id})`;
  const sentence = `You cannot undo entry ${entry.id}: ${later}.`;
  return new StoreError('not_undoable', sentence, { details: { ...subjectOf(entry), reason: 'changed_since', at } });
}

/** Why steps cannot be taken, as the refusal `not_undoable` or `insufficient_scope`; undefined where nothing prevents them. The entries of `undoneFirst` do not count: they are undone before these steps. */
export async function undoConflict(tx: ReadTransaction, steps: readonly UndoStep[], undoneFirst: ReadonlySet<number>): Promise<StoreError | undefined> {
  for (const step of steps) {
    const { action, entry } = step;
    if (action === undefined) {
      const sentence = `You cannot undo entry ${entry.id}: the ledger does not have the former values of ${recordOf(entry)}.`;
      return new StoreError('not_undoable', sentence, { details: { ...subjectOf(entry), reason: 'no_former_values' } });
    }
    if (!mayTake(tx, step)) {
      const sentence = `You cannot undo entry ${entry.id}: changes of ${recordOf(entry)} require a token with the scope pets:write.`;
      return new StoreError('insufficient_scope', sentence, { details: subjectOf(entry) });
    }
    const conflict = await conflictOf(tx, step, undoneFirst);
    if (conflict !== undefined) return changedSince(step, conflict);
  }
  return undefined;
}
