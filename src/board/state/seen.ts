import { useSignal, type ReadonlySignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { RefusalError } from './refusal.js';

/** A record that somebody sees while they decide. It does not change by itself, so that nobody confirms what they have not seen. */
export interface Seen<Row> {
  readonly seen: ReadonlySignal<Row>;
  /** Shows the present record, after a refusal. */
  readonly look: () => Promise<void>;
}

/** The record of a dialog, which a list has shown. It is read once more when the dialog opens: rows of lists have no version, which If-Match needs. */
export function useSeen<Row>(shown: Row, read: () => Promise<Row>): Seen<Row> {
  const seen = useSignal(shown);
  const look = async (): Promise<void> => {
    try {
      seen.value = await read();
    } catch (error) {
      if (!(error instanceof RefusalError)) throw error;
    }
  };
  useEffect(() => void look(), []);
  return { seen, look };
}
