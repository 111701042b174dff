import { describe, expect, test } from 'vitest';
import { cancelOrder } from '../../src/domain/orders/cancel-order.js';
import { placeOrder } from '../../src/domain/orders/place-order.js';
import type { DoctorRequest } from '../../src/domain/maintenance/maintenance.js';
import type { MaintenanceContext } from '../../src/storage/engine-definition.js';
import { maintenanceOf } from '../../src/storage/engines.js';
import { sql } from '../../src/storage/sql.js';
import { addressOf, shown } from '../support/postgres.js';
import { expectRefusal } from '../support/expect-refusal.js';
import { clock, shopOn, inDatabase, withEnginesAt, createOnePet } from '../support/postgres-engines.js';

const checkShop = async (context: MaintenanceContext, request: DoctorRequest) => (await maintenanceOf(context, 'doctor')).check(context, request);

describe.skipIf(addressOf('') === undefined)('maintenance of a shop in PostgreSQL', () => {
  test('doctor checks the rules of the shop and no file checks', () =>
    inDatabase(async (address) => {
      await withEnginesAt(1, address, ([engine]) => (engine ? createOnePet(engine, 3) : Promise.reject(new Error('There is no engine.'))));
      const care = { store: address, where: shown(address), waitSeconds: 5, nativeBinding: undefined, actor: 'ana', clock };
      const asked = { repair: false, dryRun: false, confirm: () => Promise.reject(new Error('Nothing is asked.')) };
      const sound = await checkShop(care, asked);
      expect([sound.ok, sound.checks.map(({ status }) => status)]).toEqual([true, sound.checks.map(() => 'pass')]);
      await withEnginesAt(1, address, async ([engine]) => engine?.write((queries) => queries.run(sql`UPDATE stock SET quantity = 9`)));
      const { ok, checks } = await checkShop(care, asked);
      expect([ok, checks.filter(({ status }) => status !== 'pass')]).toEqual([
        false,
        [{ name: 'stock', status: 'fail', message: 'Pet 1: the stock is not the sum of the ledger entries.' }],
      ]);
      const without = async (...texts: readonly string[]) => {
        await withEnginesAt(1, address, async ([one]) => {
          for (const text of texts) await one?.write((queries) => queries.run({ text, values: [] }));
        });
        return (await checkShop(care, asked)).checks.find(({ name }) => name === 'triggers');
      };
      const drop = 'DROP TRIGGER ledger_keeps_rows ON ledger';
      const advice = 'Copy the shop into an empty database, which gets all triggers (petstore copy).';
      const missing = 'trigger ledger_keeps_rows missing';
      expect(await without(drop)).toEqual({ name: 'triggers', status: 'fail', message: `${missing}. ${advice}` });
      expect((await without('ALTER TABLE batches DISABLE TRIGGER batches_keep_values'))?.message).toBe(
        `${missing}; trigger batches_keep_values disabled. ${advice}`,
      );
    }));

  test('a change that finds too few reserved units is refused, and doctor sets them to those of the open orders', () =>
    inDatabase(async (address) => {
      const care = { store: address, where: shown(address), waitSeconds: 5, nativeBinding: undefined, actor: 'ana', clock };
      const repairs = ['Set the reserved units of pet 1 to 2, the sum of the open orders (was 1).'];
      const asked = { repair: true, dryRun: false, confirm: async (plan: readonly string[]) => expect(plan).toEqual(repairs) };
      await withEnginesAt(1, address, async ([engine]) => {
        if (engine === undefined) return;
        await createOnePet(engine, 3);
        await shopOn(engine).call(placeOrder, { body: { petId: 1, quantity: 2 } });
        await engine.write((queries) => queries.run(sql`UPDATE stock SET reserved = 1`));
        await expectRefusal('store_unreadable', shopOn(engine).call(cancelOrder, { orderId: 1 }), /fewer units of a pet are reserved/);
        expect((await checkShop(care, { ...asked, repair: false })).checks.filter(({ status }) => status !== 'pass')).toEqual([
          { name: 'reserved units', status: 'fail', message: 'Pet 1: the reserved units are not those of the open orders; --repair fixes this.' },
        ]);
        expect(await checkShop(care, { ...asked, dryRun: true })).toMatchObject({ ok: false, repaired: repairs });
        expect(await checkShop(care, asked)).toMatchObject({ ok: true, repaired: repairs });
        expect(await checkShop(care, asked)).toMatchObject({ ok: true, repaired: [] });
        await shopOn(engine).call(cancelOrder, { orderId: 1 });
      });
    }));
});
