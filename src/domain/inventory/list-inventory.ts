import { inventoryItem, inventoryRow, exampleItem } from './inventory-item.js';
import { flag, optional } from '../values/schemas.js';
import { StoreError } from '../errors.js';
import { listOperation } from '../operation.js';
import { byId, page, pageParameters } from '../values/pages.js';
import { petFilter, petSearch, type PetFilter } from '../pets/pet-filter.js';
import { instantOf } from '../reports/range.js';
import { dayOrTime, timeZone } from '../values/time.js';
import { checkMayReadPets } from '../tokens/token.js';
import * as v from 'valibot';

/** Refuses with `invalid_parameter` filters by status, low, short or last count together with `at`: the database has these only for the present. */
function checkPast(at: string | undefined, { status, low, short, notCountedSince }: PetFilter): void {
  if (at === undefined) return;
  const ofPresent = { status: status !== undefined, low, short, notCountedSince: notCountedSince !== undefined };
  const found = Object.entries(ofPresent).find(([, isUsed]) => isUsed === true);
  if (found === undefined) return;
  throw new StoreError('invalid_parameter', `at, ${found[0]}: cannot be combined; leave one of them out.`);
}

/**
 * Lists inventory entries, one of each live pet; with `at`, as they were at that instant, computed from the ledger. Past
 * low-stock levels and names are not recorded, and an order that was edited since counts with its present pet and quantity.
 */
export const listInventory = listOperation({
  id: 'listInventory',
  summary: 'List inventory entries',
  description: 'Lists the inventory entries, one for each pet. For `q` a token needs `pets:read` too.',
  tag: 'Store',
  path: '/store/inventory',
  input: v.strictObject({
    ...pageParameters(['petId']),
    ...petFilter,
    q: petSearch,
    low: flag('Only pets at or below their low-stock level.'),
    short: flag('Only pets with more units reserved than on hand.'),
    notCountedSince: optional(
      dayOrTime,
      'Only pets that were not counted at or after this in a count that was closed and not undone: a date-time, or a day in the time zone `tz`.',
    ),
    at: optional(dayOrTime, 'The time to report on: a date-time, or the end of a day in the time zone `tz`.'),
    tz: timeZone,
  }),
  output: inventoryItem,
  refuses: [],
  example: { answer: [exampleItem] },
  cost: ({ q, at, notCountedSince, count }) => (q !== undefined || at !== undefined || notCountedSince !== undefined || count ? 'shop' : 'page'),
  run: async (tx, { limit, cursor, sort, count, at: time, tz, notCountedSince: since, ...others }) => {
    if (others.q !== undefined) checkMayReadPets(tx.scopes, 'q');
    const at = time && instantOf(time, 'end', tz, 'at');
    const filter: PetFilter = { ...others, notCountedSince: since && instantOf(since, 'start', tz, 'notCountedSince') };
    checkPast(at, filter);
    const searched = { ...filter, at };
    const answer = await page('inventory', { limit, cursor, sort, count }, searched, {
      keys: { petId: 'id' },
      list: (slice) => (at === undefined ? tx.pets.list(filter, { ...slice, sort: 'id' }) : tx.pets.listAt(at, filter, { ...slice, sort: 'id' })),
      position: byId.position,
      total: () => (at === undefined ? tx.pets.count(filter) : tx.pets.countAt(at, filter)),
    });
    return { ...answer, items: answer.items.map((row) => inventoryRow(row, tx)) };
  },
});
