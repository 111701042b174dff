import type { JSX } from 'preact';
import { Screen } from '../../parts/screen.js';

/** The screen Orders. */
export function OrdersScreen(): JSX.Element {
  return <Screen title="Orders">{null}</Screen>;
}
