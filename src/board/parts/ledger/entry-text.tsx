import type { JSX } from 'preact';
import type { NamedEntry } from '../../state/server/ledger.js';
import { BatchLink, CountLink, Name, OrderLink, PetLink } from '../name.js';
import { inertText, numberText, signedText } from '../text.js';

function Pet({ of: { petId, petName } }: { readonly of: NamedEntry }): JSX.Element {
  return petId === undefined ? <>a pet</> : <PetLink id={petId} name={petName} />;
}

function Order({ of: { orderId } }: { readonly of: NamedEntry }): JSX.Element | null {
  return orderId === undefined ? null : <OrderLink id={orderId} />;
}

function Count({ of: { countId } }: { readonly of: NamedEntry }): JSX.Element | null {
  return countId === undefined ? null : <CountLink id={countId} />;
}

function Category({ of: { categoryId, categoryName } }: { readonly of: NamedEntry }): JSX.Element {
  return <>{categoryName === undefined ? categoryId : <Name of={categoryName} />}</>;
}

function OnHand({ of: { quantityAfter = 0 } }: { readonly of: NamedEntry }): JSX.Element {
  return <>{numberText(quantityAfter)} on hand</>;
}

/** A sentence for each kind of entry; `units` is the number of units that moved. */
const sentences: { readonly [Kind in NamedEntry['kind']]: (entry: NamedEntry, units: string) => JSX.Element } = {
  opening: (entry, units) => (
    <>
      Added <Pet of={entry} /> with {units} on hand
    </>
  ),
  count: (entry) => (
    <>
      Counted <Pet of={entry} />: <OnHand of={entry} /> ({signedText(entry.delta ?? 0)})
    </>
  ),
  adjust: (entry, units) => (
    <>
      {(entry.delta ?? 0) > 0 ? 'Received' : 'Wrote off'} {units} × <Pet of={entry} />, <OnHand of={entry} />
    </>
  ),
  sale: (entry, units) => (
    <>
      Sold {units} × <Pet of={entry} />, <OnHand of={entry} /> (<Order of={entry} />)
    </>
  ),
  return: (entry, units) => (
    <>
      Returned {units} × <Pet of={entry} />, <OnHand of={entry} /> (<Order of={entry} />)
    </>
  ),
  undo: (entry) => (
    <>
      Undid entry {entry.reverses}: <Pet of={entry} /> {signedText(entry.delta ?? 0)}, <OnHand of={entry} />
    </>
  ),
  'pet.updated': (entry) => (
    <>
      Changed <Pet of={entry} />
    </>
  ),
  'pet.held': (entry) => (
    <>
      Put <Pet of={entry} /> on hold
    </>
  ),
  'pet.released': (entry) => (
    <>
      Released <Pet of={entry} />
    </>
  ),
  'pet.archived': ({ petId }) => <>Deleted pet {petId}</>,
  'pet.restored': (entry) => (
    <>
      Restored <Pet of={entry} />
    </>
  ),
  'code.added': (entry) => (
    <>
      Added the code {inertText(entry.current?.code ?? '')} to <Pet of={entry} />
    </>
  ),
  'code.removed': (entry) => (
    <>
      Removed the code {inertText(entry.previous?.code ?? '')} from <Pet of={entry} />
    </>
  ),
  'category.created': (entry) => (
    <>
      Created category <Category of={entry} />
    </>
  ),
  'category.updated': (entry) => (
    <>
      Changed category <Category of={entry} />
    </>
  ),
  'category.archived': ({ categoryId, previous }) => <>Deleted category {previous?.name === undefined ? categoryId : inertText(previous.name)}</>,
  'category.restored': (entry) => (
    <>
      Restored category <Category of={entry} />
    </>
  ),
  'order.placed': (entry) => (
    <>
      Placed <Order of={entry} />
      {entry.petId !== undefined && (
        <>
          {' '}
          for <Pet of={entry} />
        </>
      )}
    </>
  ),
  'order.updated': (entry) => (
    <>
      Changed <Order of={entry} />
    </>
  ),
  'order.cancelled': (entry) => (
    <>
      Cancelled <Order of={entry} />
    </>
  ),
  'order.restored': (entry) => (
    <>
      Restored <Order of={entry} />
    </>
  ),
  'inventory.low': (entry) => (
    <>
      <Pet of={entry} /> is low
    </>
  ),
  'inventory.restocked': (entry) => (
    <>
      <Pet of={entry} /> is no longer low
    </>
  ),
  'count.started': (entry) => (
    <>
      Started <Count of={entry} />
    </>
  ),
  'count.closed': (entry) => (
    <>
      Closed <Count of={entry} />
    </>
  ),
  'count.cancelled': (entry) => (
    <>
      Cancelled <Count of={entry} />
    </>
  ),
  'shop.updated': ({ previous }) => <>Changed the {previous?.shopName === undefined ? 'low level' : 'name'} of the shop</>,
  'shop.restored': () => <>Restored the shop from a backup</>,
};

/** What an entry of the ledger says, in a sentence with links. */
export function EntryText({ of: entry }: { readonly of: NamedEntry }): JSX.Element {
  return (
    <span>
      {sentences[entry.kind](entry, numberText(Math.abs(entry.delta ?? 0)))}
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
