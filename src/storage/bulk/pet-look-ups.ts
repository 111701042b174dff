import { StoreError } from '../../domain/errors.js';
import { gtinLength, petOfOwnGtin } from '../../domain/codes/gtin.js';
import { codeKeysIn, petByCode } from '../../domain/imports/match-code.js';
import { foldedNameIn, petByName, type NamedPets } from '../../domain/imports/match-name.js';
import type { StockImportOptions } from '../../domain/imports/import-inventory.js';
import type { Caller } from '../../domain/caller.js';
import type { FileRow } from '../../domain/imports/cells.js';
import { petById, petCellOf, type PetCells, type PetMatch, type ReadCell, type ReadPet } from '../../domain/imports/pet-cell.js';
import { codedStockColumns, namedStockColumns, stockColumns, stockPetCells } from '../../domain/imports/stock-row.js';
import type { LedgerKind } from '../../domain/ledger/ledger-entry.js';
import { checkMayReadPets } from '../../domain/tokens/token.js';
import { maximumNamed } from '../../domain/values/text.js';
import type { Engine } from '../engine.js';
import type { Queries } from '../queries.js';
import { list, raw, sql, type Sql } from '../sql.js';
import { codesByKey } from '../tables/code-table.js';
import { highestId } from '../tables/ids.js';
import type { ByteLimits } from '../../formats/bytes.js';
import { rejectColumns, type ImportColumns } from './refused-rows.js';

/** The columns of a file by how its rows give the pet, which is the first of them. */
const columnsBy = { id: stockColumns, name: namedStockColumns, code: codedStockColumns } as const;
const petMatchColumns = Object.values(columnsBy).map(([first]) => first);

/** How a stock file is read. */
export function readingOf({ encoding, ignoreUnknown, match = 'id' }: StockImportOptions): ImportColumns & Pick<ByteLimits, 'encoding'> {
  const columns = columnsBy[match];
  return {
    columns,
    required: [match === 'id' ? ['petId', 'code'] : columns[0]],
    ignored: [...petMatchColumns.filter((one) => !columns.some((column) => column === one)), 'category', 'status', 'reserved', ...rejectColumns],
    unknownColumns: ignoreUnknown === true ? 'ignore' : 'refuse',
    encoding,
  };
}

interface StoredName {
  readonly id: number;
  readonly name: string;
  readonly folded: string;
  readonly count: number;
}

/** The live pets of some folded names, with the first ids of each spelling. */
async function petsNamed(queries: Queries, names: readonly string[]): Promise<ReadonlyMap<string, readonly NamedPets[]>> {
  const rows = await queries.all<StoredName>(sql`SELECT id, name, folded, pets AS count FROM (
      SELECT id, name, folded, row_number() OVER (PARTITION BY folded, name ORDER BY id) AS place, count(*) OVER (PARTITION BY folded, name) AS pets
      FROM pets WHERE archived = 0 AND folded IN ${list(names)}) named
    WHERE place <= ${maximumNamed} ORDER BY folded, name, id`);
  const found = new Map<string, NamedPets[]>();
  for (const { id, name, folded, count } of rows) {
    const spellings = found.get(folded) ?? [];
    const last = spellings.at(-1);
    if (last?.name === name) spellings[spellings.length - 1] = { ...last, ids: [...last.ids, id] };
    else spellings.push({ name, ids: [id], count });
    found.set(folded, spellings);
  }
  return found;
}

/** Reads rows of numbers, one after the other: from one text, in half the time of an array for each. */
export async function numbersOf(queries: Queries, columns: readonly string[], from: Sql): Promise<readonly (number | null)[]> {
  const row = columns.map((column) => `coalesce(CAST(${column} AS TEXT), 'null')`).join(" || ',' || ");
  const found = await queries.get<{ readonly numbers: string | null }>(
    sql`SELECT string_agg(numbers, ',') AS numbers FROM (SELECT ${raw(row)} AS numbers ${from}) AS r`,
  );
  return JSON.parse(`[${found?.numbers ?? ''}]`) as readonly (number | null)[];
}

/** The pets of numbers, and the units that each means; pet 0 for a number without one. */
interface PetsOfNumbers {
  readonly petIds: Float64Array;
  readonly units: Float64Array;
}

const numbersPerQuery = 4096;
/** All codes in the range of some numbers are read, unless there are more than this many times as many. */
const denseSpread = 4;

// Codes of other digits are longer, shorter, or no GTIN, so that no number of a GTIN equals them.
const fromGtins = sql`FROM codes WHERE length(key) = ${gtinLength} AND trim(key, '0123456789') = '' AND`;

