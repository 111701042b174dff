import { useSignal, type Signal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { after } from '../../state/clock.js';
import { findPet, petById, petsNamed, type CountPet, type FoundPet } from '../../state/counts/find-pet.js';
import { unlessRefused } from '../../state/server/refusal.js';
import { petOf, type TypedPet } from '../../state/typed-pet.js';

/** A pause in typing after which the shop is asked. */
const pauseMs = 150;

/** What the field offers while a pet is typed. No offer is active until an arrow key is pressed: until then Enter takes the text. */
export interface PetOffers {
  readonly offers: Signal<readonly CountPet[]>;
  /** The index of the active one, or -1. */
  readonly active: Signal<number>;
  readonly search: (text: string) => void;
  readonly hide: () => void;
}

/** The pets of a count whose names contain what is typed. */
export function usePetOffers(countId: number): PetOffers {
  const offers = useSignal<readonly CountPet[]>([]);
  const active = useSignal(-1);
  const cancel = useRef((): void => undefined);
  const latest = useRef(0);
  const hide = (): void => {
    cancel.current();
    latest.current += 1;
    active.value = -1;
    offers.value = [];
  };
  const read = async (text: string): Promise<void> => {
    const asked = latest.current;
    const found = await unlessRefused(petsNamed(countId, text));
    if (asked === latest.current && found) offers.value = found;
  };
  const search = (text: string): void => {
    cancel.current();
    latest.current += 1;
    active.value = -1;
    if (text === '' || petOf(text).id !== undefined) return hide();
    cancel.current = after(pauseMs, () => void read(text));
  };
  useEffect(() => hide, []);
  return { offers, active, search, hide };
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
    const cancel = after(pauseMs, () => void read());
    return () => {
      cancel();
      stop.abort();
    };
  }, [pet]);
  return (of) => (found.value?.of === of ? found.value?.is : undefined);
}
