import { completeRecords } from '../../completion/completers.js';
import { dateTime, petText, wholeNumber } from '../../readers.js';
import { flag } from '../../flags.js';

/** The flags that say what is ordered. */
export const orderFlags = {
  pet: flag({ long: 'pet', value: 'pet', summary: 'the pet to order, by id or name', read: petText, complete: completeRecords('pet') }),
  quantity: flag({ long: 'quantity', value: 'n', summary: 'the number of units', read: wholeNumber }),
  shipDate: flag({ long: 'ship-date', value: 'time', summary: 'the ship date', ...dateTime }),
};
