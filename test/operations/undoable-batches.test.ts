import { expect } from 'vitest';
import { addCountLines } from '../../src/domain/counts/add-count-lines.js';
import { closeCount } from '../../src/domain/counts/close-count.js';
import { startCount } from '../../src/domain/counts/start-count.js';
import { listBatches } from '../../src/domain/imports/list-batches.js';
import { batchConflict } from '../../src/domain/imports/undo-batch.js';
import { lookUp } from '../../src/storage/tables/look-up.js';
import { csv } from '../support/files.js';
import { createThreePets } from '../support/stock.js';
import { testOnEveryEngine } from '../support/stores.js';

testOnEveryEngine('completion of undo offers the batches that an undo would not refuse', async (tested) => {
  const { call, shop, engine } = tested;
  await createThreePets(tested);
  await shop.importPets(csv('name,category', 'Leo,1'), { mode: 'atomic' });
  await shop.importStock(csv('petId,quantity', '1,20'), { mode: 'atomic' });
  await shop.importStock(csv('petId,delta', '1,5', '99,1'), { mode: 'keep-going' });
  const undone = await shop.importStock(csv('petId,delta', '2,5'), { mode: 'atomic' });
  await shop.undoBatch(undone.batch ?? 0, {});
  await shop.importStock(csv('petId,delta', '99,1'), { mode: 'atomic' });
  await call(startCount, { body: {} });
  await call(addCountLines, { countId: 1, body: { lines: [{ petId: 1, number: 3 }] } });
  await call(closeCount, { countId: 1, body: {} });
  const { items } = await call(listBatches, {});
  expect(new Set(items.map(({ kind, state }) => `${kind} ${state}`))).toEqual(
    new Set(['pets applied', 'stock applied', 'stock partial', 'stock undone', 'stock refused', 'count applied']),
  );
  const offered = await engine.read((queries) => lookUp(queries, 'undoableBatch', ''));
  const undoable = items.filter((batch) => batchConflict(batch) === undefined).map(({ id }) => id);
  expect(offered.map(({ id }) => id)).toEqual(undoable.toReversed());
});
