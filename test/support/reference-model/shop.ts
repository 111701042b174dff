import type { ErrorCode } from '../../../src/domain/errors.js';
import type { PetFile, StockFile } from './imports.js';

/** A category as the model knows it. */
export interface ModelCategory {
  name: string;
  description: string | undefined;
  live: boolean;
}

/** A pet as the model knows it. */
export interface ModelPet {
  name: string;
  category: number;
  quantity: number;
  hold: boolean;
  /** The low level of its own. */
  low: number | undefined;
  live: boolean;
}

/** An order as the model knows it; `ship` is an instant. */
export interface ModelOrder {
  pet: number | undefined;
  quantity: number | undefined;
  ship: number | undefined;
  state: 'open' | 'complete' | 'cancelled';
}

/** A row of the ledger; its id is its place, from 1. */
export interface ModelRow {
  readonly kind: string;
  readonly at: number;
  readonly pet?: number;
  readonly order?: number;
  readonly category?: number;
  readonly delta?: number;
  readonly after?: number;
  readonly batch?: number | undefined;
  readonly reverses?: number;
}

/** A bulk import. */
export interface ModelBatch {
  readonly kind: 'stock' | 'pets';
  state: 'applied' | 'partial' | 'refused' | 'undone';
  readonly key: string;
  /** The file as it was asked for, and its text. */
  readonly file: StockFile | PetFile;
  readonly text: string;
  readonly total: number;
  readonly applied: number;
  readonly unchanged: number;
  /** The places of the refused rows. */
  readonly refused: readonly number[];
}

/** What was asked under a key, and what was said to it. */
export interface ModelAnswer {
  readonly request: string;
  readonly answer: string;
  readonly at: number;
}

/** The simplest shop that follows the rules: plain records and the list of what happened to them, no storage. */
export interface Model {
  readonly categories: Map<number, ModelCategory>;
  readonly pets: Map<number, ModelPet>;
  readonly orders: Map<number, ModelOrder>;
  readonly ledger: ModelRow[];
  readonly batches: ModelBatch[];
  readonly keys: Map<string, ModelAnswer>;
  /** The low level of pets that have none of their own. */
  low: number | undefined;
  /** The instant of the present step. */
  now: number;
}

const keptForMs = 24 * 60 * 60 * 1000;

/** What was said to a request under a key within the last 24 hours. */
export function answerUnder({ keys, now }: Model, key: string): ModelAnswer | undefined {
  const found = keys.get(key);
  return found !== undefined && found.at > now - keptForMs ? found : undefined;
}

/** The status of a pet as it is derived. */
export type Status = 'available' | 'pending' | 'sold';

/** What a command says when it is done and has made nothing new. */
export const done = 'done';

/** What a command says that made a record. */
export function created(id: number): string {
  return `created ${id}`;
}

/** A refusal of the model. */
export class Refused extends Error {
  readonly code: ErrorCode;

  constructor(code: ErrorCode) {
    super(code);
    this.code = code;
  }
}

/** Refuses a command. */
export function refuse(code: ErrorCode): never {
  throw new Refused(code);
}

/** A shop in which nothing has happened. */
export function emptyModel(): Model {
  return { categories: new Map(), pets: new Map(), orders: new Map(), ledger: [], batches: [], keys: new Map(), low: undefined, now: 0 };
}

/** The id the next of these records gets: never one there was. */
export function nextId(records: ReadonlyMap<number, unknown>): number {
  return records.size + 1;
}

/** Units reserved for the open orders of a pet. */
export function reservedOf({ orders }: Model, pet: number): number {
  let sum = 0;
  for (const order of orders.values()) if (order.state === 'open' && order.pet === pet) sum += order.quantity ?? 0;
  return sum;
}

/** A pet that is in the shop; otherwise the refusal. */
export function livePet({ pets }: Model, id: number, missing: ErrorCode = 'pet_not_found'): ModelPet {
  const pet = pets.get(id);
  return pet?.live === true ? pet : refuse(missing);
}

/** A category that stands; otherwise the refusal. */
export function liveCategory({ categories }: Model, id: number, missing: ErrorCode): ModelCategory {
  const category = categories.get(id);
  return category?.live === true ? category : refuse(missing);
}

/** The status of a pet, from its hold, its stock and its reservations alone. */
export function statusOf(model: Model, id: number): Status {
  const { hold, quantity } = livePet(model, id);
  const reserved = reservedOf(model, id);
  if (hold) return 'pending';
  if (quantity - reserved > 0) return 'available';
  return reserved > 0 ? 'pending' : 'sold';
}

/** Whether a pet is at or below its low level. */
export function isLow(model: Model, id: number): boolean {
  const { quantity, low } = livePet(model, id);
  const level = low ?? model.low;
  return level !== undefined && quantity - reservedOf(model, id) <= level;
}

/** Writes down what happened; time never goes back. */
export function appendRow(model: Model, row: Omit<ModelRow, 'at'>): void {
  model.ledger.push({ ...row, at: Math.max(model.now, model.ledger.at(-1)?.at ?? 0) });
}

/** Looks whether a pet is low; what it answers writes down, after a change, that the pet has crossed the line. */
export function trackLowLevel(model: Model, pet: number, batch?: number): () => void {
  const before = isLow(model, pet);
  return () => {
    const after = isLow(model, pet);
    if (after !== before) appendRow(model, { kind: after ? 'inventory.low' : 'inventory.restocked', pet, batch });
  };
}

/** Moves units of a pet in or out. */
export function move(model: Model, id: number, delta: number, row: Omit<ModelRow, 'at' | 'delta' | 'after' | 'pet'>): void {
  const pet = livePet(model, id);
  const crossing = trackLowLevel(model, id, row.batch);
  pet.quantity += delta;
  appendRow(model, { ...row, pet: id, delta, after: pet.quantity });
  crossing();
}

/** The ids of the rows that tell of a record, oldest first; the last one is its version. */
export function rowsOf({ ledger }: Model, noun: 'pet' | 'order' | 'category', id: number): readonly number[] {
  return ledger.flatMap((row, index) => (row[noun] === id ? [index + 1] : []));
}
