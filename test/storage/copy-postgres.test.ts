import { describe, expect, test } from 'vitest';
import { createCategory } from '../../src/domain/categories/create-category.js';
import { hintOf } from '../../src/cli/hints.js';
import { storeAddress } from '../../src/settings/store-address.js';
import { copied, copyShop, inspectShop } from '../../src/storage/copy/copy-shop.js';
import { copyStores } from '../../src/storage/copy/copy-stores.js';
import { sql } from '../../src/storage/sql.js';
import { dump } from '../support/cli.js';
import { csv } from '../support/files.js';
import { addressOf, freshDatabase, openShop, shown } from '../support/postgres.js';
import { expectRefusal } from '../support/expect-refusal.js';
import { notCopied, shopOn, withConcurrentOrders, inDatabase, inFiles, fillShop, withAlteredRows } from '../support/copied-shop.js';
import { changeFile } from '../support/raw-store.js';

describe.skipIf(addressOf('') === undefined)('PostgreSQL', () => {
  test('the copied tables are those of the PostgreSQL schema', () =>
    inDatabase(async ({ engine }) => {
      interface Found {
        readonly table: string;
        readonly column: string;
        readonly type: string;
      }
      const found = await engine.read((queries) =>
        // Without views and generated columns.
        queries.all<Found>(sql`SELECT c.table_name AS "table", c.column_name AS "column", c.data_type AS type FROM information_schema.columns c
          JOIN information_schema.tables t ON t.table_schema = c.table_schema AND t.table_name = c.table_name
          WHERE c.table_schema = 'public' AND t.table_type = 'BASE TABLE' AND c.is_generated = 'NEVER' ORDER BY c.table_name, c.column_name`),
      );
      const kept = found.filter(({ table }) => !notCopied.includes(table));
      expect([...new Set(found.map(({ table }) => table))].filter((table) => notCopied.includes(table))).toEqual(notCopied);
      const listed = copied.flatMap(({ name, columns }) => Object.entries(columns).map(([column, kind]) => `${name} ${column} ${kind}`));
      expect(kept.map(({ table, column, type }) => `${table} ${column} ${type === 'text' ? 'text' : 'number'}`).toSorted()).toEqual(listed.toSorted());
    }));

  test('a shop copied to a database and back has the same rows', () =>
    inFiles((from, to) =>
      inDatabase(async (database, another) => {
        await fillShop(from);
        const tables = await copyShop(from, database);
        expect(await inspectShop(database)).toEqual(tables);
        expect(await copyShop(database, to)).toEqual(tables);
        expect(dump(to.where)).toEqual(dump(from.where));
        await inDatabase(async (next) => {
          expect(await copyShop({ ...database, engine: await another() }, next)).toEqual(tables);
          expect(await shopOn(next.engine).call(createCategory, { body: { name: 'Next' } })).toMatchObject({ id: 5, name: 'Next' });
        });
      }),
    ));

  test('a NUL in a refused cell is replaced in a database', () =>
    inFiles((from, to) =>
      inDatabase(async (database) => {
        await shopOn(from.engine).importStock(csv('petId,quantity', '1,x'), { mode: 'atomic' });
        changeFile(from.where, String.raw`UPDATE batch_errors SET value = 'a' || char(0) || '\u0000\'`);
        const tables = await copyShop(from, database);
        expect(await copyShop(database, to)).toEqual(tables);
        expect(dump(to.where)['batch_errors']).toMatchObject([{ value: 'a\uFFFD\\u0000\\' }]);
      }),
    ));

  test('a shop can be written while it is copied from a database', () =>
    inFiles((from, to) =>
      inDatabase(async (database, another) => {
        await fillShop(from);
        await copyShop(from, database);
        const other = await another();
        const { home, placed } = withConcurrentOrders(to, other);
        await copyShop(database, home);
        await other.close();
        expect(placed()).toBe(copied.length);
        expect(dump(to.where)).toEqual(dump(from.where));
      }),
    ));

  test('a dry run creates no tables, a missing database is refused with what to do, and a copy has statistics', () =>
    inFiles(async (from) => {
      await fillShop(from);
      const { address, drop } = await freshDatabase(true);
      const copyTo = (to: string, dryRun: boolean) =>
        copyStores(storeAddress(from.where), storeAddress(to), { dryRun, waitSeconds: 5, nativeBinding: undefined });
      expect(await copyTo(address, true)).toMatchObject({ to: shown(address), verified: false });
      await expectRefusal('store_missing', openShop(address), /There is no shop at/);
      for (const dryRun of [true, false]) {
        const missing = await expectRefusal('store_missing', copyTo(address.replace(/\/[^/]*$/, '/nowhere'), dryRun), /There is no database at/);
        expect(hintOf(missing)).toEqual({ advice: 'Create it first (createdb), then run: petstore init' });
      }
      await copyTo(address, false);
      const engine = await openShop(address);
      // Without statistics, lists of a large shop take many times longer.
      const planned = sql`SELECT reltuples = (SELECT count(*) FROM ledger) AS known FROM pg_class WHERE relname = 'ledger'`;
      expect(await engine.read((queries) => queries.get(planned))).toEqual({ known: true });
      await engine.close();
      await drop();
    }));

  test('refuses to copy to a database that is not empty, and leaves it empty when rows differ', () =>
    inFiles((from) =>
      inDatabase(async (database) => {
        await fillShop(from);
        const broken = withAlteredRows(database.engine, 'write', 'pets', (rows) => rows.map((row) => row.with(1, 'Rax')));
        await expectRefusal('store_unreadable', copyShop(from, { ...database, engine: broken }), /The copy of pets at the database/);
        const tables = await copyShop(from, database);
        await expectRefusal('store_not_empty', copyShop(from, database), /the database has a shop already, with \d pets;/);
        expect(await inspectShop(database)).toEqual(tables);
      }),
    ));
});
