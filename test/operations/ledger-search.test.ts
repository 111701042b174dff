import { expect } from 'vitest';
import { setLowAt } from '../../src/domain/inventory/set-low-at.js';
import type { LedgerEntry, LedgerKind } from '../../src/domain/ledger/ledger-entry.js';
import { listLedger } from '../../src/domain/ledger/list-ledger.js';
import { updatePet } from '../../src/domain/pets/update-pet.js';
import { csv } from '../support/files.js';
import { testOnEveryStore } from '../support/stores.js';
import type { TestShop } from '../support/test-shop.js';

const atomic = { mode: 'atomic' } as const;

interface Filter {
  readonly kind?: LedgerKind[];
  readonly actor?: string;
  readonly batchId?: number[];
}

/** Imports by two actors, with several entries to a row, between changes by hand; one import is undone. */
async function fillLedger({ call, shop, shopOf, pet }: TestShop): Promise<void> {
  const ben = shopOf('ben');
  for (let index = 0; index < 3; index += 1) await pet({ quantity: 5 });
  await call(setLowAt, { petId: 2, body: { lowAt: 4 } });
  await shop.importPets(csv('name,category,status', 'Rex,New dogs,pending', 'Max,New cats,available', 'Tom,New cats,pending'), {
    ...atomic,
    createCategories: true,
  });
  await shop.importStock(csv('petId,quantity', '1,7', '2,3', '3,9'), atomic);
  await ben.call(updatePet, { petId: 1, body: { name: 'Bello' } });
  const { batch } = await ben.importStock(csv('petId,delta', '2,4', '3,-1'), atomic);
  await ben.importStock(csv('petId,quantity', '1,8'), atomic);
  await call(updatePet, { petId: 1, body: { name: 'Rex' } });
  await shop.undoBatch(batch ?? 0, {});
  await shop.importStock(csv('petId,quantity', '2,1', '3,2'), atomic);
}

function meets({ kind, actor, batchId }: Filter, entry: LedgerEntry): boolean {
  const isOfBatch = batchId === undefined || (entry.batchId !== undefined && batchId.includes(entry.batchId));
  return isOfBatch && (kind === undefined || kind.includes(entry.kind)) && (actor === undefined || entry.actor === actor);
}

const filters: readonly Filter[] = [undefined, 'ana', 'ben', 'zoe'].flatMap((actor) =>
  [undefined, [1], [2], [3], [2, 3], [99]].flatMap((batchId) =>
    [undefined, ['count'], ['adjust', 'undo'], ['opening', 'pet.held'], ['inventory.low', 'category.created', 'pet.updated'], []].map((kind) => ({
      ...(actor !== undefined && { actor }),
      ...(batchId !== undefined && { batchId }),
      ...(kind !== undefined && { kind: kind as LedgerKind[] }),
    })),
  ),
);

testOnEveryStore('searches of the ledger by import, kind and actor find exactly the entries that match, on every page', async (shop) => {
  await fillLedger(shop);
  const every = await shop.ledger();
  for (const kind of ['inventory.low', 'pet.held', 'category.created', 'undo', 'adjust']) expect(every.map((entry) => entry.kind)).toContain(kind);
  for (const filter of filters) {
    const matching = every.filter((entry) => meets(filter, entry));
    for (const sort of ['id', '-id'] as const) {
      const found: LedgerEntry[] = [];
      let cursor: string | undefined;
      do {
        const page = await shop.call(listLedger, { ...filter, sort, limit: matching.length > 6 ? 4 : 2, cursor, count: cursor === undefined });
        if (cursor === undefined) expect([filter, page.total]).toEqual([filter, matching.length]);
        found.push(...page.items);
        cursor = page.next;
      } while (cursor !== undefined);
      expect([filter, found]).toEqual([filter, sort === 'id' ? matching : matching.toReversed()]);
    }
  }
});
