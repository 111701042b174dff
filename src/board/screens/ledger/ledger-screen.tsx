import type { JSX } from 'preact';
import { Screen } from '../../parts/screen.js';

/** The screen Ledger. */
export function LedgerScreen(): JSX.Element {
  return <Screen title="Ledger">{null}</Screen>;
}