/** The pets of the GTINs that are these numbers, in ascending order. */
export async function petsOfNumbers(queries: Queries, numbers: Float64Array): Promise<PetsOfNumbers> {
  const petIds = new Float64Array(numbers.length);
  const units = new Float64Array(numbers.length).fill(1);
  const read = (gtins: Sql) => numbersOf(queries, ['CAST(key AS BIGINT)', 'pet_id', 'units'], sql`${fromGtins} ${gtins}`);
  const keyAt = (index: number): string => String(numbers[index]).padStart(gtinLength, '0');
  let isDense = true;
  for (let from = 0; from < numbers.length; from += numbersPerQuery) {
    const end = Math.min(from + numbersPerQuery, numbers.length);
    const most = (end - from) * denseSpread;
    let found: readonly (number | null)[] = isDense ? await read(sql`key BETWEEN ${keyAt(from)} AND ${keyAt(end - 1)} ORDER BY key LIMIT ${most}`) : [];
    isDense &&= found.length < 3 * most;
    if (!isDense) found = await read(sql`key IN ${list(Array.from({ length: end - from }, (_, index) => keyAt(from + index)))} ORDER BY key`);
    let next = from;
    for (let at = 0; at < found.length; at += 3) {
      const number = found[at] ?? 0;
      while ((numbers[next] ?? number) < number) next += 1;
      for (; numbers[next] === number; next += 1) {
        petIds[next] = found[at + 1] ?? 0;
        units[next] = found[at + 2] ?? 0;
      }
    }
  }
  for (let index = 0; index < numbers.length; index += 1) petIds[index] ||= petOfOwnGtin(numbers[index] ?? 0) ?? 0;
  return { petIds, units };
}

/** The place of a number in a list in ascending order that has it. */
export function placeIn(numbers: Float64Array, number: number): number {
  let low = 0;
  let high = numbers.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((numbers[middle] ?? 0) < number) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Reads in a transaction of its own, or in one that is open. */
export type ReadShop = <T>(work: (queries: Queries) => Promise<T>) => Promise<T>;

/** Look-ups of the pets that a file names, without a lock. */
export interface PetLookUps {
  readonly read: ReadShop;
  /** The newest ledger entry at the first look-up; undefined before. */
  readonly ledgerId: () => number | undefined;
  /**
   * Refuses with `store_busy` a file of which `find` finds a pet whose name or codes were changed since the first look-up, or since
   * the last call, which found none.
   */
  readonly refuseMoved: (queries: Queries, find: (petIds: ReadonlySet<number>) => number | undefined) => Promise<void>;
}

/** Refuses with `store_busy` if the shop was restored after this entry: what was read before is of the replaced shop. */
export async function refuseAfterRestore(queries: Queries, newest: number): Promise<void> {
  if ((await queries.get(sql`SELECT 1 FROM ledger WHERE id > ${newest} AND kind = 'shop.restored'`)) === undefined) return;
  throw new StoreError('store_busy', 'The shop was restored from a backup in the meantime; nothing was changed.', {
    advice: 'Check the shop, then run the command again.',
  });
}

/** The kinds of entries after which a code or a name may mean another pet. */
const movingKinds = ['opening', 'pet.restored', 'code.added', 'code.removed'] as const satisfies readonly LedgerKind[];

/** Look-ups for one file, whose first one was made at the ledger entry `previewedAt` if that is given. */
export function petLookUps(engine: Engine, previewedAt?: number): PetLookUps {
  let after: number | undefined;
  return {
    read: (work) =>
      engine.read(async (queries) => {
        after ??= previewedAt ?? (await highestId(queries, 'ledger'));
        return work(queries);
      }),
    ledgerId: () => after,
    refuseMoved: async (queries, find) => {
      if (after === undefined) return;
      await refuseAfterRestore(queries, after);
      const newest = await highestId(queries, 'ledger');
      const moved = await queries.all<{ readonly petId: number }>(sql`SELECT DISTINCT pet_id AS "petId" FROM ledger WHERE id > ${after}
        AND (kind IN ${list(movingKinds)} OR (kind = 'pet.updated' AND previous LIKE '%"name":%'))`);
      const petId = moved.length === 0 ? undefined : find(new Set(moved.map((entry) => entry.petId)));
      if (petId === undefined) {
        after = newest;
        return;
      }
      throw new StoreError('store_busy', `A code or the name of pet ${petId} was changed after the file was read; nothing was changed.`, {
        advice: 'Run the import again.',
      });
    },
  };
}

/** Reads which pets some rows mean, by the cells `choices`: names and codes with one query for all of them. For names a token must be allowed to read pets. */
export async function petReader(read: ReadShop, { scopes }: Pick<Caller, 'scopes'>, rows: readonly FileRow[], choices: PetCells): Promise<ReadPet> {
  const cells = rows.map((row) => petCellOf(row, choices));
  const codeKeys = new Set(cells.flatMap(({ by, content }) => (by === 'code' ? codeKeysIn(content) : [])));
  const names = new Set(cells.map(({ by, content }) => (by === 'name' ? foldedNameIn(content) : undefined)).filter((name) => name !== undefined));
  if (names.size > 0) checkMayReadPets(scopes, 'name');
  const readers: Readonly<Record<PetMatch, ReadCell>> = {
    id: petById,
    code: petByCode(codeKeys.size === 0 ? new Map() : await read((queries) => codesByKey(queries, [...codeKeys].toSorted()))),
    name: petByName(names.size === 0 ? new Map() : await read((queries) => petsNamed(queries, [...names].toSorted()))),
  };
  return (row) => {
    const { by, column, cell, content } = petCellOf(row, choices);
    return readers[by]({ line: row.line, column, cell }, content);
  };
}

/** Reads which pets the rows of a file of stock figures mean. */
export async function stockPetReader(read: ReadShop, caller: Caller, { match = 'id' }: StockImportOptions, rows: readonly FileRow[]): Promise<ReadPet> {
  return petReader(read, caller, rows, stockPetCells[match]);
}
