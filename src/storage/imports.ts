import { createHash } from 'node:crypto';
import type { FileRow } from '../domain/cells.js';
import { StoreError } from '../domain/errors.js';
import type { Batch, FileFacts, ImportFile, ImportOptions, ImportReport, RowError } from '../domain/imports.js';
import { checkPetRow, importPets, petColumns, type PetImportOptions } from '../domain/pet-imports.js';
import { checkStockRow, importStock, stockColumns, type StockImportOptions } from '../domain/stock-imports.js';
import type { Writing } from '../domain/transaction.js';
import { openRows, type Row, type RowFile, type RowOptions } from '../formats/reader.js';
import type { Engine } from './engine.js';
import { writingOf, type Worker } from './local.js';

type Columns = Pick<RowOptions, 'columns' | 'required' | 'ignored' | 'unknownColumns'>;

interface ReadFile<Draft> {
  readonly file: RowFile;
  readonly sha256: string;
  readonly checked: readonly (Draft | RowError)[];
  readonly originals: ReadonlyMap<number, Row>;
}

async function* hashed(bytes: AsyncIterable<Uint8Array>, hash: { update: (chunk: Uint8Array) => unknown }): AsyncIterable<Uint8Array> {
  for await (const chunk of bytes) {
    hash.update(chunk);
    yield chunk;
  }
}

async function readFile<Draft>({ bytes, ...source }: ImportFile, columns: Columns, check: (row: FileRow) => Draft | RowError): Promise<ReadFile<Draft>> {
  const hash = createHash('sha256');
  const file = await openRows(hashed(bytes, hash), { ...source, ...columns });
  const checked: (Draft | RowError)[] = [];
  const originals = new Map<number, Row>();
  for await (const rows of file.chunks()) {
    for (const row of rows) {
      checked.push(check(row));
      originals.set(row.line, row);
    }
  }
  return { file, sha256: hash.digest('hex'), checked, originals };
}

/** The identity of a run: the caller's key, or the digest of the file and of the meaning given to its columns. */
function keyOf(sha256: string, map: ReadonlyMap<string, string>, key: string | undefined): string {
  if (key !== undefined) return key;
  const meaning = JSON.stringify([...map].toSorted(([left], [right]) => (left < right ? -1 : 1)));
  return createHash('sha256').update(`${sha256} ${meaning}`).digest('hex');
}

async function factsOf<Draft>(
  tx: Writing,
  kind: Batch['kind'],
  key: string,
  { file, sha256, originals }: ReadFile<Draft>,
): Promise<FileFacts & { readonly earlier?: Batch }> {
  const earlier = await tx.batches.applied(kind, key);
  if (earlier !== undefined && earlier.sha256 !== sha256) {
    throw new StoreError(
      'idempotency_key_reused',
      `The key "${key}" was used for another file, batch ${earlier.id} by ${earlier.actor} at ${earlier.at}.`,
      'A new file takes a new key.',
    );
  }
  const retried = earlier && earlier.state !== 'undone' ? await tx.batches.refusedLines(earlier.id) : new Set<number>();
  return {
    key,
    sha256,
    alreadyApplied: (line) => earlier !== undefined && !retried.has(line),
    original: (line) => {
      const row = originals.get(line);
      return row && { format: file.format, header: file.header, original: row.original };
    },
    ...(earlier && retried.size === 0 && { earlier }),
  };
}

function repeated(earlier: Batch, { mode, dryRun = false }: ImportOptions): ImportReport {
  const { id, total, actor, at } = earlier;
  const counts = { total, applied: 0, unchanged: 0, rejected: 0, alreadyApplied: total };
  return { batch: id, dryRun, mode, ...counts, earlier: { actor, at }, errors: [], errorsOmitted: 0 };
}

async function run<Draft, Options extends ImportOptions>(
  engine: Engine,
  worker: Worker,
  { kind, read, key }: { readonly kind: Batch['kind']; readonly read: ReadFile<Draft>; readonly key: string },
  options: Options,
  apply: (tx: Writing, rows: readonly (Draft | RowError)[], facts: FileFacts, options: Options) => Promise<ImportReport>,
): Promise<ImportReport> {
  if (read.file.unknown.length > 0) options.onIgnored?.(read.file.unknown);
  return engine.write(async (queries) => {
    const tx = await writingOf(queries, { ...worker, source: 'import' }, { note: options.note });
    const facts = await factsOf(tx, kind, key, read);
    if (facts.earlier) return repeated(facts.earlier, options);
    return apply(tx, read.checked, facts, options);
  }, options.dryRun !== true);
}

/** Creates the pets of a file in one transaction. */
export async function importPetFile(engine: Engine, worker: Worker, file: ImportFile, options: PetImportOptions): Promise<ImportReport> {
  const read = await readFile(
    file,
    { columns: petColumns, required: ['name', 'category'], ignored: ['id', 'categoryId'], unknownColumns: 'ignore' },
    checkPetRow,
  );
  return run(engine, worker, { kind: 'pets', read, key: keyOf(read.sha256, file.map, options.key) }, options, importPets);
}

/** Applies a file of stock figures in one transaction. */
export async function importStockFile(engine: Engine, worker: Worker, file: ImportFile, options: StockImportOptions): Promise<ImportReport> {
  const columns: Columns = { columns: stockColumns, required: ['petId'], ignored: ['name', 'category', 'status', 'promised'], unknownColumns: 'refuse' };
  const read = await readFile(file, columns, checkStockRow);
  const { present } = read.file;
  if (present.includes('quantity') === present.includes('delta')) throw columnFault(file.name, present.includes('delta'));
  // A counted quantity may be applied again at will; a change must not be.
  const key = present.includes('delta') || options.key !== undefined ? keyOf(read.sha256, file.map, options.key) : `${read.sha256} ${worker.clock()}`;
  return run(engine, worker, { kind: 'stock', read, key }, options, importStock);
}

function columnFault(name = 'standard input', both: boolean): StoreError {
  return both
    ? new StoreError('ambiguous_columns', `${name} has both a quantity and a delta column; keep the one that is meant.`, 'petstore help import')
    : new StoreError('missing_column', `${name} has neither a quantity nor a delta column.`, 'petstore help import');
}
