import { ledgerKind, exampleEntry } from './ledger-entry.js';
import { namedEntry, type NamedEntry } from './named-entry.js';
import { flag, optional } from '../values/schemas.js';
import { idNumber } from '../values/ids.js';
import { StoreError } from '../errors.js';
import type { ReadTransaction } from '../transaction.js';
import { eventIdText, isInLedger, markOf, positionExpired, positionIn } from './ledger-position.js';
import { readableEntries, withNames } from './names-of-entries.js';
import { listOperation } from '../operation.js';
import { byId, newestRows, page, pageParameters, valueList, type Page, type Slice } from '../values/pages.js';
import { nameText } from '../values/text.js';
import { rangeIn } from '../reports/range.js';
import { dayOrTime, timeZone } from '../values/time.js';
import * as v from 'valibot';

/** The id of a position that the ledger holds. Refuses another one, of another shop or from before a restored backup, with `cursor_unknown`. */
async function knownId(tx: ReadTransaction, text: string): Promise<number> {
  const position = positionIn(text);
  const [newest] = await tx.ledger.list({}, newestRows(1));
  const found = position === undefined || position.id === newest?.id ? newest : await tx.ledger.get(position.id);
  if (position !== undefined && isInLedger(position, found, newest?.id ?? 0)) return position.id;
  const last = newest === undefined ? 'it is empty' : `its newest entry is ${newest.id}`;
  throw new StoreError(
    'cursor_unknown',
    `The ledger of this shop does not hold entry ${text}: ${last}. It is of another shop, or the shop went back to a backup.`,
  );
}

/** Lists ledger entries, oldest first unless asked otherwise. Refuses a range that ends before it starts with `validation_failed`, the cursor of an entry that the ledger no longer has with `cursor_expired`, and an `after` that it does not hold with `cursor_unknown`. */
export const listLedger = listOperation({
  id: 'listLedger',
  summary: 'List ledger entries',
  description: 'Lists the entries of the ledger, oldest first. Every change of the shop is in it.',
  tag: 'Store',
  stability: 'beta',
  path: '/store/ledger',
  input: v.strictObject({
    ...pageParameters(['id']),
    petId: optional(valueList(idNumber), 'Only entries of these pets.'),
    orderId: optional(valueList(idNumber), 'Only entries of these orders.'),
    batchId: optional(valueList(idNumber), 'Only entries of these bulk imports.'),
    kind: optional(valueList(ledgerKind), 'Only entries of these kinds.'),
    actor: optional(nameText, 'Only entries by this actor.'),
    since: optional(dayOrTime, 'Only entries at or after this: a date-time, or a day in the time zone `tz`.'),
    until: optional(dayOrTime, 'Only entries at or before this: a date-time, or a day in the time zone `tz`, to its end.'),
    tz: timeZone,
    names: flag('Whether to give the names of their pets and categories too, to a token with `pets:read`.'),
    after: optional(eventIdText, 'Only entries after this one: its id, or the id of its event, which also tells whether the ledger still has it.'),
  }),
  output: namedEntry,
  refuses: ['validation_failed', 'cursor_expired', 'cursor_unknown'],
  example: { answer: [exampleEntry] },
  cost: ({ count }) => (count ? 'shop' : 'page'),
  run: async (tx, { limit, cursor, sort, count, tz, names, after, ...others }): Promise<Page<NamedEntry>> => {
    const { from, to } = rangeIn(tz, others.since, others.until, ['since', 'until']);
    const filter = { ...others, since: from, until: to, after: after === undefined ? undefined : await knownId(tx, after) };
    return page('ledger', { limit, cursor, sort, count }, filter, {
      ...byId,
      list: async (slice: Slice<'id'>) => (names ? withNames : readableEntries)(tx, await tx.ledger.list(filter, slice)),
      total: () => tx.ledger.count(filter),
      marks: {
        of: markOf,
        check: async (id, mark) => {
          // A cursor is that of a listed entry, so the ledger lost it when there is none with its id, whatever the newest id is.
          if (!isInLedger({ id, mark }, await tx.ledger.get(id), 0)) throw positionExpired({ id });
        },
      },
    });
  },
});
