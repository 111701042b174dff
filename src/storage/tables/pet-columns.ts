import type { PetFields, PetRow } from '../../domain/pets/pet.js';
import { statusOf } from '../../domain/pets/pet-status.js';
import type { Column } from '../migrations/migrations.js';
import { sql } from '../sql.js';
import { cellAt, columnsIn, type Cells, type Columns, type Nullable, positionsOf } from './columns.js';
import { reservedUnits, versionOf } from './fragments.js';

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
  reserved: reservedUnits(sql`p.id`),
};

/** The columns of a single pet: those of a list, and its version. */
export const singlePet: Columns<StoredPet & { readonly version: number }> = {
  ...listedPet,
  version: versionOf(sql`l.pet_id`, sql`p.id`),
};

const at = positionsOf<StoredPet & { readonly version?: number }>(singlePet);

/** The pet in the cells of `listedPet` or `singlePet`. */
export function toPetRow(cells: Cells): PetRow {
  const stock = {
    hold: cellAt(cells, at.hold) === 1,
    quantity: cellAt(cells, at.quantity),
    reserved: cellAt(cells, at.reserved),
  };
  const row: Required<PetFields> & Omit<PetRow, keyof PetFields> = {
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
  if (lowAt === null && version === undefined) return row;
  return { ...row, ...(lowAt !== null && { lowAt }), ...(version !== undefined && { version }) };
}
