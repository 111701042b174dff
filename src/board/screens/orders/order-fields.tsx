import type { Signal } from '@preact/signals';
import type { JSX } from 'preact';
import type { OrderFields as OrderValues } from '../../../domain/orders/order.js';
import { Field } from '../../parts/forms/field.js';
import { NoteField } from '../../parts/forms/note-field.js';
import { PetField } from '../../parts/forms/pet-field.js';
import type { RefusalError } from '../../state/server/refusal.js';
import type { TypedPet } from '../../state/typed-pet.js';

const labels: Readonly<Record<keyof OrderValues, string>> = { petId: 'Pet', quantity: 'Units', shipDate: 'Ship date (optional)' };

/** The fields whose refusals are shown beside them. */
export const orderFieldNames = [...Object.keys(labels), 'note'] as const;

/** What was typed about an order; `shipDate` is a local time, such as 2026-12-24T09:00. */
export interface OrderFieldValues extends Readonly<Record<keyof Omit<OrderValues, 'petId'> | 'note', Signal<string>>> {
  readonly pet: Signal<TypedPet>;
}

interface OrderFieldsProps {
  readonly of: OrderFieldValues;
  readonly refusal: RefusalError | undefined;
  readonly petHint?: string;
  readonly needsPet: boolean;
}

/** The fields of an order. */
export function OrderFields({ of: { pet, quantity, shipDate, note }, refusal, petHint, needsPet }: OrderFieldsProps): JSX.Element {
  const hint = petHint !== undefined && { hint: petHint };
  const controls: Readonly<Record<keyof OrderValues, JSX.Element>> = {
    petId: <PetField label={labels.petId} value={pet} refusal={refusal} {...hint} isRequired={needsPet} isFirst isForSale />,
    quantity: <Field label={labels.quantity} name="quantity" type="number" value={quantity} refusal={refusal} />,
    shipDate: <Field label={labels.shipDate} name="shipDate" type="datetime-local" value={shipDate} refusal={refusal} />,
  };
  return (
    <>
      {Object.values(controls)}
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
