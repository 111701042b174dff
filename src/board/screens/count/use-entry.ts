import { useSignal, type Signal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { mostOffered } from '../../parts/forms/pet-field.js';
import { useDoubt } from '../../parts/forms/use-doubt.js';
import { typingPauseMs, useOffers } from '../../parts/forms/use-offers.js';
import { inertText } from '../../parts/text.js';
import { after } from '../../state/clock.js';
import { identifyPet } from '../../state/identify-pet.js';
import { takeLine } from '../../state/counts/line-sender.js';
import { numberOf, type TypedNumber } from '../../state/counts/line-queue.js';
import { call } from '../../state/server/call.js';
import { isUncertain, RefusalError } from '../../state/server/refusal.js';
import { isCode, petOf, timesIn, type TypedPet } from '../../state/typed-pet.js';
import type { CountPet } from './count-text.js';
import { focusEntry } from './entry-focus.js';

/** What the shop knows of a pet that was typed: its figures where it is in the count; or why the text names none. */
type FoundPet = { readonly pet: TypedPet; readonly isCode: boolean; readonly row: CountPet | undefined } | { readonly reason: string };

/** What the field is for, and what its keys do. */
export interface Entry {
  /** The pet whose units are typed; undefined while a pet is typed. */
  readonly pet: TypedPet | undefined;
  /** What the shop knows of it. */
  readonly found: FoundPet | undefined;
  readonly offers: readonly CountPet[];
  /** The index of the offer that Enter chooses, or -1: Enter takes the text. */
  readonly active: number;
  /** What is said of a number that is taken when it is entered once more; empty for none. */
  readonly doubt: string;
  /** Whether the last line was not taken, because too many wait. */
  readonly isFull: Signal<boolean>;
  /** Takes what is in the field. Nothing in it waits for the shop or for the page to be drawn: a scanner types on. */
  readonly enter: (field: HTMLInputElement, adds: boolean) => void;
  readonly type: (field: HTMLInputElement) => void;
  /** Handles a key other than Enter; returns whether it did. */
  readonly press: (field: HTMLInputElement, key: string) => boolean;
  readonly choose: (field: HTMLInputElement, offer: CountPet) => void;
  /** Goes back to the pet. */
  readonly goBack: (field: HTMLInputElement) => void;
}

/** The first pets of a count whose names contain a text. */
async function petsNamed(countId: number, text: string): Promise<readonly CountPet[]> {
  return (await call('listCountPets', { countId, q: text, limit: mostOffered })).items;
}

async function readPet(countId: number, typed: TypedPet): Promise<FoundPet> {
  const { id, text } = typed;
  const { petId, name, code } = id === undefined ? await identifyPet(text) : { petId: id, name: typed.name, code: undefined };
  const [row] = (await call('listCountPets', { countId, petId, limit: 1 })).items;
  return { pet: { text, id: petId, name: row?.name ?? name }, isCode: code !== undefined, row };
}

/** What the shop knows of the pet whose units are typed next; undefined until it has answered. */
function useCurrentPet(countId: number, pet: TypedPet | undefined): (of: TypedPet | undefined) => FoundPet | undefined {
  const found = useSignal<{ readonly of: TypedPet; readonly is: FoundPet } | undefined>(undefined);
  useEffect(() => {
    if (pet === undefined) return;
    const stop = new AbortController();
    const show = (is: FoundPet): void => {
      if (!stop.signal.aborted) found.value = { of: pet, is };
    };
    const read = async (): Promise<void> => {
      try {
        show(await readPet(countId, pet));
      } catch (error) {
        if (!(error instanceof RefusalError)) throw error;
        if (!isUncertain(error)) show({ reason: error.message });
      }
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

/** The lines that a field makes. */
interface EntryLines {
  readonly isFull: Signal<boolean>;
  /** Makes a line; one without units is refused for a reason. */
  readonly take: (of: TypedPet, units: TypedNumber | undefined, reason?: string) => void;
  /** Counts one scan of a code; `unlessCode` says why it is refused if the text is none. */
  readonly scan: (text: string, unlessCode?: string) => void;
  /** Counts the last scan so often, with a line for what is missing. */
  readonly repeat: (times: number, text: string) => void;
}

function useLines(countId: number): EntryLines {
  const isFull = useSignal(false);
  const last = useRef<{ readonly text: string; readonly times: number; readonly unlessCode?: string | undefined }>({ text: '', times: 0 });
  const take: EntryLines['take'] = (of, units, reason) => {
    // What follows a typed line does not mean the scan before it.
    last.current = { text: '', times: 0 };
    isFull.value = !takeLine({ countId, pet: of, ...(units ?? { number: Number.NaN, adds: false }) }, reason);
  };
  const add = (text: string, more: number, times: number, unlessCode: string | undefined): void => {
    isFull.value = !takeLine({ countId, pet: { text }, number: more, adds: true, unlessCode });
    last.current = { text, times, unlessCode };
  };
  const repeat: EntryLines['repeat'] = (times, text) => {
    const { text: scanned, times: before, unlessCode } = last.current;
    if (scanned !== '' && times > before) return add(scanned, times - before, times, unlessCode);
    return take({ text }, undefined, scanned === '' ? 'Nothing was scanned before it.' : `The last scan counts ${before} already; undo a line to count less.`);
  };
  return { isFull, take, scan: (text, unlessCode) => add(text, 1, 1, unlessCode), repeat };
}

/** Whether a text that no units follow was the scan of a code of letters. The shop knows at last; it may not have answered yet. */
function mayBeScan({ id }: TypedPet, found: FoundPet | undefined): boolean {
  return id === undefined && (found === undefined || ('isCode' in found && found.isCode));
}

/** The field of a count: first a pet, then its units, again and again. */
export function useEntry(countId: number): Entry {
  const pet = useSignal<TypedPet | undefined>(undefined);
  const doubt = useDoubt();
  const { isFull, take, scan, repeat } = useLines(countId);
  const { offers: suggested, active, search, hide, press: move } = useOffers((text) => petsNamed(countId, text), -1);
  const foundOf = useCurrentPet(countId, pet.value);
  const found = foundOf(pet.value);
  const offers = suggested.value;
  const enter: Entry['enter'] = (field, adds) => {
    const text = field.value.trim();
    const before = pet.peek();
    const units = isCode(text) ? undefined : numberOf(text, adds);
    if (before !== undefined && units === undefined && mayBeScan(before, foundOf(before))) {
      scan(before.text, text === '' ? 'It is no code: type how many there are.' : `“${text}” is not a number of units.`);
      pet.value = undefined;
    }
    // Some scanners send Return twice.
    if (text === '') return undefined;
    const typed = pet.peek();
    // More likely a code that was scanned: it stays in the field, where the next scan replaces it.
    if (doubt.isRaised(typed && units ? [units.number] : [])) return field.select();
    field.value = '';
    hide();
    // One scan of a code is one unit, or those of its carton. Other digits are an id, or the units of the pet before.
    if (isCode(text)) return scan(text);
    const times = typed === undefined ? timesIn(text) : undefined;
    if (times !== undefined) return repeat(times, text);
    if (typed === undefined) return void (pet.value = petOf(text));
    pet.value = undefined;
    const is = foundOf(typed);
    return take(is && 'pet' in is ? is.pet : typed, units, units ? undefined : `“${text}” is not a number of units.`);
  };
  const choose: Entry['choose'] = (field, { petId, name }) => {
    if (pet.peek() === undefined) field.value = '';
    pet.value = { text: inertText(name), id: petId, name };
    hide();
    focusEntry();
  };
  const goBack: Entry['goBack'] = (field) => {
    field.value = '';
    doubt.isRaised([]);
    pet.value = undefined;
    hide();
  };
  const press: Entry['press'] = (field, key) => {
    const offer = offers[active.peek()];
    if (key === 'Enter' && offer) choose(field, offer);
    else if (move(key)) return true;
    else if (key === 'Escape' && pet.peek()) goBack(field);
    else return false;
    return true;
  };
  const type: Entry['type'] = (field) => {
    const text = field.value.trim();
    if (pet.peek() !== undefined || text === '' || petOf(text).id !== undefined) hide();
    else search(text);
  };
  return { pet: pet.value, found, offers, active: active.value, doubt: doubt.text, isFull, enter, type, press, choose, goBack };
}
