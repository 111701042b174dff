import type { PetFields, PetRow } from '../../domain/pets/pet.js';
import type { PetFacts } from '../../domain/pets/pet-table.js';
import { statusOf } from '../../domain/pets/pet-status.js';
import { formatDateTime } from '../../domain/values/time.js';
import type { Column } from '../migrations/migrations.js';
import { join, sql, type Sql } from '../sql.js';
import { categoryRecord } from './category-table.js';
import { cellAt, columnsIn, type Cells, type Columns, type Nullable, cellIndexesOf, recordReader, selection } from './columns.js';
import { entryTime, lastCountedAt, lastCountedBy, ledgerWithBatches, recordVersion } from './fragments.js';

/** The column of `pets` for each field that requests set. */
export const petFieldColumns = { name: 'name', categoryId: 'category_id' } as const satisfies Record<keyof PetFields, Column<'pets'>>;

/** A pet of a list as the database returns it. */
export interface StoredPet extends Nullable<PetFields> {
  readonly id: number;
  readonly category: string;
  readonly hold: 0 | 1;
  readonly quantity: number;
  readonly lowAt: number | null;
  readonly reserved: number;
}

/** The columns of a pet of a list, over the tables of `petTables`. */
export const listedPet: Columns<StoredPet> = {
  id: sql`p.id`,
  ...columnsIn('p', petFieldColumns),
  category: sql`c.name`,
  hold: sql`p.hold`,
  quantity: sql`s.quantity`,
  lowAt: sql`s.low_at`,
  reserved: sql`s.reserved`,
};

/** The columns of a single pet: those of a list, and its version. */
export const singlePet: Columns<StoredPet & { readonly version: number }> = {
  ...listedPet,
  version: recordVersion(sql`l.pet_id`, sql`p.id`),
};

/** The entry at one end of the history of pet `p`. */
function edgeOfHistory(direction: Sql): Sql {
  return sql`(SELECT ${entryTime} FROM ${ledgerWithBatches} WHERE l.pet_id = p.id ORDER BY l.id ${direction} LIMIT 1)`;
}

/** A single pet with what its details show. */
interface StoredDetails extends StoredPet {
  readonly version: number;
  readonly openOrders: number;
  readonly categoryVersion: number | null;
  readonly firstAt: number;
  readonly lastAt: number;
  readonly countedAt: number | null;
  readonly countedBy: string | null;
}

const detailedPet: Columns<StoredDetails> = {
  ...singlePet,
  openOrders: sql`(SELECT count(*) FROM orders o WHERE o.pet_id = p.id AND o.state = 'open')`,
  categoryVersion: recordVersion(sql`l.category_id`, sql`c.id`),
  firstAt: edgeOfHistory(sql`ASC`),
  lastAt: edgeOfHistory(sql`DESC`),
  countedAt: lastCountedAt(sql`p.id`),
  countedBy: lastCountedBy(sql`p.id`),
};

/** The column list of a single pet with what its details show, the record of its category included. */
export const selectedDetails = join([selection(detailedPet), selection(categoryRecord)], ', ');
const categoryIn = recordReader(categoryRecord, Object.keys(detailedPet).length);

const at = cellIndexesOf<StoredPet & { readonly version?: number }>(singlePet);
const inDetails = cellIndexesOf<StoredDetails>(detailedPet);

type Writable<Row> = { -readonly [Field in keyof Row]: Row[Field] };

/** The pet in the cells of `listedPet` or `singlePet`. */
export function toPetRow(cells: Cells): PetRow {
  const stock = {
    hold: cellAt(cells, at.hold) === 1,
    quantity: cellAt(cells, at.quantity),
    reserved: cellAt(cells, at.reserved),
  };
  const row: Writable<Required<PetFields> & Omit<PetRow, keyof PetFields>> = {
    id: cellAt(cells, at.id),
    name: cellAt(cells, at.name),
    categoryId: cellAt(cells, at.categoryId),
    status: statusOf(stock),
    category: cellAt(cells, at.category),
    hold: stock.hold,
    quantity: stock.quantity,
    reserved: stock.reserved,
  };
  const lowAt = cellAt(cells, at.lowAt);
  const version = cellAt(cells, at.version);
  if (lowAt !== null) row.lowAt = lowAt;
  if (version !== undefined) row.version = version;
  return row;
}

/** The details of a pet in the cells of `selectedDetails`. */
export function toPetFacts(cells: Cells): PetFacts {
  const [firstAt, lastAt] = [cellAt(cells, inDetails.firstAt), cellAt(cells, inDetails.lastAt)];
  const createdAt = formatDateTime(firstAt);
  const [countedAt, countedBy] = [cellAt(cells, inDetails.countedAt), cellAt(cells, inDetails.countedBy)];
  return {
    row: toPetRow(cells),
    category: categoryIn(cells),
    openOrders: cellAt(cells, inDetails.openOrders),
    categoryVersion: cellAt(cells, inDetails.categoryVersion) ?? 0,
    createdAt,
    // Most pets have never been changed.
    updatedAt: lastAt === firstAt ? createdAt : formatDateTime(lastAt),
    ...(countedAt !== null && countedBy !== null && { lastCounted: { at: formatDateTime(countedAt), by: countedBy } }),
  };
}
