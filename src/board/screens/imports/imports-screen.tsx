import type { JSX } from 'preact';
import { Screen } from '../../parts/screen.js';

/** The screen Imports. */
export function ImportsScreen(): JSX.Element {
  return <Screen title="Imports">{null}</Screen>;
}
