import { renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Engine } from '../../src/storage/engine.js';
import { openSqlite } from '../../src/storage/sqlite/engine.js';
import { dump } from '../support/cli.js';
import { inDirectory } from '../support/stores.js';
import { expectRefusal } from '../support/expect-refusal.js';
import { insert, names } from '../support/sqlite-engine.js';
import { testServed } from '../support/server.js';

/** Moves a shop and its WAL to another path. */
function move(from: string, to: string): void {
  for (const part of ['', '-wal', '-shm']) renameSync(`${from}${part}`, `${to}${part}`);
}

async function fresh(path: string): Promise<void> {
  const engine = await openSqlite(path, { create: true, waitSeconds: 5 });
  await engine.write((queries) => queries.run(insert('of the other shop')));
  await engine.close();
}

/** Expects that an open shop refuses reads and writes. */
async function expectAllRefused(engine: Engine, reason: RegExp): Promise<void> {
  for (let turn = 0; turn < 3; turn += 1) {
    await expectRefusal(
      'store_unreadable',
      engine.read((queries) => queries.all(names)),
      reason,
    );
    await expectRefusal(
      'store_unreadable',
      engine.write((queries) => queries.run(insert(`turn ${turn}`))),
      reason,
    );
  }
}

test('a shop whose file is removed or replaced while open refuses reads and writes', () =>
  inDirectory(async (directory) => {
    const [path, away] = [join(directory, 'shop.db'), join(directory, 'away.db')];
    const engine = await openSqlite(path, { create: true, waitSeconds: 5 });
    try {
      await engine.write((queries) => queries.run(insert('first')));
      expect(await engine.read((queries) => queries.all(names))).toEqual([{ name: 'first' }]);
      move(path, away);
      await expectAllRefused(engine, /shop\.db was removed while it was in use/);
      await fresh(path);
      const other = dump(path);
      await expectAllRefused(engine, /shop\.db was replaced by another file while it was in use/);
      expect([dump(path), dump(away)['categories']]).toEqual([other, [expect.objectContaining({ name: 'first' })]]);
      rmSync(path);
      move(away, path);
      // Moved back, it is the same shop again.
      await engine.write((queries) => queries.run(insert('second')));
      expect(await engine.read((queries) => queries.all(names))).toEqual([{ name: 'first' }, { name: 'second' }]);
    } finally {
      await engine.close();
    }
  }));

test('a shop whose file comes back is never mixed with the file that replaced it', () =>
  inDirectory(async (directory) => {
    const [path, away, other] = [join(directory, 'shop.db'), join(directory, 'away.db'), join(directory, 'other.db')];
    await fresh(other);
    const maker = await openSqlite(path, { create: true, waitSeconds: 5 });
    await maker.write((queries) => queries.run(insert('first')));
    await maker.close();
    const engine = await openSqlite(path, { waitSeconds: 5 });
    try {
      renameSync(path, away);
      renameSync(other, path);
      // The write connection is opened at the first write.
      await expectAllRefused(engine, /was replaced by another file/);
      renameSync(path, other);
      renameSync(away, path);
      await engine.write((queries) => queries.run(insert('second')));
      expect(await engine.read((queries) => queries.all(names))).toEqual([{ name: 'first' }, { name: 'second' }]);
    } finally {
      await engine.close();
    }
    expect(dump(path)['categories']).toMatchObject([{ name: 'first' }, { name: 'second' }]);
  }));

testServed('a server whose file is removed or replaced reports it and changes neither file', async ({ http, store, pet, expectUnchanged, log }) => {
  await pet({ quantity: 5 });
  expect((await http('GET', '/readyz')).status).toBe(200);
  const away = `${store}.away`;
  const everyone = async (): Promise<void> => {
    for (const [method, url, body] of [
      ['GET', '/pets'],
      ['GET', '/pets?count=true'],
      ['GET', '/store/inventory/1'],
      ['POST', '/categories', { name: 'Cats' }],
      ['POST', '/store/orders', { petId: 1 }],
      ['POST', '/store/calls', { operation: 'holdPet', inputs: [{ petId: 1 }] }],
      ['DELETE', '/pets/1'],
    ] as const) {
      const { status, code } = await http(method, url, { body });
      expect([method, url, status, code]).toEqual([method, url, 503, 'store_unreadable']);
    }
    expect((await http('GET', '/livez')).status).toBe(200);
    const { code, text } = await http('GET', '/readyz');
    // The probe is public, so only the log has details.
    expect([code, text.includes(store)]).toEqual(['store_unreachable', false]);
    expect(log.at(-1)).toMatchObject({ url: '/readyz', status: 503, code, cause: expect.stringContaining(store) });
  };
  await expectUnchanged(async () => {
    move(store, away);
    try {
      await everyone();
      await fresh(store);
      const other = dump(store);
      await everyone();
      expect(dump(store)).toEqual(other);
    } finally {
      rmSync(store, { force: true });
      move(away, store);
    }
  });
  expect((await http('GET', '/readyz')).status).toBe(200);
  expect(log.filter(({ msg }) => msg === 'failure')).toEqual([]);
});
