import type { JSX } from 'preact';
import { Screen } from '../../parts/screen.js';

/** The screen of one import. */
export function ImportScreen({ batchId }: { readonly batchId: number }): JSX.Element {
  return <Screen title={`Import ${batchId}`}>{null}</Screen>;
}
