import type { JSX } from 'preact';
import type { NamedEntry } from '../../../domain/ledger/named-entry.js';
import { changeText } from '../../../domain/ledger/change-text.js';
import { UndoDialog } from '../forms/undo-dialog.js';
import { EntryDetails } from './entry-columns.js';
import { OrderLink, PetLink } from '../name.js';
import { countText, inertText, numberText, signedText } from '../text.js';
import type { AnswerOf } from '../../state/server/contract.js';
import { may } from '../../state/session.js';

/** How an entry is undone: a count or a delivery by itself, another change of the session as a whole, by the id of that change. */
export type UndoWay = 'undoEntry' | { readonly change: number };

/** How an entry can be undone; undefined where it cannot. Every entry of a change offers its undo. */
export function undoWay({ id, kind }: NamedEntry, own: AnswerOf<'listUndoable'>): UndoWay | undefined {
  const change = own.find(({ entryId, entries, batchId }) => batchId === undefined && (entryId === id || entries.some((entry) => entry.id === id)));
  if ((kind === 'count' || kind === 'adjust') && may('undoEntry') && (change?.entries.length ?? 1) === 1) return 'undoEntry';
  return change !== undefined && may('undoLast') ? { change: change.entryId } : undefined;
}

interface LeavingProps {
  readonly onClose: () => void;
}

function UndoEntry({ entry: { id, petName }, ...leaving }: LeavingProps & { readonly entry: NamedEntry }): JSX.Element {
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

type Undone = AnswerOf<'undoLast'>;

const textOf = (change: Undone): string => inertText(changeText(change));

const states = { open: 'open again', complete: 'complete', cancelled: 'cancelled' } as const;

/** What the undo of a bulk import or of a closed count does. */
export function RowsTakenBack({ rows = 0 }: { readonly rows?: number | undefined }): JSX.Element {
  return <p>Takes back {countText(rows, 'row')}. Later changes of these pets are kept.</p>;
}

function effectOfChange(change: Undone): JSX.Element {
  const { batchId, rows, pets = [], orders = [] } = change;
  if (batchId !== undefined) return <RowsTakenBack rows={rows} />;
  return (
    <>
      <p>Takes back:</p>
      <ul class="bulleted">
        {change.entries.toReversed().map((entry) => (
          <li key={entry.id}>
            <EntryDetails of={entry} />
          </li>
        ))}
      </ul>
      {pets.length + orders.length > 0 && <p>Afterwards:</p>}
      <ul class="bulleted">
        {pets.map(({ petId, name, onHand, available = 0 }) => (
          <li key={petId}>
            <PetLink id={petId} name={name} />
            {onHand === undefined ? ' is no longer in the shop' : `: ${numberText(onHand)} on hand, ${numberText(available)} available`}
          </li>
        ))}
        {orders.map(({ orderId, state }) => (
          <li key={orderId}>
            <OrderLink id={orderId} /> is {states[state]}
          </li>
        ))}
      </ul>
    </>
  );
}

/** Undoes a change of the session as a whole, after it showed what that takes back and what is left. */
export function UndoOwn({ entryId, ...leaving }: LeavingProps & { readonly entryId: number }): JSX.Element {
  return (
    <UndoDialog
      id="undoLast"
      title={(change) => (change === undefined ? 'Undo' : `Undo ${textOf(change)}`)}
      input={(allowShortage) => ({ allowShortage, body: { entryId } })}
      effect={effectOfChange}
      sentence={(change) => `Undid ${textOf(change)}.`}
      {...leaving}
    />
  );
}

/** Undoes the change of an entry, after it showed what that will do. */
export function UndoChange({ entry, way, ...leaving }: LeavingProps & { readonly entry: NamedEntry; readonly way: UndoWay }): JSX.Element {
  return way === 'undoEntry' ? <UndoEntry entry={entry} {...leaving} /> : <UndoOwn entryId={way.change} {...leaving} />;
}
