import type { JSX } from 'preact';
import { Name } from '../name.js';
import { inertText } from '../text.js';

/** A pet that a field offers. */
interface Offer {
  readonly petId: number;
  readonly name: string;
  readonly category: string;
}

interface OffersProps<Row extends Offer> {
  readonly id: string;
  readonly of: readonly Row[];
  readonly active: number;
  /** What is said of a pet besides its category and id. */
  readonly detailOf: (row: Row) => string;
  readonly onChoose: (offer: Row) => void;
}

/** The pets that match, below the field, which keeps the focus. */
export function Offers<Row extends Offer>({ id, of, active, detailOf, onChoose }: OffersProps<Row>): JSX.Element {
  return (
    <div
      id={`${id}-list`}
      class="offers"
      role="listbox"
      tabIndex={-1}
      aria-label="Pets"
      hidden={of.length === 0}
      onMouseDown={(event) => event.preventDefault()}
    >
      {of.map((offer, index) => (
        <div key={offer.petId} id={`${id}-${index}`} role="option" tabIndex={-1} aria-selected={index === active} onMouseUp={() => onChoose(offer)}>
          <Name of={offer.name} />
          <small>
            {inertText(offer.category)} · ID {offer.petId} · {detailOf(offer)}
          </small>
        </div>
      ))}
    </div>
  );
}
