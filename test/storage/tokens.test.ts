import Database from 'better-sqlite3';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { localShop } from '../../src/storage/shop.js';
import { openSqlite } from '../../src/storage/sqlite/engine.js';
import { inDirectory } from '../support/stores.js';

const clock = () => Date.parse('2026-11-20T09:00:00Z');

/** The content of all files of a folder, concatenated. */
async function bytesOf(directory: string): Promise<Buffer> {
  const names = await readdir(directory);
  return Buffer.concat(await Promise.all(names.map((name) => readFile(join(directory, name)))));
}

/** A secret in every encoding in which it could be stored. */
function spellings(text: string): readonly (string | Buffer)[] {
  const secret = text.slice(-43);
  const bytes = Buffer.from(secret, 'base64url');
  return [text, secret, bytes, bytes.toString('hex'), bytes.toString('base64')];
}

test('the text of a token is not stored in the files of a shop', async () => {
  await inDirectory(async (directory) => {
    const path = join(directory, 'shop.db');
    const engine = await openSqlite(path, { create: true, waitSeconds: 1 });
    const { tokens } = localShop(engine, { actor: 'ana', source: 'cli', clock }, path);
    const { text } = await tokens.create({ name: 'till', scopes: ['admin'] });
    const dry = await tokens.create({ name: 'web', scopes: ['admin'] }, { dryRun: true });
    await tokens.check(text);
    await tokens.used(1);
    await tokens.revoke('till');
    // Changes are in the WAL while a connection is open, and afterwards in the file.
    const names = await readdir(directory);
    const [during, after] = [await bytesOf(directory), await engine.close().then(() => bytesOf(directory))];
    expect(names).toContain('shop.db-wal');
    for (const bytes of [during, after]) {
      expect(bytes.includes('till')).toBe(true);
      for (const spelling of [...spellings(text), ...spellings(dry.text)]) expect(bytes.includes(spelling)).toBe(false);
    }
  });
});

test('tokens stay valid while the shop is busy', async () => {
  await inDirectory(async (directory) => {
    const path = join(directory, 'shop.db');
    const engine = await openSqlite(path, { create: true, waitSeconds: 0.01 });
    const { tokens } = localShop(engine, { actor: 'ana', source: 'cli', clock }, path);
    const { token, text } = await tokens.create({ name: 'till', scopes: ['admin'] });
    const other = new Database(path);
    other.exec('BEGIN IMMEDIATE');
    expect(await tokens.check(text)).toEqual(token);
    await tokens.used(token.id);
    other.close();
    expect(await tokens.list()).toEqual([token]);
    await engine.close();
  });
});
