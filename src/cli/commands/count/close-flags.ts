import { choice } from '../../flags.js';
import { allowShortage } from '../inventory/inventory-arguments.js';

/** The flags that say how a count is closed. */
export const closeFlags = {
  missing: choice({
    long: 'missing',
    value: 'policy',
    summary: 'pets that nobody counted keep their stock, or have none',
    choices: ['keep', 'zero'],
    default: 'keep',
  }),
  allowShortage,
};
