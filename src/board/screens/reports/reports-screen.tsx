import type { JSX } from 'preact';
import { Screen } from '../../parts/screen.js';

/** The screen Reports. */
export function ReportsScreen(): JSX.Element {
  return <Screen title="Reports">{null}</Screen>;
}
