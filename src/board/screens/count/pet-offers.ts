import { useSignal, type Signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { typingPauseMs, useOffers, type FieldOffers } from '../../parts/forms/use-offers.js';
import { after } from '../../state/clock.js';
import { findPet, petById, petsNamed, type CountPet, type FoundPet } from '../../state/counts/find-pet.js';
import { unlessRefused } from '../../state/server/refusal.js';
import { petOf, type TypedPet } from '../../state/typed-pet.js';

/** What the field offers while a pet is typed. No offer is active until an arrow key is pressed: until then Enter takes the text. */
export interface PetOffers extends FieldOffers<CountPet> {
  /** The index of the active one, or -1. */
  readonly active: Signal<number>;
}

/** The pets of a count whose names contain what is typed. */
export function usePetOffers(countId: number): PetOffers {
  const active = useSignal(-1);
  const found = useOffers((text) => petsNamed(countId, text));
  const hide = (): void => {
    active.value = -1;
    found.hide();
  };
  const search = (text: string): void => {
    active.value = -1;
    if (text === '' || petOf(text).id !== undefined) hide();
    else found.search(text);
  };
  return { offers: found.offers, active, search, hide };
}

/** What the shop knows of the pet whose units are typed next; undefined until it has answered. */
export function useCurrentPet(countId: number, pet: TypedPet | undefined): (of: TypedPet | undefined) => FoundPet | undefined {
  const found = useSignal<{ readonly of: TypedPet; readonly is: FoundPet } | undefined>(undefined);
  useEffect(() => {
    if (pet === undefined) return;
    const { id, text } = pet;
    const stop = new AbortController();
    const read = async (): Promise<void> => {
      const is = await unlessRefused(id === undefined ? findPet(countId, text) : petById(countId, id));
      if (is && !stop.signal.aborted) found.value = { of: pet, is };
    };
    // A scanner sends the units sooner, and needs no answer.
    const cancel = after(typingPauseMs, () => void read());
    return () => {
      cancel();
      stop.abort();
    };
  }, [pet]);
  return (of) => (found.value?.of === of ? found.value?.is : undefined);
}
