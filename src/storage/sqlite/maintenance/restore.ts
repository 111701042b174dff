import { migrate } from '../migrate.js';
import type Database from 'better-sqlite3';
import { chmodSync, copyFileSync, lstatSync, readFileSync, realpathSync, renameSync, rmSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { StoreError } from '../../../domain/errors.js';
import type { RestorePlan, RestoreReport, RestoreRequest, ShopState } from '../../../domain/maintenance/maintenance.js';
import { pluralize } from '../../../domain/values/text.js';
import { formatDateTime } from '../../../domain/values/time.js';
import type { Caller } from '../../../domain/caller.js';
import { columnsOf, schemaVersion, type Column } from '../../migrations/migrations.js';
import type { Cell } from '../../queries.js';
import { pauseAllHooks } from '../../tables/hook-table.js';
import { manifestOf } from './backup.js';
import { connect, insertRows, queriesOf } from '../connection.js';
import { retryWhileBusy } from '../retry.js';
import { isSameFile, copyOwner, privateFile, moveIntoPlace, realPath, syncToDisk, sha256Of } from './files.js';
import { createFile, statIfExists } from '../shop-file.js';
import { isDamaged, isSqliteError } from '../errors.js';
import { damageIn, matchPageSize, refuseUnrestorable, stateOf, withFile, writingTo, type FileAccess } from './shop-state.js';
import { withWorkFolder } from './work-folder.js';
import { makeFolder } from '../../../system.js';

/** How files are opened for a restore, and who restores. */
export interface RestoreContext extends FileAccess, Pick<Caller, 'actor' | 'clock'> {}

const everyPage = 0x7fffffff;

const otherBackup = { advice: 'Use another backup.' };

// Enough for a SHA-256, its separators and a file name of 255 bytes.
const manifestBytes = 1024;

/** Compares a backup with its .sha256 file; returns whether there is one. */
async function checkManifest(file: string): Promise<boolean> {
  const manifest = manifestOf(file);
  const status = statSync(manifest, { throwIfNoEntry: false });
  if (status === undefined) return false;
  if (!status.isFile()) throw new StoreError('store_unreadable', `${manifest} is not a file, so ${file} cannot be checked.`, otherBackup);
  const expected = /^\\?([0-9a-f]{64}) [ *]/i.exec(status.size > manifestBytes ? '' : readFileSync(manifest, 'latin1'))?.[1]?.toLowerCase();
  const found = await sha256Of(file);
  if (found === expected) return true;
  throw new StoreError(
    'store_unreadable',
    expected === undefined
      ? `${manifest} contains no SHA-256, so ${file} cannot be checked.`
      : `${file} has changed since it was written: its SHA-256 is ${found.slice(0, 12)}…, and ${manifest} says ${expected.slice(0, 12)}….`,
    otherBackup,
  );
}

/** The state of a backup; refuses a file that is not a shop, is damaged, or has a foreign schema. */
async function backupState(file: string, access: FileAccess): Promise<ShopState> {
  return withFile(file, access, (database) => {
    refuseUnrestorable(database, file, access, otherBackup);
    const state = stateOf(database, file);
    if (state === undefined) throw new StoreError('store_unreadable', `${file} is empty, not a backup of a shop.`);
    return state;
  });
}

async function presentState(store: string, access: FileAccess): Promise<RestorePlan['present']> {
  const found = statIfExists(store);
  if (found === undefined && lstatSync(store, { throwIfNoEntry: false }) !== undefined)
    throw new StoreError('store_unreadable', `${store} is a link to a file that does not exist.`, {
      advice: 'Remove the link, or choose another path with --store <path>.',
    });
  if (found === undefined) return 'missing';
  if (!found.isFile()) throw new StoreError('store_unreadable', `${store} is not a file.`, { details: { reason: 'unusable_path' } });
  return withFile(store, access, (database) => {
    try {
      return stateOf(database, store) ?? 'missing';
    } catch (error) {
      if (isDamaged(error)) return 'damaged';
      throw error;
    }
  });
}

function checkSource(store: string, file: string): void {
  const found = statSync(file, { throwIfNoEntry: false });
  const isShop = statIfExists(store) !== undefined && isSameFile(store, file);
  const problem = found === undefined ? 'does not exist' : !found.isFile() ? 'is not a file' : isShop ? 'is the shop itself' : undefined;
  if (problem !== undefined) throw new StoreError('usage', `${file} ${problem}.`, { advice: 'Give a file written by petstore backup.' });
}

/** Copies all pages of a file in one step, which is a consistent snapshot. */
async function copyPages(from: Database.Database, to: string): Promise<void> {
  const { totalPages } = await from.backup(to, { progress: () => everyPage });
  refuseSkippedFile(totalPages);
}

/** Better-sqlite3 reports a locked file as a finished backup of 0 pages; `retryWhileBusy` tries again on this error. */
function refuseSkippedFile(pages: number): void {
  if (pages === 0) throw Object.assign(new Error('locked'), { code: 'SQLITE_BUSY' });
}

/** Overwrites all pages of a file in one transaction; `locked` runs while the write lock is held. Other processes see the old or the new content. */
async function overwrite(from: Database.Database, to: string, waitSeconds: number, locked: () => Promise<void>): Promise<void> {
  await retryWhileBusy(to, waitSeconds, async () => {
    let [begun, ready] = [false, false];
    let failure: unknown;
    const { totalPages } = await from.backup(to, {
      // The first step only takes the lock.
      progress: () => {
        if (!begun) {
          begun = true;
          locked().then(
            () => (ready = true),
            (error: unknown) => (failure = error),
          );
        }
        if (failure !== undefined) throw failure;
        return ready ? everyPage : 0;
      },
    });
    refuseSkippedFile(totalPages);
  });
}

/** The safety copy, the ledger entry and the revoked tokens of a restore. */
type Outcome = Pick<RestoreReport, 'safety' | 'entry' | 'revoked'>;

/** An unused name for the safety copy. */
function safetyName(store: string, clock: () => number): string {
  const stamp = formatDateTime(clock()).replaceAll(/[-:]|\.\d+/g, '');
  for (let count = 1; ; count += 1) {
    const name = `${store}.before-restore-${stamp}${count === 1 ? '' : `-${count}`}`;
    if (statSync(name, { throwIfNoEntry: false }) === undefined) return name;
  }
}

/** Moves the restored pages from the log into the file. Errors of SQLite are ignored, because the restore is already committed. */
function checkpointLog(live: Database.Database): void {
  try {
    live.pragma('wal_checkpoint(TRUNCATE)');
  } catch (error) {
    if (!isSqliteError(error)) throw error;
  }
}

type TokenRow = Readonly<Record<Column<'tokens'>, Cell>>;

/** The tokens of a shop; none when it is missing or damaged. */
function tokensOf(database: Database.Database | undefined): readonly TokenRow[] {
  try {
    return database?.prepare<[], TokenRow>('SELECT * FROM tokens').all() ?? [];
  } catch (error) {
    if (isDamaged(error)) return [];
    throw error;
  }
}

/**
 * Makes the tokens of the present shop those of the restored one, so that revoked tokens stay revoked and tokens created after the
 * backup stay valid. A token only in the backup may have been revoked since, so it is revoked; all are, when the present shop is
 * missing, damaged or another shop. Returns the names of the tokens it revoked.
 */
async function mergeTokens(present: Database.Database | undefined, restored: Database.Database, now: number): Promise<readonly string[]> {
  const rows = tokensOf(present);
  const known = new Set(rows.map(({ digest }) => digest));
  const revoked = tokensOf(restored).filter(({ digest, revoked_at: revokedAt }) => revokedAt === null && !known.has(digest));
  restored.prepare('UPDATE tokens SET revoked_at = max(?, created_at) WHERE revoked_at IS NULL').run(now);
  // By digest, because a manipulated backup may contain a token twice, or under another id.
  const remove = restored.prepare('DELETE FROM tokens WHERE digest = ? OR id = ?');
  for (const { digest, id } of rows) remove.run(digest, id);
  const columns = columnsOf('tokens');
  const cellsOf = (row: TokenRow): readonly Cell[] => (Object.keys(columns) as Column<'tokens'>[]).map((column) => row[column]);
  await insertRows(queriesOf(restored), { name: 'tokens', columns }, rows.map(cellsOf));
  // Sessions refer to tokens by id, and some may have ended since the backup.
  restored.exec('DELETE FROM sessions');
  return revoked.map(({ name }) => String(name));
}

/**
 * Prepares the content of a backup to replace the shop: its tokens, its webhooks, and an entry in its ledger, whose id is greater
 * than all ids ever used, because versions (ETags) are entry ids and must not repeat.
 */
async function prepare(
  restored: Database.Database,
  { backup }: RestorePlan,
  { present, newest }: { readonly present: Database.Database | undefined; readonly newest: number },
  { actor, clock }: RestoreContext,
): Promise<Pick<RestoreReport, 'entry' | 'revoked'>> {
  const revoked = await mergeTokens(present, restored, clock());
  // A backup may be old or manipulated: the owner decides which hooks send again.
  await pauseAllHooks(queriesOf(restored), 'The shop was restored.');
  const entry = Math.max(newest, backup.newestEntry) + 1;
  const at = Math.max(clock(), backup.newestAt === undefined ? 0 : Date.parse(backup.newestAt));
  const replaced = newest > 0 ? `; replaced a shop at entry ${newest}` : '';
  const revocations = revoked.length > 0 ? `; ${pluralize(revoked.length, 'token')} revoked` : '';
  const note = `backup up to entry ${backup.newestEntry}${backup.newestAt === undefined ? '' : ` of ${backup.newestAt}`}${replaced}${revocations}`;
  restored.prepare("INSERT INTO ledger (id, kind, at, actor, source, note) VALUES (?, 'shop.restored', ?, ?, 'cli', ?)").run(entry, at, actor, note);
  return { entry, revoked };
}

/** Overwrites the present shop. The safety copy is made under the write lock, so it has every change made before the restore. */
async function restoreOver(restored: Database.Database, plan: RestorePlan, folder: string, options: RestoreContext): Promise<Outcome> {
  const { store } = plan;
  const real = realpathSync(store);
  const live = await retryWhileBusy(store, options.waitSeconds, () => connect(options.driver, real, false));
  try {
    await retryWhileBusy(store, options.waitSeconds, () => live.pragma('journal_mode = WAL'));
    matchPageSize(restored, live);
    let outcome: Outcome = { safety: undefined, entry: undefined, revoked: [] };
    await overwrite(restored, real, options.waitSeconds, async () => {
      const state = stateOf(live, store);
      let safety: string | undefined;
      if (state) {
        const copy = privateFile(join(folder, 'safety'));
        await copyPages(live, copy);
        // The safety copy must not need a log file. That of a damaged shop may fail here and stays as it is.
        const kept = connect(options.driver, copy, false);
        try {
          kept.pragma('journal_mode = DELETE');
        } catch (error) {
          if (!isDamaged(error)) throw error;
        } finally {
          kept.close();
        }
        copyOwner(copy, real);
        syncToDisk(copy);
        safety = safetyName(real, options.clock);
        moveIntoPlace(copy, safety, false);
        syncToDisk(dirname(safety));
      }
      outcome = { safety, ...(await prepare(restored, plan, { present: state && live, newest: state?.newestEntry ?? 0 }, options)) };
    });
    checkpointLog(live);
    return outcome;
  } finally {
    live.close();
  }
}

/** Replaces a damaged file, which SQLite cannot write; it is kept as the safety copy. */
async function replaceFile(restored: Database.Database, plan: RestorePlan, made: string, options: RestoreContext): Promise<Outcome> {
  const prepared = await prepare(restored, plan, { present: undefined, newest: 0 }, options);
  restored.close();
  syncToDisk(made);
  const real = realpathSync(plan.store);
  const safety = safetyName(real, options.clock);
  copyOwner(made, real);
  for (const suffix of ['', '-wal']) {
    if (statSync(`${real}${suffix}`, { throwIfNoEntry: false }) === undefined) continue;
    copyFileSync(`${real}${suffix}`, `${safety}${suffix}`);
    chmodSync(`${safety}${suffix}`, 0o600);
    copyOwner(`${safety}${suffix}`, real);
    syncToDisk(`${safety}${suffix}`);
  }
  syncToDisk(dirname(real));
  for (const suffix of ['-wal', '-shm']) rmSync(`${real}${suffix}`, { force: true });
  renameSync(made, real);
  syncToDisk(dirname(real));
  return { safety, ...prepared };
}

async function performRestore(plan: RestorePlan, options: RestoreContext): Promise<RestoreReport> {
  const { store, file, present } = plan;
  makeFolder(dirname(store));
  return withWorkFolder(realPath(store), async (folder) => {
    const made = privateFile(join(folder, 'restored'));
    await withFile(file, options, (database) => writingTo(store, () => copyPages(database, made)));
    const restored = connect(options.driver, made, false);
    try {
      // The backup may have been replaced since it was checked.
      refuseUnrestorable(restored, file, options, otherBackup);
      // Migrated first, because processes that have the shop open must not see an older schema.
      if (plan.backup.schemaVersion < schemaVersion()) await migrate(restored, file, options.waitSeconds);
      restored.pragma('journal_mode = WAL');
      // SQLite would apply the log of a file that no longer exists to the new file.
      if (createFile(store)) for (const suffix of ['-wal', '-shm']) rmSync(`${store}${suffix}`, { force: true });
      const outcome = await (present === 'damaged' ? replaceFile(restored, plan, made, options) : restoreOver(restored, plan, folder, options));
      const [damage] = await withFile(store, options, (database) => damageIn(database));
      if (damage === undefined) return { ...plan, restored: true, ...outcome };
      throw new StoreError('store_unreadable', `${store} was restored, but is damaged: ${damage}.`, { advice: 'Check the disk and the memory.' });
    } finally {
      restored.close();
    }
  });
}

/**
 * Restores a shop from a backup. The file keeps its inode, so running processes see the shop either before or after the
 * restore, also when the restore is killed. The previous shop is kept as a safety copy. Refuses a damaged or
 * foreign backup with `store_unreadable`, and a newer one with `schema_too_new`.
 */
export async function restoreFile(store: string, { file, dryRun, confirm }: RestoreRequest, options: RestoreContext): Promise<RestoreReport> {
  checkSource(store, file);
  const checked = await checkManifest(file);
  const plan: RestorePlan = { store, file, backup: await backupState(file, options), present: await presentState(store, options), checked };
  if (plan.present !== 'missing') await confirm(plan);
  if (dryRun) return { ...plan, restored: false, safety: undefined, entry: undefined, revoked: [] };
  return performRestore(plan, options);
}
