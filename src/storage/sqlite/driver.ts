import type Database from 'better-sqlite3';
import { StoreError } from '../../domain/errors.js';

/**
 * better-sqlite3 in the version that a native part belongs to. 12 is the last that runs on Node 20; compiled for Node
 * 24.19 or a later 24, it ends the process when a statement is collected, and 13 does not.
 */
export async function driverFor(nativeBinding: string | undefined): Promise<typeof Database> {
  const { default: driver } = nativeBinding?.includes('better-sqlite3-13') === true ? await import('better-sqlite3-13') : await import('better-sqlite3');
  return driver;
}

/** Opens a file that is there; `internal_error` where the native part is missing or belongs to another Node. */
export function openFile(
  driver: typeof Database,
  path: string,
  options: { readonly readonly?: boolean; readonly timeout: number },
  nativeBinding: string | undefined,
): Database.Database {
  try {
    return new driver(path, { ...options, fileMustExist: true, ...(nativeBinding !== undefined && { nativeBinding }) });
  } catch (error) {
    // Where no place is known, the package looks in many, and says which in its error.
    const { code, tries } = error as { readonly code?: unknown; readonly tries?: unknown };
    if (code !== 'MODULE_NOT_FOUND' && code !== 'ERR_DLOPEN_FAILED' && tries === undefined) throw error;
    throw new StoreError(
      'internal_error',
      'The compiled part of better-sqlite3 is missing, or was made for another version of Node.',
      'Install petstore again with this Node, where the install script of better-sqlite3 may run.',
    );
  }
}
