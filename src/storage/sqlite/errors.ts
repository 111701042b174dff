import { StoreError } from '../../domain/errors.js';
import { codeOf, reservedUnitsWrong, storeBusy, withCause } from '../errors.js';

/** Whether an error was raised by SQLite. */
export function isSqliteError(error: unknown): boolean {
  return codeOf(error).startsWith('SQLITE_');
}

// An unknown table, column or collation means that the schema is damaged. Other SQL errors are bugs, and the advice to restore a
// backup would be wrong. SQLite uses one code for all of them, SQLITE_ERROR, so only the text distinguishes them.
const unknownName = /^(no such |unknown function|foreign key mismatch|table \S+ has no column )/;

function isUnknownName(error: unknown): error is Error {
  return error instanceof Error && codeOf(error).startsWith('SQLITE_ERROR') && unknownName.test(error.message);
}

/** Whether an error says that a file is damaged or not a database. */
export function isDamaged(error: unknown): boolean {
  return /^SQLITE_(CORRUPT|NOTADB)/.test(codeOf(error)) || isUnknownName(error);
}

/** Whether the cause of a refusal is that the file could not be opened, for example because of its permissions. */
export function isNotOpened({ cause }: Error): boolean {
  return codeOf(cause).startsWith('SQLITE_CANTOPEN') || /^(EACCES|EPERM)$/.test(codeOf(cause));
}

/** Whether SQLite refused because another connection holds a lock. */
export function isBusy(error: unknown): boolean {
  const code = codeOf(error);
  return code.startsWith('SQLITE_BUSY') || code.startsWith('SQLITE_LOCKED');
}

/** Whether a change would release more units of a pet than are reserved. SQLite names a check only in the text of the error. */
function isReservedBelowZero(error: unknown): boolean {
  return error instanceof Error && codeOf(error) === 'SQLITE_CONSTRAINT_CHECK' && error.message.endsWith(': reserved >= 0');
}

/** Turns an error of SQLite into a refusal with a message for the user; returns an unexpected error unchanged. */
export function explain(error: unknown, path: string): unknown {
  return withCause(refusalOf(error, path), error);
}

/** The same for a read. Reads write only temporary files, so a full disk is reported for those. */
export function explainRead(error: unknown, path: string): unknown {
  if (!isFull(error)) return explain(error, path);
  const refusal = new StoreError('store_full', `No space left for the temporary files that reading ${path} needs.`, {
    advice: 'Free some disk space, or set TMPDIR to another folder.',
  });
  return withCause(refusal, error);
}

function isFull(error: unknown): boolean {
  return codeOf(error).startsWith('SQLITE_FULL');
}

function refusalOf(error: unknown, path: string): unknown {
  const code = codeOf(error);
  if (isBusy(error)) return storeBusy(path, 0);
  // The first process that opens a shop creates the -shm file. SQLite has one code for a full disk and a failing one.
  if (code === 'SQLITE_IOERR_SHMSIZE')
    return new StoreError('store_full', `The disk is full or failing: cannot write ${path}-shm, which is also needed for reading; nothing was changed.`, {
      advice: 'Free some disk space and run the command again.',
    });
  if (isFull(error))
    return new StoreError('store_full', `No space left to write to ${path}; nothing was changed.`, {
      advice: 'Free some disk space and run the command again.',
    });
  if (code === 'SQLITE_READONLY_DIRECTORY')
    return new StoreError('store_read_only', `The folder of ${path} cannot be written to, which SQLite needs also for reading.`, {
      advice: 'To read the shop, copy its file to a folder of yours and name the copy with --store.',
    });
  // Only a connection that may write takes the change back, and doctor opens the file to read.
  if (code === 'SQLITE_READONLY_ROLLBACK')
    return new StoreError('store_read_only', `A command was interrupted while it changed ${path}, and the change must be rolled back first.`, {
      advice: 'Run "petstore status", which rolls it back, and try again.',
    });
  if (code.startsWith('SQLITE_READONLY'))
    return new StoreError('store_read_only', `${path} cannot be written to.`, { advice: 'Check the permissions of the file and of its folder.' });
  if (code.startsWith('SQLITE_NOTADB')) return new StoreError('store_unreadable', `${path} is not a petstore shop.`);
  if (code.startsWith('SQLITE_CORRUPT'))
    return new StoreError('store_unreadable', `${path} is damaged; nothing was changed.`, { advice: 'Restore the latest backup.' });
  if (/^SQLITE_(TOOBIG|NOMEM)/.test(code))
    return new StoreError('store_unreadable', `${path} is damaged: a value in it is larger than the memory allows (${code}); nothing was changed.`, {
      details: { reason: 'inconsistent' },
    });
  if (isUnknownName(error))
    return new StoreError('store_unreadable', `${path} is damaged (${error.message}); nothing was changed.`, { advice: 'Restore the latest backup.' });
  if (isReservedBelowZero(error)) return reservedUnitsWrong(path);
  if (code.startsWith('SQLITE_IOERR'))
    return new StoreError('store_unreadable', `Reading or writing ${path} failed (${code}); nothing was changed.`, { advice: 'Check the disk.' });
  if (code.startsWith('SQLITE_CANTOPEN'))
    return new StoreError('store_unreadable', `${path} cannot be opened.`, { advice: 'Check the permissions of the file and of its folder.' });
  return error;
}
