import { useRef, useState } from 'preact/hooks';
import type { Page } from '../../../domain/values/pages.js';
import { useLoaded, type Loaded } from '../../state/live/loaded.js';
import { readLedger, type NamedEntry } from '../../state/server/ledger.js';
import { ledgerInput } from './ledger-filters.js';

/** A page of the ledger that stays as it was read while people read it. */
export interface HeldPage {
  readonly page: Loaded<Page<NamedEntry>>;
  /** Whether an entry was undone, also since the page was read. */
  readonly isUndone: (entry: NamedEntry) => boolean;
  /** How many entries were written since. */
  readonly newer: number;
  /** Shows them. */
  readonly renew: () => void;
  /** Shows them as soon as there are some: somebody made a change here. */
  readonly expectNewer: () => void;
}

interface Held {
  readonly key: string;
  readonly value: Page<NamedEntry>;
}

/** Reads the page of the address. Entries that are written later are counted, and shown on demand. */
export function useHeldPage(): HeldPage {
  const input = ledgerInput();
  const key = `ledger ${JSON.stringify(input)}`;
  const latest = useLoaded((signal) => readLedger(input, signal), key);
  const held = useRef<Held | undefined>(undefined);
  const isExpected = useRef(false);
  const [, draw] = useState(0);
  const { value, isOutdated } = latest;
  const newest = held.current?.value.items[0]?.id ?? 0;
  // A page in the middle of the list gets no new entries.
  const newer = value === undefined || isOutdated || input.cursor !== undefined ? 0 : value.items.filter(({ id }) => id > newest).length;
  const isFollowed = newest === 0 || (isExpected.current && newer > 0);
  if (value !== undefined && !isOutdated && (held.current?.key !== key || isFollowed)) {
    held.current = { key, value };
    isExpected.current = false;
  }
  const undone = new Set([...(held.current?.value.items ?? []), ...(value?.items ?? [])].filter(({ undoneBy }) => undoneBy !== undefined).map(({ id }) => id));
  const isHeld = held.current?.key === key && held.current.value !== value;
  return {
    page: { ...latest, value: held.current?.value },
    isUndone: ({ id }) => undone.has(id),
    newer: isHeld ? newer : 0,
    renew: () => {
      held.current = undefined;
      draw((count) => count + 1);
    },
    expectNewer: () => {
      isExpected.current = true;
    },
  };
}
