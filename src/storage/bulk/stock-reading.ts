import type { Code } from '../../domain/codes/code.js';
import { codeKeysIn, petByCode } from '../../domain/imports/match-code.js';
import { foldedNameIn, petByName, type NamedPets } from '../../domain/imports/match-name.js';
import type { StockImportOptions } from '../../domain/imports/import-inventory.js';
import type { Caller } from '../../domain/caller.js';
import type { FileRow } from '../../domain/imports/cells.js';
import { petById, petCellOf, type MeantPet, type PetCells, type PetMatch, type ReadCell, type ReadPet } from '../../domain/imports/pet-cell.js';
import { codedStockColumns, namedStockColumns, stockColumns, stockPetCells } from '../../domain/imports/stock-row.js';
import { checkMayReadPets } from '../../domain/tokens/token.js';
import { maximumNamed } from '../../domain/values/text.js';
import type { Engine } from '../engine.js';
import type { Queries } from '../queries.js';
import { list, raw, sql } from '../sql.js';
import { partsOf } from '../tables/columns.js';
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

/** The codes with these keys, by key. */
export async function codesOf(queries: Queries, keys: readonly string[]): Promise<ReadonlyMap<string, Code>> {
  const rows = await queries.all<Code & { readonly key: string }>(sql`SELECT key, code, pet_id AS "petId", units FROM codes WHERE key IN ${list(keys)}`);
  return new Map(rows.map(({ key, ...code }) => [key, code]));
}

const numbersPerQuery = 4096;

/** The pets of the codes with these keys, all of digits, by the number that they are: many in a third of the time of `codesOf`. */
export async function petsOfNumbers(queries: Queries, keys: readonly string[]): Promise<ReadonlyMap<number, MeantPet>> {
  const pets = new Map<number, MeantPet>();
  const text = raw(`string_agg(CAST(key AS BIGINT) || ',' || pet_id || ',' || units, ',')`);
  for (const some of partsOf(keys, numbersPerQuery)) {
    const found = await queries.get<{ readonly pets: string | null }>(sql`SELECT ${text} AS pets FROM codes WHERE key IN ${list(some)}`);
    const numbers = JSON.parse(`[${found?.pets ?? ''}]`) as readonly number[];
    for (let at = 0; at < numbers.length; at += 3) pets.set(numbers[at] ?? 0, { petId: numbers[at + 1] ?? 0, units: numbers[at + 2] ?? 0 });
  }
  return pets;
}

/** Reads in a transaction of its own, or in one that is open. */
type Read = <T>(work: (queries: Queries) => Promise<T>) => Promise<T>;

/** Reads which pets some rows mean, by the cells `choices`: names and codes with one query for all of them. For names a token must be allowed to read pets. */
export async function petReader(read: Read, { scopes }: Pick<Caller, 'scopes'>, rows: readonly FileRow[], choices: PetCells): Promise<ReadPet> {
  const cells = rows.map((row) => petCellOf(row, choices));
  const codeKeys = new Set(cells.flatMap(({ by, content }) => (by === 'code' ? codeKeysIn(content) : [])));
  const names = new Set(cells.map(({ by, content }) => (by === 'name' ? foldedNameIn(content) : undefined)).filter((name) => name !== undefined));
  if (names.size > 0) checkMayReadPets(scopes, 'name');
  const readers: Readonly<Record<PetMatch, ReadCell>> = {
    id: petById,
    code: petByCode(codeKeys.size === 0 ? new Map() : await read((queries) => codesOf(queries, [...codeKeys].toSorted()))),
    name: petByName(names.size === 0 ? new Map() : await read((queries) => petsNamed(queries, [...names].toSorted()))),
  };
  return (row) => {
    const { by, column, cell, content } = petCellOf(row, choices);
    return readers[by]({ line: row.line, column, cell }, content);
  };
}

/** Reads which pets the rows of a file of stock figures mean. */
export async function stockPetReader(engine: Engine, caller: Caller, { match = 'id' }: StockImportOptions, rows: readonly FileRow[]): Promise<ReadPet> {
  return petReader((work) => engine.read(work, { isRepeatable: true }), caller, rows, stockPetCells[match]);
}
