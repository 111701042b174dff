/** A pet as the model knows it. */
export interface ModelPet {
  category: number;
  quantity: number;
  hold: boolean;
  live: boolean;
}

/** An order as the model knows it. */
export interface ModelOrder {
  pet: number | undefined;
  quantity: number | undefined;
  state: 'open' | 'complete' | 'cancelled';
}

/** The simplest shop that follows the rules: plain records, no storage, no history. */
export interface Model {
  readonly categories: Map<number, { live: boolean }>;
  readonly pets: Map<number, ModelPet>;
  readonly orders: Map<number, ModelOrder>;
}

type Status = 'available' | 'pending' | 'sold';

/** What is asked of the shop; records are named by their ids, which may be of nothing. */
export type Command =
  | { readonly do: 'create category' }
  | { readonly do: 'delete category'; readonly category: number; readonly moveTo: number | undefined }
  | { readonly do: 'create pet'; readonly category: number; readonly quantity: number | undefined; readonly status: Status | undefined }
  | { readonly do: 'change pet'; readonly pet: number; readonly category: number | undefined; readonly status: Status | undefined }
  | { readonly do: 'delete pet' | 'hold' | 'release'; readonly pet: number }
  | { readonly do: 'set' | 'adjust'; readonly pet: number; readonly units: number; readonly allowShortage: boolean }
  | { readonly do: 'place'; readonly pet: number | undefined; readonly quantity: number | undefined; readonly complete: boolean }
  | {
      readonly do: 'edit';
      readonly order: number;
      readonly pet: number | null | undefined;
      readonly quantity: number | undefined;
      readonly complete: boolean | undefined;
    }
  | { readonly do: 'cancel'; readonly order: number }
  | {
      readonly do: 'import';
      readonly column: 'quantity' | 'delta';
      readonly rows: readonly (readonly [pet: number, units: number])[];
      readonly keepGoing: boolean;
    };

/** Nothing to say, or the code of the refusal. */
type Verdict = string | undefined;

/** Units promised to the open orders of a pet. */
export function promisedOf({ orders }: Model, pet: number): number {
  let sum = 0;
  for (const order of orders.values()) if (order.state === 'open' && order.pet === pet) sum += order.quantity ?? 0;
  return sum;
}

function copied<T extends object>(records: ReadonlyMap<number, T>): Map<number, T> {
  return new Map([...records].map(([id, record]) => [id, { ...record }]));
}

/** A copy that can be changed without the original noticing. */
export function copyOf({ categories, pets, orders }: Model): Model {
  return { categories: copied(categories), pets: copied(pets), orders: copied(orders) };
}

function livePet({ pets }: Model, id: number): ModelPet | undefined {
  const pet = pets.get(id);
  return pet?.live === true ? pet : undefined;
}

function hasCategory({ categories }: Model, id: number): boolean {
  return categories.get(id)?.live === true;
}

function nextId(records: ReadonlyMap<number, unknown>): number {
  return records.size + 1;
}

function statusOf(model: Model, id: number, { hold, quantity }: ModelPet): Status {
  const promised = promisedOf(model, id);
  if (hold) return 'pending';
  if (quantity - promised > 0) return 'available';
  return promised > 0 ? 'pending' : 'sold';
}

function writeStatus(model: Model, id: number, pet: ModelPet, wanted: Status | undefined): Verdict {
  const promised = promisedOf(model, id);
  if (wanted === undefined || wanted === statusOf(model, id, pet)) return undefined;
  if (wanted === 'pending') {
    pet.hold = true;
    return undefined;
  }
  if (wanted === 'available') {
    const quantity = pet.quantity === 0 && promised === 0 ? 1 : pet.quantity;
    if (quantity <= promised) return 'status_conflict';
    Object.assign(pet, { hold: false, quantity });
    return undefined;
  }
  if (promised > 0 || pet.quantity > 1) return 'status_conflict';
  Object.assign(pet, { hold: false, quantity: 0 });
  return undefined;
}

function deleteCategory(model: Model, id: number, moveTo: number | undefined): Verdict {
  if (!hasCategory(model, id)) return 'category_not_found';
  const pets = [...model.pets.values()].filter((pet) => pet.live && pet.category === id);
  if (moveTo === id) return 'validation_failed';
  if (moveTo !== undefined && !hasCategory(model, moveTo)) return 'unknown_category';
  if (moveTo === undefined && pets.length > 0) return 'category_in_use';
  for (const pet of pets) pet.category = moveTo ?? pet.category;
  model.categories.set(id, { live: false });
  return undefined;
}

function createPet(model: Model, category: number, quantity: number | undefined, status: Status | undefined): Verdict {
  if (status === 'sold' && (quantity ?? 0) > 0) return 'validation_failed';
  if (status === 'available' && quantity === 0) return 'validation_failed';
  if (!hasCategory(model, category)) return 'unknown_category';
  model.pets.set(nextId(model.pets), { category, quantity: quantity ?? (status === 'sold' ? 0 : 1), hold: status === 'pending', live: true });
  return undefined;
}

function changePet(model: Model, id: number, category: number | undefined, status: Status | undefined): Verdict {
  const pet = livePet(model, id);
  if (!pet) return 'pet_not_found';
  if (category !== undefined && !hasCategory(model, category)) return 'unknown_category';
  pet.category = category ?? pet.category;
  return writeStatus(model, id, pet, status);
}

