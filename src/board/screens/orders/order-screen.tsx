import type { JSX } from 'preact';
import { Screen } from '../../parts/screen.js';

/** The screen of one order. */
export function OrderScreen({ orderId }: { readonly orderId: number }): JSX.Element {
  return <Screen title={`Order ${orderId}`}>{null}</Screen>;
}
