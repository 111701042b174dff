import type { JSX } from 'preact';
import { numberText } from '../../parts/text.js';
import { useDialogRecord, type DialogRecord } from '../../state/changes/dialog-record.js';
import { call } from '../../state/server/call.js';
import type { StockRow } from './stock-actions.js';

/** What every dialog about the stock of a pet gets. */
export interface StockDialogProps {
  /** The stock as it was shown when the dialog was opened. */
  readonly row: StockRow;
  readonly onClose: () => void;
}

/** The stock in a dialog. */
export function useStockRecord({ row, onClose }: StockDialogProps): DialogRecord<StockRow> {
  return useDialogRecord(row, () => call('getInventoryItem', { petId: row.petId }), onClose);
}

/** The stock of a pet in a sentence. */
export function stockText({ quantity, reserved, available }: Pick<StockRow, 'quantity' | 'reserved' | 'available'>): string {
  return `${numberText(quantity)} on hand${reserved > 0 ? `, ${numberText(reserved)} reserved, ${numberText(available)} available` : ''}`;
}

/** The stock of a pet on top of a dialog. */
export function StockLine({ of }: { readonly of: StockRow }): JSX.Element {
  return <p class="record-line">{stockText(of)}</p>;
}
