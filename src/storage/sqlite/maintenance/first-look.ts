import type Database from 'better-sqlite3';
import { spawnSync } from 'node:child_process';
import { statSync } from 'node:fs';
import { StoreError } from '../../../domain/errors.js';
import { longestText } from '../connection.js';
import { isSqliteError } from '../errors.js';
import { numberPragma, schemaVersionOf } from '../migrate.js';
import { statIfExists } from '../shop-file.js';
import { unsafeObjects } from '../schema.js';
import { withFile, type FileAccess } from './shop-state.js';

/** The condition that a row of a table has a huge text. Only the length of a text is read. */
const conditions = `SELECT s.name AS "table", group_concat(format('octet_length("%w") > ${longestText}', c.name), ' OR ') AS condition
  FROM sqlite_schema s JOIN pragma_table_info(s.name) c WHERE s.type = 'table'
  GROUP BY s.name`;

function problemIn(database: Database.Database, path: string, { driver }: FileAccess): string | undefined {
  if (!database.inTransaction) database.exec('BEGIN');
  if (schemaVersionOf(database, path) === 0) return undefined;
  // A tree that uses pages more than once has a row here for each use; this ends after as many rows as the file has pages.
  const isRepeated = database.prepare('SELECT 1 FROM dbstat LIMIT 1 OFFSET ?').get(numberPragma(database, 'page_count')) !== undefined;
  if (isRepeated) return 'some of its pages are used more than once';
  if (unsafeObjects(database, driver, 'reading').length > 0) return undefined;
  const tables = database.prepare<[], Readonly<{ table: string; condition: string }>>(conditions).all();
  const isHuge = ({ table, condition }: (typeof tables)[number]): boolean =>
    database.prepare(`SELECT 1 FROM "${table.replaceAll('"', '""')}" WHERE ${condition}`).get() !== undefined;
  const huge = tables.find(isHuge);
  return huge && `a row of ${huge.table} has a text of more than ${longestText / 2 ** 20} MiB`;
}

/** What makes reading a file take all time or memory, undefined without such. Any other problem is left to what reads it next. */
export async function findProblem(path: string, access: FileAccess): Promise<string | undefined> {
  try {
    return await withFile(path, access, (database) => problemIn(database, path, access));
  } catch (error) {
    if (error instanceof StoreError || isSqliteError(error)) return undefined;
    throw error;
  }
}

// As long as a slow disk takes to be read.
const bytesPerSecond = 4 * 2 ** 20;

/** The same by a process of its own, since nothing else ends SQLite in the middle of a statement. */
function askProcess(
  [program = '', ...words]: readonly string[],
  path: string,
  { waitSeconds, nativeBinding }: FileAccess,
  deadlineSeconds: number,
): string | undefined {
  const size = [path, `${path}-wal`].reduce((sum, file) => sum + (statSync(file, { throwIfNoEntry: false })?.size ?? 0), 0);
  const seconds = Math.ceil(deadlineSeconds + waitSeconds + size / bytesPerSecond);
  const { stdout, status, signal, error } = spawnSync(program, [...words, JSON.stringify({ path, waitSeconds, nativeBinding })], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
    timeout: seconds * 1000,
    killSignal: 'SIGKILL',
  });
  if ((error as NodeJS.ErrnoException | undefined)?.code === 'ETIMEDOUT') return `it could not be read within ${seconds} s`;
  if (status !== 0) return `reading it ended with ${signal ?? `exit code ${status}`}`;
  return stdout === '' ? undefined : stdout;
}

/**
 * Looks at a file from elsewhere before it is read: refuses one that was made to take all time or memory with
 * `store_unreadable`. Takes up to `deadlineSeconds` and the time that its size needs.
 */
export async function lookFirst(path: string, access: FileAccess, deadlineSeconds = 30): Promise<void> {
  if (statIfExists(path)?.isFile() !== true) return;
  const { lookCommand } = access;
  const problem = lookCommand === undefined ? await findProblem(path, access) : askProcess(lookCommand, path, access, deadlineSeconds);
  if (problem !== undefined) throw new StoreError('store_unreadable', `${path} is damaged: ${problem}; nothing was changed.`);
}
