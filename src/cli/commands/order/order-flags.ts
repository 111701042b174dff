import { dateTime, flag, petNamed, wholeNumber } from '../../flags.js';

/** The flags that say what is ordered. */
export const orderFlags = {
  pet: flag('--pet <id>', 'the pet that is ordered', petNamed),
  quantity: flag('--quantity <n>', 'how many units (default: 1)', wholeNumber),
  shipDate: flag('--ship-date <time>', 'when it ships', dateTime),
};
