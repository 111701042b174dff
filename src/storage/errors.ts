import { StoreError } from '../domain/errors.js';

/** The refusal of a lock that did not come free in time. */
export function busy(where: string, seconds: number): StoreError {
  return new StoreError(
    'store_busy',
    `${where} is locked by another process${seconds > 0 ? `; waited ${seconds} s` : ''}.`,
    'Try again, or wait longer with --wait <seconds>.',
  );
}

/** The refusal of a shop whose schema a newer program made. */
export function tooNew(where: string, version: number, known: number): StoreError {
  return new StoreError(
    'schema_too_new',
    `${where} was made by a newer petstore (schema ${version}; this program knows ${known}).`,
    'Install the newer petstore.',
  );
}

/** The refusal of an import of which the database has lost rows that it had accepted; the transaction that finds this changes nothing. */
export function stagedRowsLost(where: string, staged: number, found: number): StoreError {
  return new StoreError(
    'store_unreachable',
    `${where} has lost ${staged - found} of the ${staged} rows that were prepared for this import; nothing was changed.`,
    'Run the same command again.',
  );
}

/** A refusal with the failure that it explains, for the log of a server. */
export function withCause(explained: unknown, error: unknown): unknown {
  if (explained instanceof StoreError && explained !== error) explained.cause = error;
  return explained;
}
