import { schemaVersionOf } from '../migrate.js';
import type Database from 'better-sqlite3';
import { StoreError } from '../../../domain/errors.js';
import type { Check, DoctorReport, DoctorRequest } from '../../../domain/maintenance/maintenance.js';
import { checkRules } from '../../maintenance/check-rules.js';
import { checkAndRepair } from '../../maintenance/repairs.js';
import { schemaVersion } from '../../migrations/migrations.js';
import { connect, queriesOf } from '../connection.js';
import { checkFile, checkWritableFile } from '../shop-file.js';
import { retryWhileBusy } from '../retry.js';
import { explain, isSqliteError, isNotOpened } from '../errors.js';
import { repairFile } from './repair.js';
import { isRepairable, isUnsafe, problemsIn, schemaDifference, unsafeObjects, type SchemaObject } from '../schema.js';
import { brokenChecksIn, damageIn, danglingReferencesIn, stateOf, withFile, type FileAccess } from './shop-state.js';
import { checkSurroundings } from './file-checks.js';

/** How a shop is opened for checks. */
export interface DoctorContext extends FileAccess {
  readonly clock: () => number;
}

const shownProblems = 3;

/** Fails with the first of what was found, in a sentence. */
function checkOf(name: string, holds: string, found: readonly string[], sentence: (problems: string) => string): Check {
  if (found.length === 0) return { name, status: 'pass', message: holds };
  const more = found.length > shownProblems ? ` and ${found.length - shownProblems} more` : '';
  return { name, status: 'fail', message: sentence(`${found.slice(0, shownProblems).join('; ')}${more}`) };
}

function integrity(database: Database.Database): Check {
  return checkOf('integrity', 'The file is not damaged.', damageIn(database, shownProblems), (text) => `The file is damaged: ${text}. Restore a backup.`);
}

function foreignKeys(database: Database.Database): Check {
  return checkOf('foreign keys', 'All foreign keys are valid.', danglingReferencesIn(database, shownProblems), (text) => `${text}.`);
}

function values(database: Database.Database): Check {
  const holds = 'All rows have values that their tables allow.';
  return checkOf('values', holds, brokenChecksIn(database), (text) => `${text}. Backups and restores refuse this.`);
}

function version(found: number): Check {
  const isNewest = found === schemaVersion();
  return {
    name: 'schema version',
    status: isNewest ? 'pass' : 'warn',
    message: isNewest ? `Version ${found}, the newest.` : `Version ${found}; the next command that opens the shop upgrades it to ${schemaVersion()}.`,
  };
}

function schema(database: Database.Database, { driver }: FileAccess): Check {
  const { missing, changed, foreign } = schemaDifference(database, driver);
  const [harmful, harmless] = [foreign.filter(isUnsafe), foreign.filter((object) => !isUnsafe(object))];
  const problems = problemsIn({ missing, changed, foreign: harmful });
  // The rows of a lost table cannot be recreated.
  const advice = [...missing, ...changed, ...harmful].every(isRepairable) ? '; --repair fixes this.' : '. Restore a backup.';
  if (problems.length > 0) return { name: 'schema', status: 'fail', message: `${problems.join('; ')}${advice}` };
  const warnings = problemsIn({ missing: [], changed: [], foreign: harmless });
  if (warnings.length > 0)
    return { name: 'schema', status: 'warn', message: `${warnings.join('; ')}; drop it with SQL: backups, copies and restores refuse it.` };
  return { name: 'schema', status: 'pass', message: 'All tables, indexes and triggers are as created by petstore.' };
}

const clockToleranceMs = 5 * 60_000;

function clockCheck(database: Database.Database, store: string, now: number): Check {
  const newest = stateOf(database, store)?.newestAt;
  const aheadMs = newest === undefined ? 0 : Date.parse(newest) - now;
  if (aheadMs <= clockToleranceMs) return { name: 'clock', status: 'pass', message: 'The clock of this machine is not behind the ledger.' };
  return { name: 'clock', status: 'warn', message: `The newest ledger entry is dated ${newest}, which is in the future: the clock is or was wrong.` };
}

