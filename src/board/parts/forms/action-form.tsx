import type { ReadonlySignal } from '@preact/signals';
import type { ComponentChildren, JSX } from 'preact';
import type { RefusalError } from '../../state/server/refusal.js';
import { RefusalBox } from '../shown.js';

interface ActionFormProps {
  /** The words of its button, such as "Sell". */
  readonly label: string;
  readonly action: { readonly isRunning: ReadonlySignal<boolean>; readonly refusal: ReadonlySignal<RefusalError | undefined> };
  /** The names of its fields: their refusals are shown beside them, others here. */
  readonly fields: readonly string[];
  readonly isDangerous?: boolean;
  /** Whether the focus begins at its button, because there is nothing that has to be typed: a phone shows no keyboard. */
  readonly isConfirmation?: boolean;
  readonly onSubmit: () => unknown;
  /** Shows a button that leaves without a change; "Cancel" could be taken for the change, such as of an order. */
  readonly onCancel?: () => void;
  readonly children: ComponentChildren;
}

/** The form of one change: its fields, its refusal and its button. */
export function ActionForm({ label, action, fields, isDangerous = false, isConfirmation = false, onSubmit, onCancel, children }: ActionFormProps): JSX.Element {
  const refusal = action.refusal.value;
  const isRunning = action.isRunning.value;
  const submit = (event: Event): void => {
    event.preventDefault();
    void onSubmit();
  };
  return (
    <form class="action-form" onSubmit={submit}>
      {children}
      {refusal !== undefined && !fields.includes(refusal.field ?? '') && <RefusalBox of={refusal} />}
      <div class="buttons">
        {/* Not disabled while it runs: it would lose the focus. A second click does nothing. */}
        <button type="submit" class={isDangerous ? 'danger' : 'primary'} aria-busy={isRunning} autoFocus={isConfirmation}>
          {label}
        </button>
        {onCancel && (
          <button type="button" onClick={onCancel}>
            Go back
          </button>
        )}
      </div>
    </form>
  );
}
