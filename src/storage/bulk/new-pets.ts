import { withoutCategory, type PetDraft } from '../../domain/imports/pet-row.js';
import type { Engine } from '../engine.js';
import type { Column } from '../migrations/migrations.js';
import { overlapped, type Cell, type Queries } from '../queries.js';
import { highestId } from '../tables/ids.js';
import { petFieldColumns } from '../tables/pet-columns.js';
import { sql } from '../sql.js';
import { insertRecords } from '../tables/columns.js';
import type { RowNumbers } from './row-changes.js';
import type { RowSet } from './row-set.js';
import { settingValue } from '../tables/setting-table.js';

/** The fields that are copied from a row to its pet unchanged, and their columns. */
const importedColumns = withoutCategory(petFieldColumns);
const importedFields = Object.entries(importedColumns) as [keyof typeof importedColumns, ImportedColumn][];
type ImportedColumn = (typeof importedColumns)[keyof typeof importedColumns];

/** A pet of an import file, waiting to be created; `opening` is the quantity on hand it starts with. */
export interface StagedPet {
  readonly rowIndex: number;
  readonly folded: string;
  readonly opening: number;
  readonly cells: Readonly<Record<ImportedColumn, Cell>>;
}

/** The cells that are copied from a row to its pet. */
export function importedCells(draft: PetDraft): StagedPet['cells'] {
  const cells: Partial<Record<ImportedColumn, Cell>> = {};
  for (const [field, column] of importedFields) cells[column] = draft[field] ?? null;
  return cells as StagedPet['cells'];
}

/** What is known of each staged row without reading it again. */
export interface StagedColumns {
  /** The spellings of the categories in the file. */
  readonly spellings: readonly string[];
  /** The place of its category among the spellings, from 1; 0 for a row that is not staged. */
  readonly categories: Pick<RowNumbers, 'at'>;
  readonly lines: Pick<RowNumbers, 'at'>;
  /** The rows whose pets are on hold. */
  readonly held: Pick<RowSet, 'has'>;
}

/** How staged pets are created. */
interface PetCreation {
  readonly engine: Pick<Engine, 'insertRows'>;
  readonly batchId: number;
  readonly facts: StagedColumns;
  /** Whether the pet of a row is created: it is not refused, and no earlier import has created it. */
  readonly isLeft: (rowIndex: number) => boolean;
  /** The ids of the categories, by their spelling in the file. */
  readonly categories: ReadonlyMap<string, number>;
}

/** Creates pets with the next ids, their ledger entries and their stock. One on hold has a second entry after its opening. */
export async function createPets(
  queries: Queries,
  blocks: Iterable<readonly StagedPet[]>,
  { engine, batchId, facts, isLeft, categories }: PetCreation,
): Promise<void> {
  let id = await highestId(queries, 'pets');
  const newest = await highestId(queries, 'ledger');
  let entry = newest;
  const categoryIds = facts.spellings.map((spelling) => categories.get(spelling) ?? null);
  await overlapped(blocks, (block) => {
    const pets: Omit<Record<Column<'pets'>, Cell>, 'archived'>[] = [];
    const entries: { readonly [Name in Column<'ledger'>]?: Cell }[] = [];
    for (const { rowIndex, folded, opening, cells } of block) {
      if (!isLeft(rowIndex)) continue;
      const hold = facts.held.has(rowIndex) ? 1 : 0;
      id += 1;
      pets.push({ id, folded, hold, category_id: categoryIds[facts.categories.at(rowIndex) - 1] ?? null, ...cells });
      const ofPet = { pet_id: id, batch_id: batchId, line: facts.lines.at(rowIndex) };
      entries.push({ id: (entry += 1), ...ofPet, kind: 'opening', delta: opening, quantity_after: opening });
      if (hold === 1) entries.push({ id: (entry += 1), ...ofPet, kind: 'pet.held', delta: null, quantity_after: null });
    }
    return [insertRecords(engine, queries, 'pets', pets), insertRecords(engine, queries, 'ledger', entries)];
  });
  await queries.run(sql`INSERT INTO stock (pet_id, quantity, low_at)
    SELECT pet_id, quantity_after, ${settingValue('lowAt')} FROM ledger WHERE id > ${newest} AND kind = 'opening'`);
}
