import { ledgerKind, ledgerEntry, type LedgerEntry } from './ledger-entry.js';
import { idNumber } from '../values/ids.js';
import { lists } from '../operation.js';
import { type Page, fewOf, page, pageParameters, type Slice } from '../values/pages.js';
import { nameText } from '../values/text.js';
import { checkRange, rangeEndText, rangeStartText } from '../values/time.js';
import * as v from 'valibot';

/** Lists ledger entries, oldest first unless asked otherwise. Refuses a range that ends before it starts with `invalid_parameter`. */
export const listLedger = lists({
  id: 'listLedger',
  summary: 'List ledger entries',
  tag: 'Store',
  stability: 'beta',
  path: '/store/ledger',
  input: v.strictObject({
    ...pageParameters(['id']),
    petId: v.optional(fewOf(idNumber)),
    orderId: v.optional(fewOf(idNumber)),
    batchId: v.optional(fewOf(idNumber)),
    kind: v.optional(fewOf(ledgerKind)),
    actor: v.optional(nameText),
    since: v.optional(rangeStartText),
    until: v.optional(rangeEndText),
  }),
  output: ledgerEntry,
  run: async (tx, { limit, cursor, sort, count, ...filter }): Promise<Page<LedgerEntry>> => {
    checkRange('since', filter.since, 'until', filter.until);
    return page('ledger', { limit, cursor, sort, count }, filter, {
      keys: { id: 'id' },
      list: (slice: Slice<'id'>) => tx.ledger.list(filter, slice),
      position: ({ id }) => ({ key: id, id }),
      total: () => tx.ledger.count(filter),
    });
  },
});
