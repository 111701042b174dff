import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { useEffect } from 'preact/hooks';
import { go, hrefWith, queryValue } from '../../state/router.js';
import { call } from '../../state/server/call.js';
import { RefusalError } from '../../state/server/refusal.js';
import { noPet, PetField, type ChosenPet } from '../forms/pet-field.js';
import { inertText } from '../text.js';

/** The pet that the address names as `pet`. */
export function PetFilter(): JSX.Element {
  const asked = queryValue('pet') ?? '';
  const value = useSignal<ChosenPet>(noPet);
  useEffect(() => {
    if (String(value.peek().id ?? '') === asked) return;
    const id = Number(asked);
    value.value = asked === '' ? noPet : { text: asked, id };
    if (id > 0) void nameOf(id).then((name) => name !== undefined && value.peek().id === id && (value.value = { text: name, id }));
  }, [asked]);
  const filter = (): void => go(hrefWith({ pet: value.value.id }), { isReplacing: true });
  return (
    <div class="filter">
      <PetField label="Pet" value={value} onChoose={filter} />
    </div>
  );
}

/** The name of a pet; undefined where it is not in the shop. */
async function nameOf(petId: number): Promise<string | undefined> {
  try {
    return inertText((await call('getInventoryItem', { petId })).name);
  } catch (error) {
    if (error instanceof RefusalError) return undefined;
    throw error;
  }
}
