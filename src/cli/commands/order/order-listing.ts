import { completeRecords } from '../../completion/completers.js';
import { orderColumns } from './order-columns.js';
import type { Call } from '../../../domain/call.js';
import { findPets } from '../../../domain/pets/find-pet.js';
import { StoreError } from '../../../domain/errors.js';
import type { Context } from '../../command.js';
import { zoneOfRange } from '../../list-command.js';
import { listOrders } from '../../../domain/orders/list-orders.js';
import { repeatedFlag, sortBy, timeFlag, toggle } from '../../flags.js';
import { petText } from '../../readers.js';

/** What a list of orders and its export share. */
export const orderListing = {
  operation: listOrders,
  columns: orderColumns,
  flags: {
    pet: repeatedFlag({
      long: 'pet',
      value: 'pet',
      summary: 'only orders for this pet, by id or name; may be repeated',
      isMeantBy: () => true,
      read: petText,
      complete: completeRecords('pet'),
    }),
    open: toggle({ long: 'open', summary: 'only open orders with a pet' }),
    draft: toggle({ long: 'draft', summary: 'only orders without a pet' }),
    overdue: toggle({ long: 'overdue', summary: 'only open orders with a ship date in the past' }),
    complete: toggle({ long: 'complete', summary: 'only complete orders' }),
    from: timeFlag('start', { long: 'from', summary: 'only orders that ship on or after this day or time' }),
    to: timeFlag('end', { long: 'to', summary: 'only orders that ship on or before this day or time' }),
    sort: sortBy(['id', 'shipDate']),
  },
  input: async ({ pet, open, draft, overdue, complete, from, to, sort }: ListedFlags, call: Call, { zone }: Pick<Context, 'zone'>) => {
    if ([open, draft, overdue, complete].filter(Boolean).length > 1)
      throw new StoreError('usage', '--open, --draft, --overdue and --complete exclude each other.');
    const petId = pet && (await findPets(call, pet));
    const state = { complete: open || draft ? false : complete, draft: draft ?? (open && false), overdue };
    return { petId, ...state, shipDateFrom: from, shipDateTo: to, ...zoneOfRange(from, to, zone), sort };
  },
} as const;

interface ListedFlags {
  readonly pet: readonly string[] | undefined;
  readonly open: true | undefined;
  readonly draft: true | undefined;
  readonly overdue: true | undefined;
  readonly complete: true | undefined;
  readonly from: string | undefined;
  readonly to: string | undefined;
  readonly sort: 'id' | '-id' | 'shipDate' | '-shipDate' | undefined;
}
