import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { useEffect } from 'preact/hooks';
import { go, hrefWith, queryValue } from '../../state/router.js';
import { call } from '../../state/server/call.js';
import { unlessRefused } from '../../state/server/refusal.js';
import { noPet, type TypedPet } from '../../state/typed-pet.js';
import { PetField } from '../forms/pet-field.js';
import { inertText } from '../text.js';

/** The pet that the address names as `pet`. */
export function PetFilter(): JSX.Element {
  const asked = queryValue('pet') ?? '';
  const value = useSignal<TypedPet>(noPet);
  useEffect(() => {
    if (String(value.peek().id ?? '') === asked) return;
    const id = Number(asked);
    value.value = asked === '' ? noPet : { text: asked, id };
    const showName = async (): Promise<void> => {
      const row = await unlessRefused(call('getInventoryItem', { petId: id }));
      if (row && value.peek().id === id) value.value = { text: inertText(row.name), id };
    };
    if (id > 0) void showName();
  }, [asked]);
  const filter = (): void => go(hrefWith({ pet: value.value.id }), { isReplacing: true });
  return (
    <div class="filter">
      <PetField label="Pet" value={value} onChoose={filter} />
    </div>
  );
}
