import type { JSX } from 'preact';
import { Screen } from '../../parts/screen.js';

/** The screen Stock. */
export function StockScreen(): JSX.Element {
  return <Screen title="Stock">{null}</Screen>;
}
