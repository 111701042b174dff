import type { Engine } from '../engine.js';
import { createHash } from 'node:crypto';
import { StoreError } from '../../domain/errors.js';
import { batchState, type Batch, type BatchKey } from '../../domain/imports/batch.js';
import type { BatchDraft } from '../../domain/imports/batch-table.js';
import { baseName } from '../../domain/imports/file-name.js';
import { keptWarnings, type ImportReport } from '../../domain/imports/import-report.js';
import type { StockImportOptions } from '../../domain/imports/import-inventory.js';
import { refusesAll, type ImportOptions } from '../../domain/imports/import-options.js';
import type { RowError, RowWarning } from '../../domain/imports/row-error.js';
import { keyReused } from '../../domain/sender.js';
import { subjectOf } from '../../formats/fault.js';
import type { Queries, WriteQueries } from '../queries.js';
import { checkStillValid } from '../token-keeper.js';
import { readTransaction, writeTransaction } from '../transactions.js';
import type { Caller } from '../../domain/caller.js';
import type { WriteTransaction } from '../../domain/transaction.js';
import type { RefusedRows } from './refused-rows.js';
import { rowSet } from './row-set.js';
import { findKeyUse } from '../tables/replay-table.js';

/**
 * Waits until all commits that were read are durable. A read may see a commit that a synchronous standby does not have
 * yet. This makes a later commit: when the standby has that one, it has all earlier ones. Call it before reporting that a
 * change was made earlier.
 */
export async function confirmDurable(engine: Pick<Engine, 'write'>): Promise<void> {
  await engine.write(async () => undefined);
}

/** The refusal of a file that has more of something than one import takes. */
export function tooMany(most: number, what: string, name = 'standard input'): StoreError {
  return new StoreError('validation_failed', `${subjectOf(name)} has more than ${most} ${what}.`, { advice: 'Split it into several files.' });
}

/** Passes bytes through and hashes them; `sha256` is valid after the last chunk. */
export function hashed(bytes: AsyncIterable<Uint8Array>): { readonly bytes: AsyncIterable<Uint8Array>; readonly sha256: () => string } {
  const hash = createHash('sha256');
  return {
    bytes: (async function* pass() {
      for await (const chunk of bytes) {
        hash.update(chunk);
        yield chunk;
      }
    })(),
    sha256: () => hash.digest('hex'),
  };
}

/** The identity of a file that was read completely, by which a repeat is recognized. */
export interface FileIdentity extends BatchKey {
  readonly sha256: string;
}

/** The options that change the meaning of a file with the same bytes. */
export interface ReadingOptions extends Pick<StockImportOptions, 'encoding' | 'match'> {
  /** The renamed columns. */
  readonly map: ReadonlyMap<string, string>;
}

function readingText({ map, encoding = 'utf-8', match = 'id' }: ReadingOptions): string {
  const columns = [...map].toSorted(([left], [right]) => (left < right ? -1 : 1));
  return JSON.stringify([columns, encoding === 'latin1' ? 'windows-1252' : encoding, match]);
}

/** Identifies a file by the key of its sender, or else by the digest of its bytes and of its reading options. */
export function identifyFile(
  kind: Batch['kind'],
  sha256: string,
  reading: ReadingOptions,
  { key, caller }: { readonly key: string | undefined; readonly caller: Caller },
): FileIdentity {
  if (key !== undefined) return { kind, key, sender: caller, sha256 };
  return {
    kind,
    key: createHash('sha256')
      .update(`${sha256} ${readingText(reading)}`)
      .digest('hex'),
    sender: undefined,
    sha256,
  };
}

/** What an earlier import of the same file has left to do. */
export interface EarlierImport {
  /** The earlier batch, when nothing is left to do. */
  readonly complete: Batch | undefined;
  /** Whether the earlier import applied the row with this index. */
  readonly wasApplied: (rowIndex: number) => boolean;
  /** The batch of the earlier import. If it differs at commit time, a concurrent import of the same file was faster. */
  readonly batchId: number | undefined;
}

/** A file that is imported for the first time. */
const noEarlierImport: EarlierImport = { complete: undefined, wasApplied: () => false, batchId: undefined };

/**
 * Looks for an earlier import of a file. If it refused some rows, only those are tried again; after an undo the file needs
 * a new key. Refuses another file or request under the same key with `idempotency_key_reused`.
 */
