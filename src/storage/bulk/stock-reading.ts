import { foldedNameIn, petIdByName, type NamedPets } from '../../domain/imports/match-name.js';
import type { StockImportOptions } from '../../domain/imports/import-inventory.js';
import { namedStockColumns, petIdIn, stockColumns, type ReadPetId } from '../../domain/imports/stock-row.js';
import { maximumNamed } from '../../domain/values/text.js';
import type { Row } from '../../formats/reader.js';
import type { Engine } from '../engine.js';
import type { Queries } from '../queries.js';
import { list, sql } from '../sql.js';
import type { ByteLimits } from '../../formats/bytes.js';
import { rejectColumns, type ImportColumns } from './refused-rows.js';

/** How a file of stock figures is read. */
export function readingOf({ encoding, ignoreUnknown, match }: StockImportOptions): ImportColumns & Pick<ByteLimits, 'encoding'> {
  return {
    columns: match === 'name' ? namedStockColumns : stockColumns,
    required: [match === 'name' ? 'name' : 'petId'],
    ignored: [match === 'name' ? 'petId' : 'name', 'category', 'status', 'reserved', ...rejectColumns],
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

/** Reads which pets the rows of a chunk mean: by id, or by name with one query for all of them. The pet is the first of the cells. */
export async function petReader(engine: Engine, { match }: StockImportOptions, rows: readonly Row[]): Promise<ReadPetId> {
  if (match !== 'name') return petIdIn;
  const names = new Set(rows.map(({ cells }) => foldedNameIn(cells[0])).filter((name) => name !== undefined));
  return petIdByName(await engine.read((queries) => petsNamed(queries, [...names].toSorted()), { isRepeatable: true }));
}
