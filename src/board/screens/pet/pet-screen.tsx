import type { JSX } from 'preact';
import { Screen } from '../../parts/screen.js';

/** The screen of one pet. */
export function PetScreen({ petId }: { readonly petId: number }): JSX.Element {
  return <Screen title={`Pet ${petId}`}>{null}</Screen>;
}
