import type { Rules } from './apply-command.js';
import { created, done, livePet, nextId, reservedOf, refuse, trackLowLevel, appendRow, type Model, type ModelOrder } from './shop.js';

/** The commands for orders. */
export type OrderCommand =
  | {
      readonly do: 'place';
      readonly pet: number | undefined;
      readonly quantity: number | undefined;
      readonly ship: string | undefined;
      readonly complete: boolean;
    }
  | {
      readonly do: 'edit order';
      readonly order: number;
      /** Null removes the pet from the order; the same for the other fields. */
      readonly pet: number | null | undefined;
      readonly quantity: number | null | undefined;
      readonly ship: string | null | undefined;
      readonly complete: boolean | undefined;
    }
  | { readonly do: 'cancel'; readonly order: number };

type Edit = OrderCommand & { readonly do: 'edit order' };

/** Refuses a reservation of more units than are available to an order that has `own` of them already. */
function reservation(model: Model, id: number, wanted: number, own: number): void {
  const pet = livePet(model, id, 'unknown_pet');
  if (pet.hold && own === 0) refuse('pet_on_hold');
  if (wanted > own && wanted > pet.quantity - reservedOf(model, id) + own) refuse('insufficient_stock');
}

// Completing or reopening an order does not change the available units, so no pet crosses its low level.
function fulfil(model: Model, id: number, order: ModelOrder): void {
  if (order.pet === undefined || order.quantity === undefined) return refuse('order_incomplete');
  const pet = livePet(model, order.pet, 'unknown_pet');
  if (pet.quantity < order.quantity) refuse('out_of_stock');
  pet.quantity -= order.quantity;
  appendRow(model, { kind: 'sale', pet: order.pet, order: id, delta: -order.quantity, after: pet.quantity });
  Object.assign(order, { state: 'complete', ship: order.ship ?? model.ledger.at(-1)?.at });
}

function reopen(model: Model, id: number, order: ModelOrder): void {
  const { pet: petId = 0, quantity = 0 } = order;
  const pet = livePet(model, petId, 'unknown_pet');
  pet.quantity += quantity;
  appendRow(model, { kind: 'return', pet: petId, order: id, delta: quantity, after: pet.quantity });
  // A ship date that the completion filled in, the time of its sale, goes.
  const isFilledIn = model.ledger.some(({ kind, order: sold, at }) => kind === 'sale' && sold === id && at === order.ship);
  Object.assign(order, { state: 'open', ...(isFilledIn && { ship: undefined }) });
}

function instant(text: string | null | undefined): number | undefined {
  return typeof text === 'string' ? Date.parse(text) : undefined;
}

function edited(order: ModelOrder, { pet, quantity, ship }: Edit): Pick<ModelOrder, 'pet' | 'quantity' | 'ship'> {
  const after = pet === undefined ? order.pet : (pet ?? undefined);
  const units = quantity === undefined ? order.quantity : (quantity ?? undefined);
  return {
    pet: after,
    quantity: after === undefined ? units : (units ?? 1),
    ship: ship === undefined ? order.ship : instant(ship),
  };
}

function edit(model: Model, id: number, order: ModelOrder, after: ReturnType<typeof edited>): void {
  const own = after.pet === order.pet ? (order.quantity ?? 0) : 0;
  if (after.pet !== undefined) reservation(model, after.pet, after.quantity ?? 0, own);
  const pets = [...new Set([order.pet, after.pet])].filter((pet) => pet !== undefined);
  const crossings = pets.map((pet) => [pet, trackLowLevel(model, pet)] as const);
  Object.assign(order, after);
  for (const [pet, crossing] of crossings) {
    appendRow(model, { kind: 'order.updated', pet, order: id });
    crossing();
  }
  if (pets.length === 0) appendRow(model, { kind: 'order.updated', order: id });
}

/** The rules of orders. */
export const orderRules: Rules<OrderCommand> = {
  place: (model, { pet, quantity: asked, ship, complete }) => {
    const quantity = pet === undefined ? asked : (asked ?? 1);
    if (pet !== undefined) reservation(model, pet, quantity ?? 0, 0);
    const id = nextId(model.orders);
    const order: ModelOrder = { pet, quantity, ship: instant(ship), state: 'open' };
    const crossing = pet === undefined ? () => undefined : trackLowLevel(model, pet);
    model.orders.set(id, order);
    appendRow(model, { kind: 'order.placed', order: id, ...(pet !== undefined && { pet }) });
    crossing();
    if (complete) fulfil(model, id, order);
    return created(id);
  },
  'edit order': (model, command, check) => {
    const { order: id, complete } = command;
    const order = model.orders.get(id);
    if (order === undefined || order.state === 'cancelled') return refuse('order_not_found');
    check('order', id);
    const isSame = (after: ReturnType<typeof edited>): boolean => after.pet === order.pet && after.quantity === order.quantity && after.ship === order.ship;
    if (order.state === 'complete') {
      if (complete !== false) return isSame(edited(order, command)) ? done : refuse('order_complete');
      reopen(model, id, order);
    }
    // What is changed is the order as it was reopened.
    const after = edited(order, command);
    if (!isSame(after)) edit(model, id, order, after);
    if (complete === true) fulfil(model, id, order);
    return done;
  },
  cancel: (model, { order: id }, check) => {
    const order = model.orders.get(id) ?? refuse('order_not_found');
    if (order.state === 'cancelled') return done;
    check('order', id);
    if (order.state === 'complete') refuse('order_complete');
    const { pet } = order;
    const crossing = pet === undefined ? () => undefined : trackLowLevel(model, pet);
    order.state = 'cancelled';
    appendRow(model, { kind: 'order.cancelled', order: id, ...(pet !== undefined && { pet }) });
    crossing();
    return done;
  },
};
