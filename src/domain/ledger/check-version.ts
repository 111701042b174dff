import type { LedgerSubject } from './ledger-entry.js';
import { checkConditions } from '../conditions.js';
import type { WriteTransaction } from '../transaction.js';

/** Refuses to change a record that is not at the version the caller last saw. */
export async function checkVersion(tx: WriteTransaction, name: string, subject: LedgerSubject): Promise<void> {
  if (tx.ifMatch === undefined && tx.ifNoneMatch === undefined) return;
  checkConditions(tx, name, await tx.ledger.version(subject));
}
