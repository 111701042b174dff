import type { JSX } from 'preact';
import { UndoDialog } from '../../parts/forms/undo-dialog.js';
import { EntryText } from '../../parts/ledger/entry-text.js';
import { FormerValues } from '../../parts/ledger/former-values.js';
import { PetLink } from '../../parts/name.js';
import { inertText, numberText, signedText } from '../../parts/text.js';
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

/** What the change did that an undo takes back, in the words of the command `undo`. */
function changeText({ id, kind, petId, petName, orderId, delta = 0 }: NamedEntry): string {
  const pet = inertText(petName ?? `pet ${petId}`);
  if (kind === 'sale') return `the sale of ${numberText(-delta)} × ${pet} (order ${orderId})`;
  if (kind === 'order.placed') return `order ${orderId}${petId === undefined ? '' : ` for ${pet}`}`;
  if (kind === 'opening') return `the creation of ${pet}`;
  return `the change of entry ${id}`;
}

function UndoOwn({ entry, ...leaving }: UndoChangeProps): JSX.Element {
  const { id, petId, petName } = entry;
  const effect = ({ entries }: AnswerOf<'undoLast'>): JSX.Element => (
    <>
      <p>Takes back:</p>
      <ul class="taken-back">
        {entries.map((one) => (
          <li key={one.id}>
            <EntryText of={{ ...one, petName: one.petId === petId ? petName : undefined }} />
            <FormerValues of={one} />
          </li>
        ))}
      </ul>
    </>
  );
  const what = changeText(entry);
  const sentence = (): string => `Undid ${what}.`;
  const input = (allowShortage: boolean) => ({ allowShortage, body: { entryId: id } });
  return <UndoDialog id="undoLast" title={`Undo ${what}`} input={input} effect={effect} sentence={sentence} {...leaving} />;
}

/** Undoes the change of an entry, after it showed what that will do. */
export function UndoChange(props: UndoChangeProps): JSX.Element {
  return props.way === 'undoEntry' ? <UndoEntry {...props} /> : <UndoOwn {...props} />;
}
