import { useSignal, type ReadonlySignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { RefusalError } from '../server/refusal.js';

/** The record of a dialog. It does not change by itself, so that nobody confirms what they have not seen. */
export interface DialogRecord<Row> {
  readonly record: ReadonlySignal<Row>;
  /** Reads the record again, after a refusal. */
  readonly reread: () => Promise<void>;
}

/** The record of a dialog, which a list has shown. It is read once more when the dialog opens: rows of lists have no version, which If-Match needs. */
export function useDialogRecord<Row>(shown: Row, read: () => Promise<Row>): DialogRecord<Row> {
  const record = useSignal(shown);
  const reread = async (): Promise<void> => {
    try {
      record.value = await read();
    } catch (error) {
      if (!(error instanceof RefusalError)) throw error;
    }
  };
  useEffect(() => void reread(), []);
  return { record, reread };
}
