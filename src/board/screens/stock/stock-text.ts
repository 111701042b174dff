import { numberText } from '../../parts/text.js';
import type { StockRow } from './stock-actions.js';

/** The stock of a pet in a sentence. */
export function stockText({ quantity, reserved, available }: Pick<StockRow, 'quantity' | 'reserved' | 'available'>): string {
  return `${numberText(quantity)} on hand${reserved > 0 ? `, ${numberText(reserved)} reserved, ${numberText(available)} available` : ''}`;
}
