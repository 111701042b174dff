import { useSignal, type ReadonlySignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { after } from '../../state/clock.js';
import { unlessRefused } from '../../state/server/refusal.js';

/** A pause in typing after which the shop is asked. */
export const typingPauseMs = 150;

/** What a field offers while somebody types in it. */
export interface FieldOffers<Row> {
  /** None while the list is hidden. */
  readonly offers: ReadonlySignal<readonly Row[]>;
  /** The index of the offer that Enter chooses; -1 for none. */
  readonly active: ReadonlySignal<number>;
  /** Reads what matches a text after a pause; an answer to an earlier text is not shown. */
  readonly search: (text: string) => void;
  readonly hide: () => void;
  /** Moves in the list by an arrow key, or hides it by Esc; returns whether the key did so. */
  readonly press: (key: string) => boolean;
}

/** The rows that `read` finds for what is typed, of which the one at `first` is active; what the shop refuses to read is not offered. */
export function useOffers<Row>(read: (text: string) => Promise<readonly Row[]>, first = 0): FieldOffers<Row> {
  const offers = useSignal<readonly Row[]>([]);
  const active = useSignal(first);
  const cancel = useRef((): void => undefined);
  const latest = useRef(0);
  const show = async (text: string, number: number): Promise<void> => {
    const found = await unlessRefused(read(text));
    if (found && number === latest.current) offers.value = found;
  };
  const begin = (): number => {
    cancel.current();
    active.value = first;
    return (latest.current += 1);
  };
  const search = (text: string): void => {
    const number = begin();
    cancel.current = after(typingPauseMs, () => void show(text.trim(), number));
  };
  const hide = (): void => {
    begin();
    offers.value = [];
  };
  const press = (key: string): boolean => {
    const { length } = offers.peek();
    if (length === 0) return false;
    if (key === 'ArrowDown') active.value = (active.peek() + 1) % length;
    else if (key === 'ArrowUp') active.value = (active.peek() <= 0 ? length : active.peek()) - 1;
    else if (key === 'Escape') hide();
    else return false;
    return true;
  };
  useEffect(() => hide, []);
  return { offers, active, search, hide, press };
}
