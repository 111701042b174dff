import type { Category } from '../../domain/categories/category.js';
import type { PetFields, PetRow } from '../../domain/pets/pet.js';
import type { PetWithDetails } from '../../domain/pets/pet-table.js';
import { statusOf } from '../../domain/pets/pet-status.js';
import { formatDateTime } from '../../domain/values/time.js';
import type { Column } from '../migrations/migrations.js';
import { sql, type Sql } from '../sql.js';
import { categoryRecord } from './category-table.js';
import { columnsIn, type Columns, type Nullable, selection } from './columns.js';
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
  /** Of a single pet. */
  readonly version?: number;
}

/** The columns of a pet of a list, over the tables of `petTables`. */
export const listedPet: Columns<Omit<StoredPet, 'version'>> = {
  id: sql`p.id`,
  ...columnsIn('p', petFieldColumns),
  category: sql`c.name`,
  hold: sql`p.hold`,
  quantity: sql`s.quantity`,
  lowAt: sql`s.low_at`,
  reserved: sql`s.reserved`,
};

/** The columns of a single pet: those of a list, and its version. */
export const singlePet: Columns<StoredPet> = {
  ...listedPet,
  version: recordVersion(sql`l.pet_id`, sql`p.id`),
};

/** The entry at one end of the history of pet `p`. */
function endOfHistory(direction: Sql): Sql {
  return sql`(SELECT ${entryTime} FROM ${ledgerWithBatches} WHERE l.pet_id = p.id ORDER BY l.id ${direction} LIMIT 1)`;
}

/** A single pet with what its details show. */
export interface StoredDetails extends StoredPet {
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
  firstAt: endOfHistory(sql`ASC`),
  lastAt: endOfHistory(sql`DESC`),
  countedAt: lastCountedAt(sql`p.id`),
  countedBy: lastCountedBy(sql`p.id`),
};

/** The names in a row of the fields of its category, whose own names are taken. */
const categoryFields = Object.keys(categoryRecord).map((field) => ({ field, name: `category.${field}` }));
const categoryColumns = Object.fromEntries(categoryFields.map(({ field, name }) => [name, categoryRecord[field as keyof Category]]));

/** The column list of a single pet with what its details show. */
export const selectedDetails = selection({ ...detailedPet, ...categoryColumns });

type Writable<Row> = { -readonly [Field in keyof Row]: Row[Field] };

const fieldNames = Object.keys(petFieldColumns) as readonly (keyof PetFields)[];

/** The fields that requests set, as far as they are not NULL. A loop: long lists have many rows. */
function fieldsOf(stored: StoredPet): PetFields {
  const fields: Partial<Record<keyof PetFields, unknown>> = {};
  for (const name of fieldNames) if (stored[name] !== null) fields[name] = stored[name];
  return fields as PetFields;
}

/** The pet in a row of `listedPet`, `singlePet` or `selectedDetails`. */
export function toPetRow(stored: StoredPet): PetRow {
  const { id, category, quantity, reserved, lowAt, version } = stored;
  const hold = stored.hold === 1;
  const row: Writable<PetRow> = { id, ...fieldsOf(stored), status: statusOf({ hold, quantity, reserved }), category, hold, quantity, reserved };
  if (lowAt !== null) row.lowAt = lowAt;
  if (version !== undefined) row.version = version;
  return row;
}

function categoryOf(details: object): Category {
  const stored = details as Readonly<Record<string, unknown>>;
  const category: Record<string, unknown> = {};
  for (const { field, name } of categoryFields) if (stored[name] !== null) category[field] = stored[name];
  return category as unknown as Category;
}

/** The details of a pet in a row of `selectedDetails`. */
export function toPetWithDetails(details: StoredDetails): PetWithDetails {
  const { openOrders, categoryVersion, firstAt, lastAt, countedAt, countedBy } = details;
  const createdAt = formatDateTime(firstAt);
  return {
    row: toPetRow(details),
    category: categoryOf(details),
    openOrders,
    categoryVersion: categoryVersion ?? 0,
    createdAt,
    // Most pets have never been changed.
    updatedAt: lastAt === firstAt ? createdAt : formatDateTime(lastAt),
    ...(countedAt !== null && countedBy !== null && { lastCounted: { at: formatDateTime(countedAt), by: countedBy } }),
  };
}
