import type { BulkPets } from '../bulk/bulk-port.js';
import { bulkPets } from '../bulk/bulk-pets.js';
import { stagedPetColumns } from '../bulk/staged-pets.js';
import { transactionsOn, type BulkConnection } from './bulk.js';
import { batchedInsert } from './insert.js';

const names = stagedPetColumns.map(([name]) => name);

/** Rows are inserted in ascending order of `place`, by which SQLite keeps them. */
const types = stagedPetColumns.map(([name, type]) => `"${name}" ${type === 'number' ? 'INTEGER' : 'TEXT'}${name === 'place' ? ' PRIMARY KEY' : ''}`);

/** New pets, staged in a temporary table of a private connection. */
export function bulkPetsOn(connection: BulkConnection): BulkPets {
  const { database, where } = connection;
  database.exec(`CREATE TEMP TABLE staged_pets (run TEXT, number INTEGER, ${types.join(', ')})`);
  const { add, flush } = batchedInsert(database, 'temp.staged_pets', ['run', 'number', ...names]);
  return bulkPets({
    ...transactionsOn(connection),
    where,
    // No other import stages rows in this table.
    run: '',
    add: async (rows) => {
      for (const row of rows) add(row);
    },
    flush: async () => flush(),
    joining: (_, work) => work(),
  });
}
