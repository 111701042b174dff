import { useSignal, type ReadonlySignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { unlessRefused } from '../server/refusal.js';

/** The record of a dialog. It does not change by itself, so that nobody confirms what they have not seen. */
export interface DialogRecord<Row> {
  readonly record: ReadonlySignal<Row>;
  /** Closes the dialog when the change was made; when it was refused (`undefined`), reads the record again. */
  readonly closeAfter: (change: Promise<unknown>) => Promise<void>;
}

/** The record of a dialog, which a list has shown. It is read once more when the dialog opens: rows of lists have no version, which If-Match needs. */
export function useDialogRecord<Row>(shown: Row, read: () => Promise<Row>, onClose: () => void): DialogRecord<Row> {
  const record = useSignal(shown);
  const reread = async (): Promise<void> => {
    record.value = (await unlessRefused(read())) ?? record.peek();
  };
  useEffect(() => void reread(), []);
  const closeAfter = async (change: Promise<unknown>): Promise<void> => {
    if ((await change) === undefined) await reread();
    else onClose();
  };
  return { record, closeAfter };
}
