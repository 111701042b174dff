import { record, field, optional } from '../values/schemas.js';
import { exampleNamedEntry, namedEntry } from '../ledger/named-entry.js';
import { completeOrder } from '../orders/order.js';
import { hookState } from '../hooks/hook.js';
import { exampleBatch, batch } from '../imports/batch.js';
import { idNumber } from '../values/ids.js';
import { wholeNumber } from '../values/numbers.js';
import { nameText } from '../values/text.js';
import type { Movement } from './report-table.js';
import * as v from 'valibot';

/** How many of the low pets have their names in the summary. */
export const shownLowPets = 8;

/** How many of the webhooks that are paused or failing are in the summary. */
export const shownUnhealthyHooks = 8;

/** How many of the orders that are due are in the summary where they are asked for. */
export const shownOrders = 8;

/** How many of the last ledger entries are in it then. */
export const shownEntries = 12;

/** The figures of the whole shop. */
export const summary = record('Summary', 'The figures of the whole shop.', {
  categories: field(wholeNumber, 'Number of categories.'),
  pets: field(v.object({ available: wholeNumber, pending: wholeNumber, sold: wholeNumber }), 'Number of pets by status.'),
  orders: field(v.object({ draft: wholeNumber, open: wholeNumber, complete: wholeNumber }), 'Number of drafts, open orders and complete orders.'),
  units: field(
    v.object({ onHand: wholeNumber, reserved: wholeNumber, held: wholeNumber, available: wholeNumber }),
    'Units on hand, reserved for open orders, of pets on hold and not reserved, and available for sale now.',
  ),
  low: field(wholeNumber, 'Number of pets at or below their low-stock level.'),
  short: field(wholeNumber, 'Number of pets with more units reserved than on hand.'),
  due: field(wholeNumber, 'Number of open orders with a ship date later today, in the time zone `tz`.'),
  overdue: field(wholeNumber, 'Number of open orders with a ship date in the past.'),
  today: field(
    v.object({ sold: wholeNumber, received: wholeNumber, returned: wholeNumber }),
    'Units sold, received and returned since the start of the day in the time zone `tz`.',
  ),
  lowPets: field(
    v.array(v.object({ petId: idNumber, name: nameText, available: wholeNumber })),
    `The first ${shownLowPets} pets at or below their low-stock level, with their units available for sale.`,
  ),
  unhealthyHooks: field(
    v.array(v.object({ hookId: idNumber, state: hookState, attempts: wholeNumber, position: wholeNumber, waiting: wholeNumber })),
    `The first ${shownUnhealthyHooks} webhooks that are paused or whose next event failed, with the ledger entries that wait.`,
  ),
  newestEntry: field(wholeNumber, 'ID of the newest ledger entry, which these figures include; 0 in an empty ledger.'),
  lastBatches: field(v.array(batch), 'The last five bulk imports, newest first.'),
  dueOrders: optional(
    v.array(completeOrder),
    `With \`lists\`: the first ${shownOrders} open orders with a ship date today or in the past, in the time zone \`tz\`.`,
  ),
  lastEntries: optional(v.array(namedEntry), `With \`lists\`: the last ${shownEntries} ledger entries, newest first.`),
});

/** The figures of the whole shop. */
export type Summary = v.InferOutput<typeof summary>;

/** The figures of the whole shop, without those of the ledger and the imports. */
export type ShopFigures = Omit<Summary, 'newestEntry' | 'lastBatches' | 'lowPets' | 'unhealthyHooks' | 'today' | 'dueOrders' | 'lastEntries'>;

/** Read access to the figures of the shop. */
export interface SummaryReader {
  /** The figures at an instant (ms since 1970), before which a ship date is past, and whose day ends at `endOfDay`. */
  figures(now: number, endOfDay: number): Promise<ShopFigures>;
  /** The movements since an instant, with what imports added, as rows of a report. */
  movedSince(start: number): Promise<readonly Movement[]>;
}

/** The figures in the examples of the OpenAPI document. */
export const exampleSummary: Summary = {
  categories: 3,
  pets: { available: 3, pending: 1, sold: 1 },
  orders: { draft: 1, open: 2, complete: 9 },
  units: { onHand: 44, reserved: 2, held: 0, available: 42 },
  low: 1,
  short: 0,
  due: 1,
  overdue: 1,
  today: { sold: 4, received: 12, returned: 1 },
  lowPets: [{ petId: 13, name: 'Guppy', available: 3 }],
  unhealthyHooks: [{ hookId: 3, state: 'active', attempts: 2, position: 1204, waiting: 4 }],
  newestEntry: 1208,
  lastBatches: [exampleBatch],
  lastEntries: [exampleNamedEntry],
};