/** Checks an open shop on one snapshot. */
async function checkContents(database: Database.Database, store: string, options: DoctorContext): Promise<readonly Check[]> {
  const describe = (error: unknown): string => {
    const known = explain(error, store);
    if (known instanceof StoreError) return `The check failed: ${known.message}`;
    throw error;
  };
  const attempted = (name: string, look: () => Check): Check => {
    try {
      return look();
    } catch (error) {
      return { name, status: 'fail', message: describe(error) };
    }
  };
  if (!database.inTransaction) database.exec('BEGIN');
  const found = schemaVersionOf(database, store);
  if (found === 0) throw new StoreError('store_missing', `${store} is empty; no shop was set up in it.`);
  let unsafe: readonly SchemaObject[] = [];
  const schemaCheck = attempted('schema', () => {
    unsafe = unsafeObjects(database, options.driver);
    return schema(database, options);
  });
  if (unsafe.length > 0) {
    const message = `${schemaCheck.message} The other checks of the contents were left out: they would run code that petstore did not create.`;
    return [version(found), { ...schemaCheck, status: 'fail', message }];
  }
  return [
    attempted('integrity', () => integrity(database)),
    attempted('foreign keys', () => foreignKeys(database)),
    attempted('values', () => values(database)),
    version(found),
    schemaCheck,
    ...(await checkRules(queriesOf(database), describe)),
    attempted('clock', () => clockCheck(database, store, options.clock())),
  ];
}

/** Runs all checks. A file that cannot be opened is a failed check; refuses a missing file, and one of a newer version. */
async function examine(store: string, options: DoctorContext): Promise<readonly Check[]> {
  checkFile(store);
  const around = checkSurroundings(store);
  try {
    return [...(await withFile(store, options, (database) => checkContents(database, store, options))), ...around];
  } catch (error) {
    if (!(error instanceof StoreError) || error.code !== 'store_unreadable') throw error;
    // Missing permissions are not damage; no backup helps.
    if (isNotOpened(error)) return [{ name: 'access', status: 'fail', message: `${error.message} ${error.advice ?? ''}`.trim() }, ...around];
    return [{ name: 'integrity', status: 'fail', message: `${error.message.replace('; nothing was changed', '')} Restore a backup.` }, ...around];
  }
}

/** Turns an SQLite error during a repair into `store_unreadable`, for example rows that violate a unique index. */
async function guardRepair<T>(store: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!isSqliteError(error)) throw error;
    throw new StoreError('store_unreadable', `${store} cannot be repaired (${(error as Error).message}); nothing was changed.`, {
      details: { reason: 'not_repairable' },
    });
  }
}

/** Checks a shop, and repairs it on request; refuses to repair a damaged file with `store_unreadable`. */
export function checkShopFile(store: string, request: DoctorRequest, options: DoctorContext): Promise<DoctorReport> {
  const repair = async (found: readonly Check[], isDryRun: boolean): Promise<readonly string[]> => {
    const damage = found.find(({ name, status }) => name === 'integrity' && status === 'fail');
    if (damage)
      throw new StoreError('store_unreadable', `${store} is damaged and was not changed. ${damage.message}`, { details: { reason: 'not_repairable' } });
    // BEGIN IMMEDIATE does not fail on a file that may only be read.
    if (!request.dryRun) checkWritableFile(store);
    const database = await retryWhileBusy(store, options.waitSeconds, () => connect(options.driver, store, false));
    try {
      return await guardRepair(store, () => retryWhileBusy(store, options.waitSeconds, () => repairFile(database, store, options, isDryRun)));
    } finally {
      database.close();
    }
  };
  return checkAndRepair(request, () => examine(store, options), repair);
}
