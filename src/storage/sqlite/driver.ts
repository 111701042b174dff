import type Database from 'better-sqlite3';
import { StoreError } from '../../domain/errors.js';

/** better-sqlite3 with the native part that belongs to it. */
export interface Driver {
  /** Opens a file that is there; `internal_error` where the native part is missing or belongs to another Node. */
  readonly open: (path: string, options: { readonly readonly?: boolean; readonly timeout: number }) => Database.Database;
  /** Opens a database that is in memory alone. */
  readonly inMemory: () => Database.Database;
}

/**
 * better-sqlite3 in the version that a native part belongs to. 12 is the last that runs on Node 20; compiled for Node
 * 24.19 or a later 24, it ends the process when a statement is collected, and 13 does not.
 */
export async function driverFor(nativeBinding: string | undefined): Promise<Driver> {
  const { default: Opened } = nativeBinding?.includes('better-sqlite3-13') === true ? await import('better-sqlite3-13') : await import('better-sqlite3');
  const native = nativeBinding === undefined ? {} : { nativeBinding };
  return {
    inMemory: () => new Opened(':memory:', native),
    open: (path, options) => {
      try {
        return new Opened(path, { ...options, fileMustExist: true, ...native });
      } catch (error) {
        throw isMissing(error) ? noNativePart() : error;
      }
    },
  };
}

/** Whether the native part was not found; where no place is known, the package looks in many, and says which in its error. */
function isMissing(error: unknown): boolean {
  const { code, tries } = error as { readonly code?: unknown; readonly tries?: unknown };
  return code === 'MODULE_NOT_FOUND' || code === 'ERR_DLOPEN_FAILED' || tries !== undefined;
}

function noNativePart(): StoreError {
  return new StoreError('internal_error', 'The compiled part of better-sqlite3 is missing, or was built for another version of Node.', {
    advice: 'Reinstall petstore with this version of Node, and let the install script of better-sqlite3 run.',
  });
}
