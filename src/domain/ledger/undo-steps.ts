import type { LedgerEntry, LedgerKind } from './ledger-entry.js';

/** How a ledger entry is undone. */
export type UndoAction =
  | 'undoMovement'
  | 'cancelOrder'
  | 'restoreOrder'
  | 'reopenOrder'
  | 'completeOrder'
  | 'undoReturn'
  | 'editOrder'
  | 'hold'
  | 'release'
  | 'editPet'
  | 'deletePet'
  | 'restorePet'
  | 'addCode'
  | 'removeCode'
  | 'editCategory'
  | 'deleteCategory'
  | 'restoreCategory'
  | 'editShop';

/** A step that undoes one ledger entry; without an action for an entry that does not record the former values. */
export interface UndoStep {
  readonly action: UndoAction | undefined;
  readonly entry: LedgerEntry;
}

/** Entries that follow from others, such as a pet that becomes low: an undo writes its own. A count is cancelled, and its close undone as a batch. */
export const derivedKinds: ReadonlySet<LedgerKind> = new Set(['inventory.low', 'inventory.restocked', 'count.started', 'count.closed', 'count.cancelled']);

const actions: Readonly<Partial<Record<LedgerKind, UndoAction>>> = {
  opening: 'deletePet',
  'order.placed': 'cancelOrder',
  'order.cancelled': 'restoreOrder',
  'pet.held': 'release',
  'pet.released': 'hold',
  'code.added': 'removeCode',
  'code.removed': 'addCode',
  'category.created': 'deleteCategory',
  'category.archived': 'restoreCategory',
};

/** The actions that need the former values. */
const editActions: Readonly<Partial<Record<LedgerKind, UndoAction>>> = {
  'order.updated': 'editOrder',
  'pet.updated': 'editPet',
  'pet.archived': 'restorePet',
  'category.updated': 'editCategory',
  'shop.updated': 'editShop',
};

function actionFor({ kind, orderId, delta, previous, current }: LedgerEntry): UndoAction | undefined {
  if (kind === 'sale' && orderId !== undefined) return 'reopenOrder';
  if (kind === 'return' && orderId !== undefined) return current?.returned === undefined ? 'completeOrder' : 'undoReturn';
  const movesUnits = kind === 'count' || kind === 'adjust' || kind === 'sale' || kind === 'return';
  if (movesUnits && delta !== undefined) return 'undoMovement';
  return actions[kind] ?? (previous === undefined ? undefined : editActions[kind]);
}

/** An order that changes its pet has an entry for each of both pets; the last one holds the former values. */
function isFirstOfPair(entry: LedgerEntry, change: readonly LedgerEntry[]): boolean {
  const { kind, orderId, previous } = entry;
  return kind === 'order.updated' && previous === undefined && change.some((other) => other.orderId === orderId && other.previous?.petId !== undefined);
}

/**
 * The steps that undo a change, given as its ledger entries, oldest first; the last one is undone first. None for an undo, and for
 * entries that only follow from others.
 */
export function undoStepsOf(change: readonly LedgerEntry[]): readonly UndoStep[] {
  if (change.some(({ reverses }) => reverses !== undefined)) return [];
  const undoable = change.filter((entry) => !derivedKinds.has(entry.kind) && !isFirstOfPair(entry, change));
  return undoable.map((entry) => ({ action: actionFor(entry), entry })).toReversed();
}

/** The changes that ledger entries belong to, by `changeIds`; one without is a change of its own. The entries are newest first, those of a change oldest first. */
export function changesIn(newestFirst: readonly LedgerEntry[], changeIds: ReadonlyMap<number, number>): readonly (readonly LedgerEntry[])[] {
  const changes: LedgerEntry[][] = [];
  for (const entry of newestFirst) {
    const newer = changes.at(-1);
    const changeId = changeIds.get(entry.id);
    if (newer !== undefined && changeId !== undefined && changeId === changeIds.get(newer[0]?.id ?? 0)) newer.unshift(entry);
    else changes.push([entry]);
  }
  return changes;
}