async function findEarlierImport(queries: Queries, caller: Caller, file: FileIdentity): Promise<EarlierImport> {
  const { kind, key, sender, sha256 } = file;
  const use = sender && (await findKeyUse(queries, { key, sender, now: caller.clock() }));
  if (use && use.answer !== null) throw keyReused(key);
  const { batches } = readTransaction(queries, caller);
  const earlier = await batches.applied(file);
  if (earlier === undefined) return noEarlierImport;
  if (earlier.kind !== kind || earlier.sha256 !== sha256) {
    throw new StoreError('idempotency_key_reused', `The key "${key}" was used for another file, batch ${earlier.id} by ${earlier.actor} at ${earlier.at}.`, {
      advice: 'Use a new key for a new file.',
    });
  }
  const left = rowSet(earlier.state === 'undone' ? '' : await batches.refusedRows(earlier.id));
  return { complete: left.size() === 0 ? earlier : undefined, wasApplied: (rowIndex) => !left.has(rowIndex), batchId: earlier.id };
}

/** An import whose file was read. */
export interface ReadImport {
  readonly engine: Engine;
  readonly caller: Caller;
  readonly options: ImportOptions;
  /** Whether rows that an earlier import of the file applied are not applied again. */
  readonly appliesOnce: boolean;
  readonly file: FileIdentity;
  readonly total: number;
  readonly refused: RefusedRows;
}

/** What an earlier import has left of the file; everything where rows may be applied again. */
export async function earlierOf({ caller, file, appliesOnce }: ReadImport, queries: Queries): Promise<EarlierImport> {
  return appliesOnce ? findEarlierImport(queries, caller, file) : noEarlierImport;
}

/** Begins to apply an import inside its write transaction, with what an earlier import has left. */
export async function beginImport(read: ReadImport, queries: WriteQueries): Promise<{ readonly tx: WriteTransaction; readonly earlier: EarlierImport }> {
  const { caller, options } = read;
  await checkStillValid(queries, caller);
  const tx = writeTransaction(queries, { ...caller, source: 'import' }, { note: options.note });
  return { tx, earlier: await earlierOf(read, queries) };
}

/** What becomes of the rows that are not refused, and how many entries the ledger gets. */
export type RowCounts = Pick<ImportReport, 'applied' | 'unchanged' | 'alreadyApplied'> & Pick<BatchDraft, 'entries'>;

/** The counts of a batch and of its report: of a file that is refused as a whole no row is applied. */
function countsOf({ options, total, refused }: ReadImport, { applied, unchanged, entries }: RowCounts) {
  const rejected = refused.count();
  const done = refusesAll(options, rejected) ? { applied: 0, unchanged: 0, entries: 0 } : { applied, unchanged, entries };
  return { total, ...done, rejected };
}

/** Records the batch of an import, refused or not, and returns its id. */
export function recordBatch(tx: WriteTransaction, read: ReadImport, rows: RowCounts, errors: readonly RowError[]): Promise<number> {
  const { options, file, refused } = read;
  const counts = countsOf(read, rows);
  const state = batchState(counts.applied + counts.unchanged, counts.rejected);
  const draft = { ...file, state, mode: options.mode, fileName: baseName(options.fileName), ...counts };
  return tx.batches.insert(draft, errors, refused.rowIndexes().toText());
}

/** The report of an import; `more` is what only files of its kind have. */
export function reportOf(read: ReadImport, rows: RowCounts, batch: number | null, errors: readonly RowError[], more: Partial<ImportReport>): ImportReport {
  const { options, refused } = read;
  const { entries: _, ...counts } = countsOf(read, rows);
  const dryRun = options.dryRun === true;
  return {
    batch: dryRun ? null : batch,
    dryRun,
    mode: options.mode,
    ...counts,
    alreadyApplied: rows.alreadyApplied,
    ...(counts.rejected > 0 && refused.conflictsOnly() && { conflictsOnly: true }),
    ...more,
    errors,
    errorsOmitted: counts.rejected - errors.length,
  };
}

/** Collects what to check about rows that are not refused. */
export function rowWarnings() {
  const warnings: RowWarning[] = [];
  let count = 0;
  return {
    add: (warning: RowWarning | undefined): void => {
      if (warning === undefined) return;
      count += 1;
      if (warnings.length < keptWarnings) warnings.push(warning);
    },
    inReport: (): Pick<ImportReport, 'warnings' | 'warningsOmitted'> => (count === 0 ? {} : { warnings, warningsOmitted: count - warnings.length }),
  };
}

/** The report for a file that was applied before. */
export function repeatedReport(earlier: Batch, { mode, dryRun = false }: ImportOptions): ImportReport {
  const { id, total, actor, at, state } = earlier;
  const counts = { total, applied: 0, unchanged: 0, rejected: 0, alreadyApplied: total };
  return { batch: id, dryRun, mode, ...counts, earlier: { actor, at, ...(state === 'undone' && { undone: true as const }) }, errors: [], errorsOmitted: 0 };
}

/** From this number of rows on, the statistics of the planner are updated: until the database does that, lists would be slow. */
const manyRows = 10_000;

/** Updates the statistics of the planner after an import of many rows. */
export async function updateStatistics(engine: Engine, { applied, dryRun }: ImportReport): Promise<void> {
  if (applied >= manyRows && !dryRun) await engine.updateStatistics?.();
}
