import { withoutCategory, type PetDraft } from '../../domain/imports/pet-row.js';
import type { StagedPet } from './bulk-port.js';
import type { Cell } from '../queries.js';
import type { ColumnType } from '../migrations/migration.js';
import { columnsOf, type Column } from '../migrations/migrations.js';
import { petFieldColumns } from '../tables/pet-columns.js';

/** The fields that are copied from a row to its pet unchanged, and their columns, which have the same names in `pets`. */
const importedColumns = withoutCategory(petFieldColumns);

const types = { ...columnsOf('pets'), line: 'number', category: 'text', place: 'number', opening: 'number' } as const;

const draftColumns = { line: 'line', category: 'category', ...importedColumns } satisfies Record<
  keyof Omit<PetDraft, 'status' | 'quantity' | 'codes'>,
  keyof typeof types
>;

const computedColumns = { rowIndex: 'place', folded: 'folded', hold: 'hold', opening: 'opening' } satisfies Record<
  keyof Omit<StagedPet, 'draft'>,
  keyof typeof types
>;

const draftFields = Object.keys(draftColumns) as (keyof typeof draftColumns)[];
const computedFields = Object.keys(computedColumns) as (keyof typeof computedColumns)[];
const names = [...Object.values<keyof typeof types>(draftColumns), ...Object.values<keyof typeof types>(computedColumns)];

/** The columns of the temporary table `staged_pets` and their types, in the order of `stagedPetCells`. */
export const stagedPetColumns: readonly (readonly [name: string, type: ColumnType])[] = names.map((name) => [name, types[name]]);

/** The cells of a staged pet. */
export function stagedPetCells(pet: StagedPet): readonly Cell[] {
  const { draft } = pet;
  const cells: Cell[] = [];
  for (const field of draftFields) cells.push(draft[field] ?? null);
  for (const field of computedFields) cells.push(pet[field]);
  return cells;
}

/** The columns of `pets` and the expression for each: `d` is the staged row, `c` its category, and `id` the expression of the new id. */
export function newPetColumns(id: string): Readonly<Record<Column<'pets'>, string>> {
  const imported = Object.fromEntries(Object.values(importedColumns).map((column) => [column, `d."${column}"`]));
  return {
    id,
    folded: 'd.folded',
    hold: 'd.hold',
    archived: '0',
    category_id: 'c.id',
    ...(imported as Record<(typeof importedColumns)[keyof typeof importedColumns], string>),
  };
}
