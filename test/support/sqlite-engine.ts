import { join } from 'node:path';
import type { Engine } from '../../src/storage/engine.js';
import { sql, type Sql } from '../../src/storage/sql.js';
import { openEmptyShop } from './empty-shop-file.js';
import { inDirectory } from './stores.js';

/** Selects the names of all categories. */
export const names = sql`SELECT name FROM categories ORDER BY id`;

/** Inserts a category. */
export function insert(name: string): Sql {
  return sql`INSERT INTO categories (name, folded) VALUES (${name}, ${name})`;
}

/** The names of all categories. */
export async function categories(engine: Engine): Promise<readonly string[]> {
  return (await engine.read((queries) => queries.all<{ readonly name: string }>(names))).map(({ name }) => name);
}

/** Runs work with an engine over a new file. */
export async function withEngine(work: (engine: Engine, path: string) => Promise<void>, waitSeconds = 5): Promise<void> {
  await inDirectory(async (directory) => {
    const path = join(directory, 'shop.db');
    const engine = await openEmptyShop(path, waitSeconds);
    try {
      await work(engine, path);
    } finally {
      await engine.close();
    }
  });
}
