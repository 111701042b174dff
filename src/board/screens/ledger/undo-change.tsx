import type { JSX } from 'preact';
import { UndoDialog } from '../../parts/forms/undo-dialog.js';
import { EntryText } from '../../parts/ledger/entry-text.js';
import { FormerValues } from '../../parts/ledger/former-values.js';
import { PetLink } from '../../parts/name.js';
import { numberText, signedText } from '../../parts/text.js';
import type { AnswerOf } from '../../state/server/contract.js';
import type { NamedEntry } from '../../state/server/ledger.js';
import { may } from '../../state/session.js';

/** How an entry can be undone. */
export type UndoWay = 'undoEntry' | 'undoLast';

/** How an entry can be undone: a count or a delivery by itself, another change of the session as a whole. Undefined where it cannot. */
export function undoWay({ id, kind }: NamedEntry, own: AnswerOf<'listUndoable'>): UndoWay | undefined {
  if ((kind === 'count' || kind === 'adjust') && may('undoEntry')) return 'undoEntry';
  const change = own.find(({ entryId }) => entryId === id);
  return change !== undefined && change.batchId === undefined && may('undoLast') ? 'undoLast' : undefined;
}

interface UndoChangeProps {
  readonly entry: NamedEntry;
  readonly way: UndoWay;
  readonly onDone: () => void;
  readonly onClose: () => void;
}

function UndoEntry({ entry: { id, petName }, ...leaving }: UndoChangeProps): JSX.Element {
  const effect = ({ petId = 0, delta = 0, quantityAfter = 0 }: AnswerOf<'undoEntry'>): JSX.Element => (
    <p>
      <PetLink id={petId} name={petName} />: {signedText(delta)}, then {numberText(quantityAfter)} on hand. Later changes are kept.
    </p>
  );
  const sentence = ({ petId, quantityAfter = 0 }: AnswerOf<'undoEntry'>): string =>
    `Undid entry ${id}: ${petName ?? `pet ${petId}`} has ${numberText(quantityAfter)} on hand.`;
  const input = (allowShortage: boolean) => ({ entryId: id, allowShortage });
  return <UndoDialog id="undoEntry" title={`Undo entry ${id}`} input={input} effect={effect} sentence={sentence} {...leaving} />;
}

function UndoOwn({ entry: { id, petId, petName }, ...leaving }: UndoChangeProps): JSX.Element {
  const effect = ({ entries }: AnswerOf<'undoLast'>): JSX.Element => (
    <>
      <p>Takes back:</p>
      <ul class="taken-back">
        {entries.map((entry) => (
          <li key={entry.id}>
            <EntryText of={{ ...entry, petName: entry.petId === petId ? petName : undefined }} />
            <FormerValues of={entry} />
          </li>
        ))}
      </ul>
    </>
  );
  const sentence = (): string => `Undid the change of entry ${id}.`;
  const input = (allowShortage: boolean) => ({ allowShortage, body: { entryId: id } });
  return <UndoDialog id="undoLast" title={`Undo the change of entry ${id}`} input={input} effect={effect} sentence={sentence} {...leaving} />;
}

/** Undoes the change of an entry, after it showed what that will do. */
export function UndoChange(props: UndoChangeProps): JSX.Element {
  return props.way === 'undoEntry' ? <UndoEntry {...props} /> : <UndoOwn {...props} />;
}
