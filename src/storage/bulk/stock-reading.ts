import type { Code } from '../../domain/codes/code.js';
import { codeKeysIn, petByCode } from '../../domain/imports/match-code.js';
import { foldedNameIn, petByName, type NamedPets } from '../../domain/imports/match-name.js';
import type { StockImportOptions } from '../../domain/imports/import-inventory.js';
import { codedStockColumns, namedStockColumns, petById, stockColumns, type ReadPet } from '../../domain/imports/stock-row.js';
import { maximumNamed } from '../../domain/values/text.js';
import type { Row } from '../../formats/reader.js';
import type { Engine } from '../engine.js';
import type { Queries } from '../queries.js';
import { list, sql } from '../sql.js';
import type { ByteLimits } from '../../formats/bytes.js';
import { rejectColumns, type ImportColumns } from './refused-rows.js';

/** The columns of a file by how its rows give the pet, which is the first of them. */
const columnsBy = { id: stockColumns, name: namedStockColumns, code: codedStockColumns } as const;

/** How a stock file is read. */
export function readingOf({ encoding, ignoreUnknown, match = 'id' }: StockImportOptions): ImportColumns & Pick<ByteLimits, 'encoding'> {
  const columns = columnsBy[match];
  const otherNames = Object.values(columnsBy).flatMap(([first]) => (first === columns[0] ? [] : [first]));
  return {
    columns,
    required: [columns[0]],
    ignored: [...otherNames, 'category', 'status', 'reserved', ...rejectColumns],
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
async function codesOf(queries: Queries, keys: readonly string[]): Promise<ReadonlyMap<string, Code>> {
  const rows = await queries.all<Code & { readonly key: string }>(sql`SELECT key, code, pet_id AS "petId", units FROM codes WHERE key IN ${list(keys)}`);
  return new Map(rows.map(({ key, ...code }) => [key, code]));
}

/** Reads which pets the rows of a chunk mean: by id, or by name or code with one query for all of them. The pet is the first of the cells. */
export async function petReader(engine: Engine, { match }: StockImportOptions, rows: readonly Row[]): Promise<ReadPet> {
  if (match === 'code') {
    const keys = [...new Set(rows.flatMap(({ cells }) => codeKeysIn(cells[0])))].toSorted();
    return petByCode(await engine.read((queries) => codesOf(queries, keys), { isRepeatable: true }));
  }
  if (match !== 'name') return petById;
  const names = new Set(rows.map(({ cells }) => foldedNameIn(cells[0])).filter((name) => name !== undefined));
  return petByName(await engine.read((queries) => petsNamed(queries, [...names].toSorted()), { isRepeatable: true }));
}
