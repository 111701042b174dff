import type { LedgerSubject } from './ledger-entry.js';
import { checkConditions } from '../conditions.js';
import type { WriteTransaction } from '../transaction.js';

/** Checks the preconditions of the request on a record. Refuses with `precondition_failed`. `name`: the record in the message, such as "Pet 7". */
export async function checkVersion(tx: WriteTransaction, name: string, subject: LedgerSubject): Promise<void> {
  if (tx.ifMatch === undefined && tx.ifNoneMatch === undefined) return;
  checkConditions(tx, name, await tx.ledger.version(subject));
}
