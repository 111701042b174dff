import type { LedgerSubject } from './ledger-entry.js';
import { checkConditions } from '../conditions.js';
import type { WriteTransaction } from '../transaction.js';

/** Checks the preconditions of the request on a record. Refuses with `precondition_failed`. `name`: the record in the message, such as "Pet 7". */
export async function checkVersion(tx: WriteTransaction, name: string, subject: LedgerSubject): Promise<void> {
  if (tx.ifMatch === undefined && tx.ifNoneMatch === undefined) return;
  // The later changes of the same record in one request build on the first one, which met the conditions.
  if (tx.checkedRecords.has(name)) return;
  checkConditions(tx, name, await tx.ledger.version(subject));
  tx.checkedRecords.add(name);
}
