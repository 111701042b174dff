import { ledgerKind, ledgerEntry, type LedgerEntry, exampleEntry } from './ledger-entry.js';
import { optional } from '../values/schemas.js';
import { idNumber } from '../values/ids.js';
import { isInLedger, markOf, positionExpired } from './ledger-position.js';
import { listOperation } from '../operation.js';
import { byId, page, pageParameters, valueList, type Page, type Slice } from '../values/pages.js';
import { nameText } from '../values/text.js';
import { rangeIn } from '../reports/range.js';
import { dayOrTime, timeZone } from '../values/time.js';
import * as v from 'valibot';

/** Lists ledger entries, oldest first unless asked otherwise. Refuses a range that ends before it starts with `validation_failed`, and the cursor of an entry that the ledger no longer has with `cursor_expired`. */
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
  }),
  output: ledgerEntry,
  refuses: ['validation_failed', 'cursor_expired'],
  example: { answer: [exampleEntry] },
  cost: ({ count }) => (count ? 'shop' : 'page'),
  run: async (tx, { limit, cursor, sort, count, tz, ...others }): Promise<Page<LedgerEntry>> => {
    const { from, to } = rangeIn(tz, others.since, others.until, ['since', 'until']);
    const filter = { ...others, since: from, until: to };
    return page('ledger', { limit, cursor, sort, count }, filter, {
      ...byId,
      list: (slice: Slice<'id'>) => tx.ledger.list(filter, slice),

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
