import type { Signal } from '@preact/signals';
import type { JSX } from 'preact';
import { Field } from '../../parts/forms/field.js';
import { NoteField } from '../../parts/forms/note-field.js';
import { PetField } from '../../parts/forms/pet-field.js';
import type { RefusalError } from '../../state/server/refusal.js';
import type { TypedPet } from '../../state/typed-pet.js';

/** The fields whose refusals are shown beside them. */
export const orderFieldNames = ['petId', 'quantity', 'shipDate', 'note'] as const;

/** What was typed about an order. */
export interface OrderFieldValues {
  readonly pet: Signal<TypedPet>;
  readonly quantity: Signal<string>;
  /** Local time, such as 2026-12-24T09:00. */
  readonly shipDate: Signal<string>;
  readonly note: Signal<string>;
}

interface OrderFieldsProps {
  readonly of: OrderFieldValues;
  readonly refusal: RefusalError | undefined;
  readonly petHint?: string;
  readonly needsPet: boolean;
}

/** The fields of an order. */
export function OrderFields({ of: { pet, quantity, shipDate, note }, refusal, petHint, needsPet }: OrderFieldsProps): JSX.Element {
  return (
    <>
      <PetField label="Pet" value={pet} refusal={refusal} {...(petHint !== undefined && { hint: petHint })} isRequired={needsPet} isFirst isForSale />
      <Field label="Units" name="quantity" type="number" value={quantity} refusal={refusal} />
      <Field label="Ship date (optional)" name="shipDate" type="datetime-local" value={shipDate} refusal={refusal} />
      <NoteField value={note} refusal={refusal} />
    </>
  );
}

/** The instant of a local time that was typed; undefined for none. */
export function typedInstant({ value }: Signal<string>): string | undefined {
  return value === '' ? undefined : new Date(value).toISOString();
}

/** An instant as `<input type="datetime-local">` takes it; empty for none. */
export function localTime(at: string | undefined): string {
  if (at === undefined) return '';
  const instant = new Date(at);
  return new Date(instant.getTime() - instant.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}
