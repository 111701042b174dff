import type { JSX } from 'preact';
import { Status } from '../../parts/status.js';
import { numberText } from '../../parts/text.js';
import type { StockRow } from './stock-actions.js';

/** The stock of a pet in a sentence. */
export function stockText({ quantity, reserved, available }: Pick<StockRow, 'quantity' | 'reserved' | 'available'>): string {
  return `${numberText(quantity)} on hand${reserved > 0 ? `, ${numberText(reserved)} reserved, ${numberText(available)} available` : ''}`;
}

/** The status of a pet, and whether it is low or short. */
export function StockStatus({ of: { status, hold, low, short } }: { readonly of: StockRow }): JSX.Element {
  return (
    <span class="statuses">
      <Status of={hold ? 'on hold' : status} />
      {short ? <Status of="short" /> : low && <Status of="low" />}
    </span>
  );
}
