import type { Category } from '../../domain/categories/category.js';
import type { PetFields, PetRow } from '../../domain/pets/pet.js';
import type { PetFacts } from '../../domain/pets/pet-table.js';
import { statusOf } from '../../domain/pets/pet-status.js';
import { formatDateTime } from '../../domain/values/time.js';
import type { Column } from '../migrations/migrations.js';
import { join, sql, type Sql } from '../sql.js';
import { categoryRecord } from './category-table.js';
import { columnsIn, selection, withoutNulls, type Columns, type Nullable } from './columns.js';
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

/** What the names of the columns of a category begin with. */
const ofCategory = 'category.';
const categoryColumns = Object.fromEntries(Object.entries(categoryRecord).map(([field, column]) => [`${ofCategory}${field}`, column]));

/** The column list of a single pet with what its details show, the record of its category included. */
export const selectedDetails = join([selection(detailedPet), selection(categoryColumns)], ', ');

/** The pet in a row of `listedPet` or `singlePet`. */
export function toPetRow({ hold, lowAt, version, ...stored }: StoredPet & { readonly version?: number }): PetRow {
  const stock = { hold: hold === 1, quantity: stored.quantity, reserved: stored.reserved };
  return withoutNulls<Omit<PetRow, 'unchanged'>>({ ...stored, hold: stock.hold, status: statusOf(stock), lowAt, version: version ?? null });
}

/** The parts of a row of `selectedDetails`: the pet, and the record of its category. */
function partsOfDetails(row: Readonly<Record<string, unknown>>): { readonly pet: StoredDetails; readonly category: Category } {
  const [pet, category]: [Record<string, unknown>, Record<string, unknown>] = [{}, {}];
  for (const [name, value] of Object.entries(row)) {
    if (name.startsWith(ofCategory)) category[name.slice(ofCategory.length)] = value;
    else pet[name] = value;
  }
  return { pet: pet as unknown as StoredDetails, category: withoutNulls(category as unknown as Nullable<Category>) };
}

/** The details of a pet in a row of `selectedDetails`. */
export function toPetFacts(row: Readonly<Record<string, unknown>>): PetFacts {
  const { pet, category } = partsOfDetails(row);
  const { openOrders, categoryVersion, firstAt, lastAt, countedAt, countedBy, ...stored } = pet;
  const createdAt = formatDateTime(firstAt);
  return {
    row: toPetRow(stored),
    category,
    openOrders,
    categoryVersion: categoryVersion ?? 0,
    createdAt,
    // Most pets have never been changed.
    updatedAt: lastAt === firstAt ? createdAt : formatDateTime(lastAt),
    ...(countedAt !== null && countedBy !== null && { lastCounted: { at: formatDateTime(countedAt), by: countedBy } }),
  };
}
