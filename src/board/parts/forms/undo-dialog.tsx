import { useSignal } from '@preact/signals';
import type { ComponentChildren, JSX } from 'preact';
import { useEffect } from 'preact/hooks';
import { useAction } from '../../state/changes/action.js';
import { call } from '../../state/server/call.js';
import type { AnswerOf, InputOf } from '../../state/server/contract.js';
import { RefusalError } from '../../state/server/refusal.js';
import { RefusalBox } from '../shown.js';
import { ActionForm } from './action-form.js';
import { Dialog } from './dialog.js';
import { AllowShortage, Field } from './field.js';

type UndoId = 'undoBatch' | 'undoEntry' | 'undoLast';

interface UndoDialogProps<Id extends UndoId> {
  readonly id: Id;
  /** Its title, which the answer of the dry run may make plain. */
  readonly title: string | ((answer: AnswerOf<Id> | undefined) => string);
  readonly input: (allowShortage: boolean) => InputOf<Id>;
  /** What the undo will do, from the answer of its dry run. */
  readonly effect: (answer: AnswerOf<Id>) => ComponentChildren;
  /** What it did. */
  readonly sentence: (answer: AnswerOf<Id>) => string;
  readonly onClose: () => void;
}

/** The button that was there before had the focus. */
const focus = (button: HTMLElement | null): void => button?.focus();

/** What a dry run answered. */
type Trial<Answer> = { readonly answer: Answer } | { readonly refusal: RefusalError } | undefined;

/** Undoes a change, after it showed what the undo will do or why it is refused. */
export function UndoDialog<Id extends UndoId>({ id, title, input, effect, sentence, onClose }: UndoDialogProps<Id>): JSX.Element {
  const undo = useAction(id, sentence);
  const trial = useSignal<Trial<AnswerOf<Id>>>(undefined);
  const allowShortage = useSignal(false);
  const note = useSignal('');
  const isAllowed = allowShortage.value;
  useEffect(() => {
    const stop = new AbortController();
    call(id, input(isAllowed), { dryRun: true, signal: stop.signal }).then(
      (answer) => (trial.value = { answer }),
      (error: unknown) => {
        if (stop.signal.aborted) return;
        if (!(error instanceof RefusalError)) throw error;
        trial.value = { refusal: error };
      },
    );
    return () => stop.abort();
  }, [isAllowed]);
  const submit = async (): Promise<void> => {
    if (isPossible && (await undo.run(input(isAllowed), { note: note.value }))) onClose();
  };
  const { value: tried } = trial;
  const isPossible = tried !== undefined && 'answer' in tried;
  return (
    <Dialog title={typeof title === 'string' ? title : title(isPossible ? tried.answer : undefined)} onClose={onClose}>
      <div class="trial stack" aria-live="polite">
        {tried === undefined && <p class="waiting">Loading …</p>}
        {tried && ('answer' in tried ? effect(tried.answer) : <RefusalBox of={tried.refusal} />)}
      </div>
      <AllowShortage value={allowShortage} refusal={tried && 'refusal' in tried ? tried.refusal : undo.refusal.value} />
      {tried === undefined || isPossible ? (
        <ActionForm label="Undo" action={undo} fields={['note']} isConfirmation onSubmit={submit} onCancel={onClose}>
          <Field label="Note (optional)" name="note" value={note} refusal={undo.refusal.value} />
        </ActionForm>
      ) : (
        <button ref={focus} type="button" onClick={onClose}>
          Close
        </button>
      )}
    </Dialog>
  );
}
