import { useSignal, type Signal } from '@preact/signals';
import type { JSX } from 'preact';
import { useId, useLayoutEffect, useRef } from 'preact/hooks';
import { call } from '../../state/server/call.js';
import type { RowOf } from '../../state/server/contract.js';
import type { RefusalError } from '../../state/server/refusal.js';
import { petOf, type TypedPet } from '../../state/typed-pet.js';
import { Name } from '../name.js';
import { inertText, numberText } from '../text.js';
import { ReleaseButton } from './release-button.js';
import { FieldFrame } from './field.js';
import { comboboxAttributes, Offers } from './offers.js';
import { useOffers } from './use-offers.js';

type Offered = RowOf<'listInventory'>;

interface PetFieldProps {
  readonly label: string;
  readonly value: Signal<TypedPet>;
  readonly refusal?: RefusalError | undefined;
  /** Shown until a pet is chosen. */
  readonly hint?: string | undefined;
  /** Says how many units of the chosen pet can be sold. */
  readonly isForSale?: boolean;
  readonly isRequired?: boolean;
  readonly isFirst?: boolean;
  readonly onChoose?: (() => void) | undefined;
}

/** The most pets that a field offers. */
export const mostOffered = 6;

/** The first pets whose names or codes contain the text: those that can be sold, and then others. */
export async function petsMatching(text: string): Promise<readonly Offered[]> {
  const q = text === '' ? undefined : text;
  const { items } = await call('listInventory', { q, status: ['available'], limit: mostOffered });
  if (items.length === mostOffered) return items;
  const others = (await call('listInventory', { q, status: ['pending', 'sold'], limit: mostOffered })).items;
  return [...items, ...others].slice(0, mostOffered);
}

/** How many units can be sold now, or why none can. */
export function availableText({ available, hold, status }: Offered): string {
  if (available > 0) return `${numberText(available)} available`;
  return hold ? 'on hold' : status === 'sold' ? 'sold out' : 'all reserved';
}

interface ChosenProps {
  readonly of: Offered;
  readonly onReleased: () => void;
}

/** Which pet it is, for those who typed an id, and how many can be sold. */
function Chosen({ of, onReleased }: ChosenProps): JSX.Element {
  return (
    <>
      <Name of={of.name} />, {availableText(of)} {of.hold && <ReleaseButton petId={of.petId} name={of.name} onReleased={onReleased} />}
    </>
  );
}

interface Combobox {
  /** The pet of the id in the field, where it was read. */
  readonly chosen: Offered | undefined;
  readonly offers: readonly Offered[];
  readonly active: number;
  readonly change: (text: string) => void;
  readonly press: (event: KeyboardEvent) => void;
  readonly choose: (offer: Offered) => void;
  readonly open: () => void;
  readonly hide: () => void;
  /** Reads the chosen pet again. */
  readonly released: () => void;
}

/** What the field does: typing looks for pets, the arrows move in the list, Enter chooses, Esc closes it. */
function useCombobox({ value, onChoose }: PetFieldProps): Combobox {
  // What was read last, also after the list was hidden.
  const read = useSignal<readonly Offered[]>([]);
  const {
    offers,
    active,
    search,
    hide,
    press: move,
  } = useOffers(async (text) => {
    const { id } = petOf(text);
    return (read.value = id === undefined ? await petsMatching(text) : [await call('getInventoryItem', { petId: id })]);
  });
  const chosen = read.value.find(({ petId }) => petId === value.value.id);
  const list = offers.value;
  const open = (): void => search(value.value.id === undefined ? value.value.text : '');
  const choose = (offer: Offered): void => {
    value.value = { text: inertText(offer.name), id: offer.petId };
    hide();
    onChoose?.();
  };
  const change = (text: string): void => {
    value.value = petOf(text);
    if (text.trim() === '') hide();
    else search(text);
    if (value.value.id !== undefined || text.trim() === '') onChoose?.();
  };
  const press = (event: KeyboardEvent): void => {
    const offer = list[active.value];
    if (event.key === 'ArrowDown' && offer === undefined) open();
    else if (event.key === 'Enter' && offer !== undefined && value.value.id === undefined) choose(offer);
    else if (!move(event.key)) return;
    event.preventDefault();
  };
  const released = (): void => {
    const { id } = value.peek();
    if (id !== undefined) void call('getInventoryItem', { petId: id }).then((row) => (read.value = [row]));
  };
  return { chosen, offers: list, active: active.value, change, press, choose, open, hide, released };
}

/** A field for a pet, by name or id, which offers the pets that match (a combobox of WAI-ARIA). */
export function PetField(props: PetFieldProps): JSX.Element {
  const { label, value, refusal, hint, isRequired = false, isFirst = false } = props;
  const id = useId();
  const field = useRef<HTMLInputElement>(null);
  const { chosen, offers, active, change, press, choose, open, hide, released } = useCombobox(props);
  // Below a filter it would only take room.
  const isOfForm = hint !== undefined || props.isForSale === true;
  const isUnknown = value.value.text.trim() !== '' && value.value.id === undefined;
  // Before the next key: a scanner sends Return right after the text.
  useLayoutEffect(() => field.current?.setCustomValidity(isUnknown ? 'Choose a pet from the list.' : ''), [isUnknown]);
  return (
    <FieldFrame
      label={label}
      name="petId"
      refusal={refusal}
      hint={isOfForm && chosen !== undefined && offers.length === 0 ? <Chosen of={chosen} onReleased={released} /> : hint}
      id={id}
    >
      {(attributes) => (
        <>
          <input
            ref={field}
            {...attributes}
            {...comboboxAttributes(id, offers, active)}
            required={isRequired}
            autoFocus={isFirst}
            value={value.value.text}
            onInput={(event) => change(event.currentTarget.value)}
            onFocus={(event) => event.currentTarget.select()}
            onClick={open}
            onKeyDown={press}
            onBlur={hide}
          />
          <Offers id={id} of={offers} active={active} detailOf={availableText} onChoose={choose} />
        </>
      )}
    </FieldFrame>
  );
}
