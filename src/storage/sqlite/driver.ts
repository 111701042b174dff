import type Database from 'better-sqlite3';
import { StoreError } from '../../domain/errors.js';

/** A version of better-sqlite3 with its native addon. */
export interface Driver {
  /** Opens an existing file. Refuses with `internal_error` when the native addon is missing or was built for another version of Node. */
  readonly open: (path: string, options: { readonly readonly?: boolean; readonly timeout: number }) => Database.Database;
  /** Opens an empty database in memory. */
  readonly inMemory: () => Database.Database;
  /** The version of SQLite. */
  readonly version: () => string;
}

/**
 * Loads the version of better-sqlite3 that a native addon was built for. Version 13 needs Node 22.14; version 12 is for older ones.
 * On Node 24.19 and later 24.x version 12 crashes when a statement is garbage-collected; version 13 does not.
 */
export async function driverFor(nativeBinding: string | undefined): Promise<Driver> {
  const { default: Sqlite } = nativeBinding?.includes('better-sqlite3-13') === true ? await import('better-sqlite3-13') : await import('better-sqlite3');
  const native = nativeBinding === undefined ? {} : { nativeBinding };
  const opened = (path: string, options: Database.Options): Database.Database => {
    try {
      return new Sqlite(path, { ...options, ...native });
    } catch (error) {
      throw isAddonMissing(error) ? addonMissing() : error;
    }
  };
  return {
    inMemory: () => opened(':memory:', {}),
    open: (path, options) => opened(path, { ...options, fileMustExist: true }),
    version: () => {
      const db = opened(':memory:', {});
      try {
        return db.prepare<[], string>('SELECT sqlite_version()').pluck().get() as string;
      } finally {
        db.close();
      }
    },
  };
}

/** Whether the native addon was not found or could not be loaded. Without `nativeBinding` the error lists the searched paths in `tries`. */
function isAddonMissing(error: unknown): boolean {
  const { code, tries } = error as { readonly code?: unknown; readonly tries?: unknown };
  return code === 'MODULE_NOT_FOUND' || code === 'ERR_DLOPEN_FAILED' || tries !== undefined;
}

/** Downloads or compiles version 12, also where npm runs no install scripts by default. */
const rebuildCommand = 'npm rebuild --global --ignore-scripts=false --allow-scripts=better-sqlite3 better-sqlite3';

function addonMissing(): StoreError {
  return new StoreError('internal_error', 'The compiled part of better-sqlite3 is missing, or was built for another version of Node.', {
    advice: `Build it with "${rebuildCommand}", or use Node 22.14 or later.`,
  });
}
