import type { Conditional, Rules } from './apply-command.js';
import { removeCodesOf } from './codes.js';
import { created, done, liveCategory, livePet, move, nextId, reservedOf, refuse, statusOf, appendRow, type Model, type Status } from './shop.js';

/** The input for a new pet. */
export interface NewPet {
  readonly name: string;
  readonly category: number;
  readonly quantity: number | undefined;
  readonly status: Status | undefined;
}

/** The commands for pets. */
export type PetCommand =
  | ({ readonly do: 'create pet' } & NewPet)
  | {
      readonly do: 'edit pet';
      readonly pet: number;
      readonly name: string | undefined;
      readonly category: number | undefined;
      readonly status: Status | undefined;
    }
  | { readonly do: 'replace pet'; readonly pet: number; readonly name: string; readonly category: number; readonly status: Status | undefined }
  | { readonly do: 'delete pet' | 'hold' | 'release'; readonly pet: number };

/** Creates a pet, singly or in a batch. */
export function createPet(model: Model, { name, category, quantity, status }: NewPet, batch?: number): number {
  const pet = nextId(model.pets);
  const opening = quantity ?? (status === 'sold' ? 0 : 1);
  const hold = status === 'pending';
  model.pets.set(pet, { name, category, quantity: opening, hold, low: undefined, live: true });
  appendRow(model, { kind: 'opening', pet, delta: opening, after: opening, batch });
  if (hold) appendRow(model, { kind: 'pet.held', pet, batch });
  return pet;
}

/** Whether a status and an opening quantity contradict each other. */
export function contradictsStatus({ quantity, status }: NewPet): boolean {
  return (status === 'sold' && (quantity ?? 0) > 0) || (status === 'available' && quantity === 0);
}

function setHold(model: Model, id: number, hold: boolean): void {
  const pet = livePet(model, id);
  if (pet.hold === hold) return;
  pet.hold = hold;
  appendRow(model, { kind: hold ? 'pet.held' : 'pet.released', pet: id });
}

function writeStatus(model: Model, id: number, wanted: Status | undefined): void {
  const { quantity } = livePet(model, id);
  const reserved = reservedOf(model, id);
  if (wanted === undefined || wanted === statusOf(model, id)) return;
  if (wanted === 'pending') return setHold(model, id, true);
  if (wanted === 'sold') {
    if (reserved > 0 || quantity > 1) refuse('status_conflict');
    setHold(model, id, false);
    if (quantity === 1) move(model, id, -1, { kind: 'sale' });
    return;
  }
  const returns = quantity === 0 && reserved === 0;
  if (!returns && quantity <= reserved) refuse('status_conflict');
  setHold(model, id, false);
  if (returns) move(model, id, 1, { kind: 'return' });
}

interface Wanted {
  readonly name: string | undefined;
  readonly category: number | undefined;
  readonly status: Status | undefined;
}

function change(model: Model, id: number, { name, category, status }: Wanted, check: Conditional): string {
  const pet = livePet(model, id);
  check('pet', id);
  if (category !== undefined) liveCategory(model, category, 'unknown_category');
  const after = { name: name ?? pet.name, category: category ?? pet.category };
  if (after.name !== pet.name || after.category !== pet.category) {
    Object.assign(pet, after);
    appendRow(model, { kind: 'pet.updated', pet: id });
  }
  writeStatus(model, id, status);
  return done;
}

/** The rules of pets. */
export const petRules: Rules<PetCommand> = {
  'create pet': (model, command) => {
    if (contradictsStatus(command)) refuse('validation_failed');
    liveCategory(model, command.category, 'unknown_category');
    return created(createPet(model, command));
  },
  'edit pet': (model, command, check) => change(model, command.pet, command, check),
  'replace pet': (model, command, check) => change(model, command.pet, command, check),
  'delete pet': (model, { pet: id }, check) => {
    const pet = livePet(model, id);
    check('pet', id);
    if (reservedOf(model, id) > 0) refuse('pet_has_open_orders');
    if (pet.quantity > 1) refuse('pet_in_stock');
    if (pet.quantity === 1) appendRow(model, { kind: 'adjust', pet: id, delta: -1, after: 0 });
    removeCodesOf(model, id);
    Object.assign(pet, { quantity: 0, live: false });
    appendRow(model, { kind: 'pet.archived', pet: id });
    return done;
  },
  hold: (model, { pet }, check) => {
    livePet(model, pet);
    check('pet', pet);
    setHold(model, pet, true);
    return done;
  },
  release: (model, { pet }, check) => {
    livePet(model, pet);
    check('pet', pet);
    setHold(model, pet, false);
    return done;
  },
};
