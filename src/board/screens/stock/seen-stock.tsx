import { useSignal, type ReadonlySignal } from '@preact/signals';
import type { JSX } from 'preact';
import { useEffect } from 'preact/hooks';
import { numberText } from '../../parts/text.js';
import { call } from '../../state/call.js';
import { RefusalError } from '../../state/refusal.js';
import type { StockRow } from './stock-actions.js';

/** What every dialog about the stock of a pet gets. */
export interface StockDialogProps {
  /** The stock as it was shown when the dialog was opened. */
  readonly row: StockRow;
  readonly onClose: () => void;
}

/** The stock that somebody sees while they decide. It does not change by itself, so that nobody confirms what they have not seen. */
export interface SeenStock {
  readonly seen: ReadonlySignal<StockRow>;
  /** Shows the present stock, after a refusal. */
  readonly look: () => Promise<void>;
}

/** The stock in a dialog. */
export function useSeenStock(row: StockRow): SeenStock {
  const seen = useSignal(row);
  const look = async (): Promise<void> => {
    try {
      seen.value = await call('getInventoryItem', { petId: row.petId });
    } catch (error) {
      if (!(error instanceof RefusalError)) throw error;
    }
  };
  // Rows of a list have no version, which If-Match needs.
  useEffect(() => void look(), []);
  return { seen, look };
}

/** The stock of a pet in a sentence. */
export function stockText({ quantity, reserved, available }: Pick<StockRow, 'quantity' | 'reserved' | 'available'>): string {
  return `${numberText(quantity)} on hand${reserved > 0 ? `, ${numberText(reserved)} reserved, ${numberText(available)} available` : ''}`;
}

/** The stock of a pet on top of a dialog. */
export function StockLine({ of }: { readonly of: StockRow }): JSX.Element {
  return <p class="stock-line">{stockText(of)}</p>;
}

/** Units of a pet: "2 × Guppy". */
export function unitsText(units: number, name: string): string {
  return `${numberText(units)} × ${name}`;
}
