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
  /** Reads what matches a text after a pause; an answer to an earlier text is not shown. */
  readonly search: (text: string) => void;
  readonly hide: () => void;
}

/** The rows that `read` finds for what is typed; what the shop refuses to read is not offered. */
export function useOffers<Row>(read: (text: string) => Promise<readonly Row[]>): FieldOffers<Row> {
  const offers = useSignal<readonly Row[]>([]);
  const cancel = useRef((): void => undefined);
  const latest = useRef(0);
  const show = async (text: string, number: number): Promise<void> => {
    const found = await unlessRefused(read(text));
    if (found && number === latest.current) offers.value = found;
  };
  const begin = (): number => {
    cancel.current();
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
  useEffect(() => hide, []);
  return { offers, search, hide };
}
