import { StoreError } from '../domain/errors.js';

/** The code of an error of a driver: that of SQLite, the SQLSTATE of PostgreSQL (five characters), or the one of Node; empty without one. */
export function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';
}

/** The refusal when a lock was not released in time (`store_busy`). */
export function storeBusy(where: string, waitSeconds: number): StoreError {
  return new StoreError('store_busy', `${where} is locked by another process${waitSeconds > 0 ? `; waited ${waitSeconds} s` : ''}.`);
}

/** The refusal of a schema that a newer version of petstore created; `known` is the newest version this one supports. */
export function schemaTooNew(where: string, version: number, known: number): StoreError {
  return new StoreError('schema_too_new', `${where} was made by a newer petstore (schema ${version}; this version supports ${known}).`, {
    advice: 'Install the newer version.',
  });
}

/** The refusal of a change that would release more units than are reserved: the reserved units of the pet were changed without petstore. */
export function reservedUnitsWrong(where: string): StoreError {
  return new StoreError('store_unreadable', `${where} is damaged: fewer units of a pet are reserved than its open orders need; nothing was changed.`, {
    details: { reason: 'inconsistent' },
  });
}

/** Sets the original error as the cause of a refusal, for the server log; returns anything else unchanged. */
export function withCause(explained: unknown, error: unknown): unknown {
  if (explained instanceof StoreError && explained !== error) explained.cause = error;
  return explained;
}
