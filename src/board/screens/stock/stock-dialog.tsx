import type { JSX } from 'preact';
import { AdjustDialog } from './adjust-dialog.js';
import { CountDialog } from './count-dialog.js';
import { HoldDialog, ReleaseDialog } from './hold-dialogs.js';
import { LowLevelDialog } from './low-level-dialog.js';
import { SellDialog } from './sell-dialog.js';
import type { StockActionName } from './stock-actions.js';
import type { StockDialogProps } from './stock-line.js';

const dialogs: Readonly<Record<StockActionName, (props: StockDialogProps) => JSX.Element>> = {
  sell: SellDialog,
  count: CountDialog,
  adjust: AdjustDialog,
  lowLevel: LowLevelDialog,
  hold: HoldDialog,
  release: ReleaseDialog,
};

/** The dialog of an action on the stock of a pet. */
export function StockDialog({ name, ...props }: StockDialogProps & { readonly name: StockActionName }): JSX.Element {
  const Chosen = dialogs[name];
  return <Chosen {...props} />;
}
