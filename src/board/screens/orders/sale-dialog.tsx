import { signal, useSignal, type Signal } from '@preact/signals';
import type { JSX } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { ActionForm } from '../../parts/forms/action-form.js';
import { Dialog } from '../../parts/forms/dialog.js';
import { Field, numberIn } from '../../parts/forms/field.js';
import { NoteField } from '../../parts/forms/note-field.js';
import { PetField } from '../../parts/forms/pet-field.js';
import { orderText, saleText } from '../../parts/order-text.js';
import { useAction } from '../../state/changes/action.js';
import type { AnswerOf } from '../../state/server/contract.js';
import type { RefusalError } from '../../state/server/refusal.js';
import { noPet, type TypedPet } from '../../state/typed-pet.js';

/** One pet of a sale. */
interface Item {
  readonly key: number;
  readonly pet: Signal<TypedPet>;
  readonly units: Signal<string>;
}

interface ItemFieldsProps extends Omit<Item, 'key'> {
  readonly number: number;
  readonly refusal: RefusalError | undefined;
  readonly onRemove?: (() => void) | undefined;
}

function sentence(orders: AnswerOf<'callEach'>): string {
  const [only, second] = orders;
  if (only !== undefined && second === undefined) return saleText(only);
  return `Sold ${orders.map(orderText).join(', ')} (orders ${orders.map(({ id }) => id).join(', ')}).`;
}

/** The refusal of a sale of several pets is about one of them. */
function refusalOf(refusal: RefusalError | undefined, { pet: { value } }: Item, isOnly: boolean): RefusalError | undefined {
  return isOnly || (refusal?.details.petId !== undefined && refusal.details.petId === value.id) ? refusal : undefined;
}

function ItemFields({ number, pet, units, refusal, onRemove }: ItemFieldsProps): JSX.Element {
  return (
    <div class="sale-item" role="group" aria-label={`Pet ${number}`}>
      <PetField label="Pet" value={pet} refusal={refusal} isRequired isFirst={number === 1} isForSale />
      <Field label="Units" name="quantity" type="number" value={units} refusal={refusal} />
      {onRemove && (
        <button type="button" class="small" onClick={onRemove}>
          Remove<span class="visually-hidden"> pet {number}</span>
        </button>
      )}
    </div>
  );
}

function useItems(): { readonly items: Signal<readonly Item[]>; readonly add: () => void; readonly remove: (item: Item) => void } {
  const last = useRef(0);
  const item = (): Item => ({ key: (last.current += 1), pet: signal(noPet), units: signal('1') });
  const items = useSignal<readonly Item[]>([]);
  if (items.peek().length === 0) items.value = [item()];
  return {
    items,
    add: () => void (items.value = [...items.value, item()]),
    remove: (removed) => void (items.value = items.value.filter((one) => one !== removed)),
  };
}

/** Sells one or several pets over the counter: all of them or none. */
export function SaleDialog({ onClose }: { readonly onClose: () => void }): JSX.Element {
  const { items, add, remove } = useItems();
  const note = useSignal('');
  const list = useRef<HTMLDivElement>(null);
  const sale = useAction('callEach', sentence);
  const count = items.value.length;
  // The pet of a line that was added is what comes next.
  useLayoutEffect(() => {
    if (count > 1) list.current?.querySelector<HTMLElement>('.sale-item:last-child input')?.focus();
  }, [count]);
  const submit = async (): Promise<void> => {
    const inputs = items.value.map(({ pet, units }) => ({ body: { petId: pet.value.id, quantity: numberIn(units.value), complete: true } }));
    if (await sale.run({ body: { operation: 'placeOrder', inputs } }, { note: note.value })) onClose();
  };
  const { value: refusal } = sale.refusal;
  const isBeside = items.value.some((item) => refusalOf(refusal, item, count === 1) !== undefined);
  return (
    <Dialog title="Sell" onClose={onClose}>
      <ActionForm label="Sell" action={sale} fields={isBeside ? ['petId', 'quantity', 'note'] : ['note']} onSubmit={submit} onCancel={onClose}>
        <div ref={list} class="sale-items">
          {items.value.map((item, index) => (
            <ItemFields
              key={item.key}
              number={index + 1}
              pet={item.pet}
              units={item.units}
              refusal={refusalOf(refusal, item, count === 1)}
              onRemove={count > 1 ? () => remove(item) : undefined}
            />
          ))}
        </div>
        <button type="button" class="small add-item" onClick={add}>
          Add another pet
        </button>
        <NoteField value={note} refusal={refusal} />
      </ActionForm>
    </Dialog>
  );
}
