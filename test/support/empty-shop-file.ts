import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Engine } from '../../src/storage/engine.js';
import { openSqlite } from '../../src/storage/sqlite/engine.js';
import { memoryFolder } from './memory-folder.js';

async function createEmptyShop(): Promise<Buffer> {
  const folder = mkdtempSync(join(memoryFolder, 'petstore-empty-'));
  const path = join(folder, 'shop.db');
  await (await openSqlite(path, { create: true, waitSeconds: 5 })).close();
  const content = readFileSync(path);
  rmSync(folder, { recursive: true });
  return content;
}

let emptyShop: Promise<Buffer> | undefined;

/** Opens a new shop without rows. Its file is a copy, because creating the schema takes ten times as long. */
export async function openEmptyShop(path: string, waitSeconds: number): Promise<Engine> {
  writeFileSync(path, await (emptyShop ??= createEmptyShop()), { mode: 0o600 });
  return openSqlite(path, { waitSeconds });
}
