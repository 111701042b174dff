import { available } from '../inventory/stock.js';
import { movementFiguresOf } from './movement-figures.js';
import { withNames } from '../ledger/names-of-entries.js';
import { orderRow } from '../orders/order.js';
import { summary, exampleSummary, shownEntries, shownLowPets, shownOrders, shownUnhealthyHooks, type Summary } from './summary.js';
import { dayAt, endOfDay, startOfDay } from '../values/time-zone.js';
import { formatDateTime, timeZone } from '../values/time.js';
import { readOperation } from '../operation.js';
import { mayReadPets } from '../tokens/token.js';
import type { ReadTransaction } from '../transaction.js';
import { newestRows, oldestRows } from '../values/pages.js';
import { flag } from '../values/schemas.js';
import * as v from 'valibot';

const shownBatches = 5;

/** The orders that are due until an instant or overdue. */
async function ordersDue(tx: ReadTransaction, until: number): Promise<Summary['dueOrders']> {
  const filter = { complete: false, draft: false, shipDateTo: formatDateTime(until) };
  const orders = await tx.orders.list(filter, { limit: shownOrders, sort: 'shipDate', descending: false, from: undefined });
  return orders.map((order) => orderRow(order, tx));
}

/** Reads the figures of the whole shop. */
export const getSummary = readOperation({
  id: 'getSummary',
  summary: 'Read the figures of the whole shop',
  description:
    'Reads the figures of the whole shop: categories, pets by status, orders, units, what moved today, what needs attention, webhooks that are paused or failing, and the last bulk imports; with `lists` also the orders that are due and the last ledger entries. Pets are named only to a token with `pets:read`.',
  tag: 'Store',
  stability: 'beta',
  path: '/store/summary',
  input: v.strictObject({ tz: timeZone, lists: flag('Whether to list the orders that are due and the last ledger entries too.') }),
  output: summary,
  refuses: [],
  example: { answer: exampleSummary },
  cost: 'shop',
  run: async (tx, { tz, lists }): Promise<Summary> => {
    const entries = await tx.ledger.list({}, newestRows(lists ? shownEntries : 1));
    const lastBatches = await tx.batches.list(newestRows(shownBatches));
    const day = dayAt(tx.now, tz);
    const end = endOfDay(day, tz);
    const figures = await tx.summary.figures(tx.now, end);
    const { sold, received, returned } = movementFiguresOf(0, await tx.summary.movedSince(startOfDay(day, tz)));
    const low =
      figures.low === 0 || !mayReadPets(tx.scopes)
        ? []
        : await tx.pets.list({ low: true }, { limit: shownLowPets, sort: 'id', descending: false, from: undefined });
    const lowPets = low.map((pet) => ({ petId: pet.id, name: pet.name, available: available(pet) }));
    const unhealthy = await tx.hooks.list({ unhealthy: true }, oldestRows(shownUnhealthyHooks));
    const unhealthyHooks = unhealthy.map(({ id, state, attempts, position, waiting }) => ({ hookId: id, state, attempts, position, waiting }));
    return {
      ...figures,
      today: { sold, received, returned },
      lowPets,
      unhealthyHooks,
      newestEntry: entries[0]?.id ?? 0,
      lastBatches: [...lastBatches],
      ...(lists && { dueOrders: await ordersDue(tx, end), lastEntries: await withNames(tx, entries) }),
    };
  },
});
