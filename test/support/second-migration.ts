import { migrations } from '../../src/storage/migrations/migrations.js';
import type { Migration } from '../../src/storage/migrations/migration.js';

const colours = [
  'ALTER TABLE categories ADD COLUMN colour TEXT',
  "UPDATE categories SET colour = 'grey'",
  'CREATE INDEX categories_by_colour ON categories (colour)',
  'CREATE TABLE shelves (id INTEGER PRIMARY KEY)',
];

/** A made-up migration after the last one. */
export const secondMigration: Migration = { version: migrations.length + 1, columns: {}, sqlite: colours, postgres: colours };

/** Adds a migration to those of the program; the result takes it away again. */
export function addMigration(migration: Migration = secondMigration): () => void {
  const list = migrations as Migration[];
  list.push(migration);
  return () => void list.splice(list.indexOf(migration), 1);
}

/** Works with a program that has one more migration than the shops that exist. */
export async function withMigration<T>(work: () => Promise<T>, migration?: Migration): Promise<T> {
  const remove = addMigration(migration);
  try {
    return await work();
  } finally {
    remove();
  }
}
