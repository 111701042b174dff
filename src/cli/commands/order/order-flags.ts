import { completeRecords } from '../../completion/completers.js';
import { dueTime, petText, unitCount } from '../../readers.js';
import type { OrderFields } from '../../../domain/orders/order.js';
import { flag, type Flag } from '../../flags.js';

/** The flags that say what is ordered. */
export const orderFlags = {
  pet: flag({ long: 'pet', value: 'pet', summary: 'the pet to order, by id or name', read: petText, complete: completeRecords('pet') }),
  quantity: flag({ long: 'quantity', value: 'n', summary: 'the number of units', read: unitCount }),
  shipDate: flag({ long: 'ship-date', value: 'time', summary: 'the ship date', ...dueTime }),
} satisfies Readonly<Record<'pet' | keyof Omit<OrderFields, 'petId'>, Flag<unknown>>>;
