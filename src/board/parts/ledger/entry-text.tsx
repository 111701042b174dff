import type { ComponentChildren, JSX } from 'preact';
import type { NamedEntry } from '../../../domain/ledger/named-entry.js';
import { settingLabels } from '../../../domain/ledger/field-labels.js';
import { BatchLink, CountLink, Name, OrderLink, PetLink } from '../name.js';
import { inertText, numberText, signedText } from '../text.js';

/** A part of a sentence that differs from entry to entry. */
type Part = (entry: NamedEntry) => ComponentChildren;

const pet: Part = ({ petId, petName }) => (petId === undefined ? 'a pet' : <PetLink id={petId} name={petName} />);

const order: Part = ({ orderId }) => orderId !== undefined && <OrderLink id={orderId} />;

const forPet: Part = (entry) => entry.petId !== undefined && [' for ', pet(entry)];

const count: Part = ({ countId }) => countId !== undefined && <CountLink id={countId} />;

const category: Part = ({ categoryId, categoryName }) => (categoryName === undefined ? categoryId : <Name of={categoryName} />);

const deletedCategory: Part = ({ categoryId, previous }) => (previous?.name === undefined ? categoryId : inertText(previous.name));

/** The number of units that moved. */
const units: Part = ({ delta = 0 }) => numberText(Math.abs(delta));

const change: Part = ({ delta = 0 }) => signedText(delta);

const onHand: Part = ({ quantityAfter = 0 }) => `${numberText(quantityAfter)} on hand`;

/** The sentence for each kind of entry. */
const sentences: Readonly<Record<NamedEntry['kind'], readonly (string | Part)[]>> = {
  opening: ['Added ', pet, ' with ', units, ' on hand'],
  count: ['Counted ', pet, ': ', onHand, ' (', change, ')'],
  adjust: [({ delta = 0 }) => (delta > 0 ? 'Received ' : 'Wrote off '), units, ' × ', pet, ', ', onHand],
  sale: ['Sold ', units, ' × ', pet, ', ', onHand, ' (', order, ')'],
  return: ['Returned ', units, ' × ', pet, ', ', onHand, ' (', order, ')'],
  undo: [({ reverses }) => `Undid entry ${reverses}: `, pet, ' ', change, ', ', onHand],
  'pet.updated': ['Changed ', pet],
  'pet.held': ['Put ', pet, ' on hold'],
  'pet.released': ['Released ', pet],
  'pet.archived': [({ petId }) => `Deleted pet ${petId}`],
  'pet.restored': ['Restored ', pet],
  'code.added': [({ current }) => `Added the code ${inertText(current?.code ?? '')} to `, pet],
  'code.removed': [({ previous }) => `Removed the code ${inertText(previous?.code ?? '')} from `, pet],
  'category.created': ['Created category ', category],
  'category.updated': ['Changed category ', category],
  'category.archived': ['Deleted category ', deletedCategory],
  'category.restored': ['Restored category ', category],
  'order.placed': ['Placed ', order, forPet],
  'order.updated': ['Changed ', order],
  'order.cancelled': ['Cancelled ', order],
  'order.restored': ['Restored ', order],
  'inventory.low': [pet, ' is low'],
  'inventory.restocked': [pet, ' is no longer low'],
  'count.started': ['Started ', count],
  'count.closed': ['Closed ', count],
  'count.cancelled': ['Cancelled ', count],
  'shop.updated': [({ previous }) => `Changed the ${settingLabels(previous)} of the shop`],
  'shop.restored': ['Restored the shop from a backup'],
};

/** Every kind of entry. */
export const entryKinds = Object.keys(sentences) as readonly NamedEntry['kind'][];

/** What an entry of the ledger says, in a sentence with links. */
export function EntryText({ of: entry }: { readonly of: NamedEntry }): JSX.Element {
  return (
    <span class="entry">
      {sentences[entry.kind].map((part) => (typeof part === 'string' ? part : part(entry)))}
      {entry.batchId !== undefined && (
        <>
          {' '}
          (<BatchLink id={entry.batchId} />)
        </>
      )}
      {entry.undoneBy !== undefined && <>, undone by entry {entry.undoneBy}</>}
    </span>
  );
}