function deletePet(model: Model, id: number): Verdict {
  const pet = livePet(model, id);
  if (!pet) return 'pet_not_found';
  if (promisedOf(model, id) > 0) return 'pet_has_open_orders';
  if (pet.quantity > 1) return 'pet_in_stock';
  Object.assign(pet, { quantity: 0, live: false });
  return undefined;
}

function setStock(model: Model, id: number, quantity: number, allowShortage: boolean): Verdict {
  const pet = livePet(model, id);
  if (!pet) return 'pet_not_found';
  if (quantity !== pet.quantity && quantity < promisedOf(model, id) && !allowShortage) return 'stock_promised';
  pet.quantity = quantity;
  return undefined;
}

function adjustStock(model: Model, id: number, delta: number, allowShortage: boolean): Verdict {
  const pet = livePet(model, id);
  if (delta === 0) return 'validation_failed';
  if (!pet) return 'pet_not_found';
  if (pet.quantity + delta < 0) return 'out_of_stock';
  if (delta < 0 && pet.quantity + delta < promisedOf(model, id) && !allowShortage) return 'stock_promised';
  pet.quantity += delta;
  return undefined;
}

/** Whether a pet can promise `wanted` units to an order that has `own` of them already. */
function promise(model: Model, id: number, wanted: number, own: number): Verdict {
  const pet = livePet(model, id);
  if (!pet) return 'unknown_pet';
  if (pet.hold && own === 0) return 'pet_on_hold';
  return wanted > own && wanted > pet.quantity - promisedOf(model, id) + own ? 'insufficient_stock' : undefined;
}

function fulfil(model: Model, order: ModelOrder): Verdict {
  const pet = order.pet === undefined ? undefined : livePet(model, order.pet);
  if (!pet || order.quantity === undefined) return 'order_incomplete';
  if (pet.quantity < order.quantity) return 'out_of_stock';
  pet.quantity -= order.quantity;
  order.state = 'complete';
  return undefined;
}

function place(model: Model, pet: number | undefined, quantity: number | undefined, complete: boolean): Verdict {
  const order: ModelOrder = { pet, quantity: pet === undefined ? quantity : (quantity ?? 1), state: 'open' };
  const refused = pet === undefined ? undefined : promise(model, pet, order.quantity ?? 0, 0);
  if (refused !== undefined) return refused;
  model.orders.set(nextId(model.orders), order);
  return complete ? fulfil(model, order) : undefined;
}

function edit(model: Model, command: Command & { readonly do: 'edit' }): Verdict {
  const order = model.orders.get(command.order);
  if (!order || order.state === 'cancelled') return 'order_not_found';
  const pet = command.pet === undefined ? order.pet : (command.pet ?? undefined);
  const quantity = command.quantity ?? order.quantity ?? (pet === undefined ? undefined : 1);
  const same = pet === order.pet && quantity === order.quantity;
  if (order.state === 'complete') {
    if (command.complete !== false) return same ? undefined : 'order_complete';
    const sold = order.pet === undefined ? undefined : livePet(model, order.pet);
    if (!sold) return 'unknown_pet';
    sold.quantity += order.quantity ?? 0;
    order.state = 'open';
  }
  if (!same && pet !== undefined) {
    const refused = promise(model, pet, quantity ?? 0, pet === order.pet ? (order.quantity ?? 0) : 0);
    if (refused !== undefined) return refused;
  }
  Object.assign(order, { pet, quantity });
  return command.complete === true ? fulfil(model, order) : undefined;
}

function cancel(model: Model, id: number): Verdict {
  const order = model.orders.get(id);
  if (!order) return 'order_not_found';
  if (order.state === 'complete') return 'order_complete';
  order.state = 'cancelled';
  return undefined;
}

/** One row after the other; what a refused row would have done is left out, and without `keepGoing` everything is. */
function importRows(model: Model, { column, rows, keepGoing }: Command & { readonly do: 'import' }): Verdict {
  const before = copyOf(model);
  const pets = rows.map(([pet]) => pet);
  let refused = 0;
  for (const [pet, units] of rows) {
    const twice = column === 'quantity' && pets.filter((one) => one === pet).length > 1;
    const verdict = twice ? 'duplicate_row' : column === 'quantity' ? setStock(model, pet, units, false) : adjustStock(model, pet, units, false);
    if (verdict !== undefined) refused += 1;
  }
  if (refused > 0 && !keepGoing) for (const [id, pet] of before.pets) model.pets.set(id, pet);
  return `${refused} refused`;
}

/** What the rules say to a command: the code of the refusal, or what was done to the model. May leave a refused model changed. */
export function obey(model: Model, command: Command): Verdict {
  switch (command.do) {
    case 'create category':
      model.categories.set(nextId(model.categories), { live: true });
      return undefined;
    case 'delete category':
      return deleteCategory(model, command.category, command.moveTo);
    case 'create pet':
      return createPet(model, command.category, command.quantity, command.status);
    case 'change pet':
      return changePet(model, command.pet, command.category, command.status);
    case 'delete pet':
      return deletePet(model, command.pet);
    case 'hold':
    case 'release': {
      const pet = livePet(model, command.pet);
      if (!pet) return 'pet_not_found';
      pet.hold = command.do === 'hold';
      return undefined;
    }
    case 'set':
      return setStock(model, command.pet, command.units, command.allowShortage);
    case 'adjust':
      return adjustStock(model, command.pet, command.units, command.allowShortage);
    case 'place':
      return place(model, command.pet, command.quantity, command.complete);
    case 'edit':
      return edit(model, command);
    case 'cancel':
      return cancel(model, command.order);
    case 'import':
      return importRows(model, command);
  }
}
