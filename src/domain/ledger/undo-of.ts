import type { LedgerEntry, LedgerKind } from './ledger-entry.js';

/** A step that undoes one ledger entry. */
export interface UndoStep {
  readonly action: 'move' | 'cancel' | 'reopen' | 'complete' | 'hold' | 'release';
  readonly entry: LedgerEntry;
}

/** Entries that follow from others, such as a pet that becomes low: an undo writes its own. */
const derived: ReadonlySet<LedgerKind> = new Set(['inventory.low', 'inventory.restocked']);

/** What undoes an entry; undefined where the ledger does not hold what was there before. */
function actionFor({ kind, orderId, delta }: LedgerEntry): UndoStep['action'] | undefined {
  if (kind === 'order.placed') return 'cancel';
  if (kind === 'pet.held') return 'release';
  if (kind === 'pet.released') return 'hold';
  if (kind === 'sale' && orderId !== undefined) return 'reopen';
  if (kind === 'return' && orderId !== undefined) return 'complete';
  const moves = kind === 'count' || kind === 'adjust' || kind === 'sale' || kind === 'return';
  return moves && delta !== undefined ? 'move' : undefined;
}

/**
 * The steps that undo a change, given as its ledger entries, oldest first; the last one is undone first. Undefined for a change
 * that cannot be undone: an undo, or one with an entry that nothing undoes.
 */
export function undoOf(change: readonly LedgerEntry[]): readonly UndoStep[] | undefined {
  const steps: UndoStep[] = [];
  for (const entry of change) {
    if (derived.has(entry.kind)) continue;
    const action = entry.reverses === undefined ? actionFor(entry) : undefined;
    if (action === undefined) return undefined;
    steps.unshift({ action, entry });
  }
  return steps.length === 0 ? undefined : steps;
}

/** Whether an entry is an undo; undefined for one that follows from another entry. */
function isUndo({ kind, reverses }: LedgerEntry): boolean | undefined {
  return derived.has(kind) ? undefined : reverses !== undefined;
}

/** Whether an entry belongs to the change of the entries after it. An undo and a change of the same instant are two changes. */
function isSameChange(entry: LedgerEntry, newer: readonly LedgerEntry[]): boolean {
  const [next] = newer;
  if (next?.id !== entry.id + 1 || next.at !== entry.at || next.actor !== entry.actor || next.source !== entry.source) return false;
  const other = newer.map(isUndo).find((undo) => undo !== undefined);
  return isUndo(entry) === undefined || other === undefined || isUndo(entry) === other;
}

/**
 * The changes that ledger entries belong to: consecutive entries of one actor, instant and interface. The entries are newest
 * first, those of a change oldest first.
 */
export function changesIn(newestFirst: readonly LedgerEntry[]): readonly (readonly LedgerEntry[])[] {
  const changes: LedgerEntry[][] = [];
  for (const entry of newestFirst) {
    const newer = changes.at(-1);
    if (newer !== undefined && isSameChange(entry, newer)) newer.unshift(entry);
    else changes.push([entry]);
  }
  return changes;
}
