import type { InputHTMLAttributes, JSX } from 'preact';
import { Name } from '../name.js';
import { inertText } from '../text.js';
import { maximumTyped } from './field.js';

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

/** The attributes of a field with offers below it (a combobox of WAI-ARIA). */
export function comboboxAttributes(id: string, offers: readonly unknown[], active: number): InputHTMLAttributes {
  return {
    role: 'combobox',
    'aria-expanded': offers.length > 0,
    'aria-controls': `${id}-list`,
    'aria-autocomplete': 'list',
    'aria-activedescendant': offers.length > 0 && active >= 0 ? `${id}-${active}` : undefined,
    autoComplete: 'off',
    spellcheck: false,
    maxLength: maximumTyped,
  };
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
