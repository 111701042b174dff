import { withoutCategory, type PetDraft } from '../../domain/imports/pet-row.js';
import type { Engine } from '../engine.js';
import { columnsOf, type Column, type Tables } from '../migrations/migrations.js';
import type { Cell, Queries } from '../queries.js';
import { highestId } from '../tables/ids.js';
import { petFieldColumns } from '../tables/pet-columns.js';
import { settingTable } from '../tables/setting-table.js';

/** A pet of an import file, waiting to be created; `opening` is the quantity on hand it starts with. */
export interface StagedPet {
  readonly draft: PetDraft;
  readonly rowIndex: number;
  readonly folded: string;
  readonly hold: 0 | 1;
  readonly opening: number;
}

/** The fields that are copied from a row to its pet unchanged, and their columns. */
const importedColumns = withoutCategory(petFieldColumns);
const importedFields = Object.entries(importedColumns) as [keyof typeof importedColumns, Column<'pets'>][];

function importedCells({ draft }: StagedPet): Record<(typeof importedColumns)[keyof typeof importedColumns], Cell> {
  return Object.fromEntries(importedFields.map(([field, column]) => [column, draft[field] ?? null])) as ReturnType<typeof importedCells>;
}

/** Inserts records that all have the columns of the first one, in the same order. */
async function insertRecords<Table extends keyof Tables>(
  engine: Pick<Engine, 'insertRows'>,
  queries: Queries,
  name: Table,
  records: readonly { readonly [Name in Column<Table>]?: Cell }[],
): Promise<void> {
  const types = columnsOf(name);
  const columns = Object.fromEntries(Object.keys(records[0] ?? {}).map((column) => [column, types[column as Column<Table>]]));
  const rows = records.map((record) => Object.values<Cell>(record as Readonly<Record<string, Cell>>));
  await engine.insertRows(queries, { name, columns }, rows);
}

/** How staged pets are created. */
interface PetCreation {
  readonly engine: Pick<Engine, 'insertRows'>;
  readonly batchId: number;
  /** The ids of the categories, by their spelling in the file. */
  readonly categories: ReadonlyMap<string, number>;
  /** Called with the id of each pet. */
  readonly onCreated: (pet: StagedPet, id: number) => void;
}

/** Creates pets with the next ids, their stock and their ledger entries. One on hold has a second entry after its opening. */
export async function createPets(
  queries: Queries,
  blocks: Iterable<readonly StagedPet[]>,
  { engine, batchId, categories, onCreated }: PetCreation,
): Promise<void> {
  const lowAt = await settingTable(queries).get('lowAt');
  let id = await highestId(queries, 'pets');
  let entry = await highestId(queries, 'ledger');
  for (const block of blocks) {
    const pets: Record<Column<'pets'>, Cell>[] = [];
    const stock: Record<Column<'stock'>, Cell>[] = [];
    const entries: { readonly [Name in Column<'ledger'>]?: Cell }[] = [];
    for (const pet of block) {
      const { draft, folded, hold, opening } = pet;
      id += 1;
      onCreated(pet, id);
      pets.push({ id, folded, hold, archived: 0, category_id: categories.get(draft.category) ?? null, ...importedCells(pet) });
      stock.push({ pet_id: id, quantity: opening, low_at: lowAt, low_own: 0, reserved: 0 });
      const ofPet = { pet_id: id, batch_id: batchId, line: draft.line };
      entries.push({ id: (entry += 1), ...ofPet, kind: 'opening', delta: opening, quantity_after: opening });
      if (hold === 1) entries.push({ id: (entry += 1), ...ofPet, kind: 'pet.held', delta: null, quantity_after: null });
    }
    await insertRecords(engine, queries, 'pets', pets);
    await insertRecords(engine, queries, 'stock', stock);
    await insertRecords(engine, queries, 'ledger', entries);
  }
}
