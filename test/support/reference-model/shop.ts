import type { ErrorCode } from '../../../src/domain/errors.js';
import type { PetFile, StockFile } from './imports.js';

/** A category of the model. */
export interface ModelCategory {
  name: string;
  description: string | undefined;
  live: boolean;
}

/** A pet of the model. */
export interface ModelPet {
  name: string;
  category: number;
  quantity: number;
  hold: boolean;
  /** Its own low level. */
  low: number | undefined;
  live: boolean;
}

/** An order of the model; `ship` is an instant. */
export interface ModelOrder {
  pet: number | undefined;
  quantity: number | undefined;
  ship: number | undefined;
  state: 'open' | 'complete' | 'cancelled';
}

/** A row of the ledger; its id is its position, from 1. */
export interface ModelRow {
  readonly kind: string;
  readonly at: number;
  readonly pet?: number;
  readonly order?: number;
  readonly category?: number;
  readonly delta?: number;
  readonly after?: number;
  readonly batch?: number | undefined;
  readonly count?: number;
  readonly reverses?: number;
}

/** A bulk import, or the changes of a count. */
export interface ModelBatch {
  readonly kind: 'stock' | 'pets';
  state: 'applied' | 'partial' | 'refused' | 'undone';
  readonly key: string;
  /** The file and its text; the changes of a count have none. */
  readonly file: StockFile | PetFile | undefined;
  readonly text: string;
  readonly total: number;
  readonly applied: number;
  readonly unchanged: number;
  /** The indexes of the refused rows. */
  readonly refused: readonly number[];
}

/** A pet in a count, and what its lines come to. */
export interface ModelCountPet {
  counted: number | undefined;
  /** The quantity on hand at the last line. */
  expected: number | undefined;
  lines: number;
  /** Why the close left it as it was. */
  refused: ErrorCode | undefined;
}

/** A count of the model. */
export interface ModelCount {
  state: 'open' | 'closed' | 'cancelled';
  readonly pets: Map<number, ModelCountPet>;
  batch: number | undefined;
}

/** A line of a count; its id is its position among all lines, from 1. */
export interface ModelLine {
  readonly count: number;
  readonly pet: number;
  readonly number: number;
  readonly adds: boolean;
  readonly onHand: number;
  /** The newest ledger row at that moment. */
  readonly entry: number;
  readonly key: string | undefined;
  undone: boolean;
}

/** A code of the model. */
export interface ModelCode {
  readonly code: string;
  readonly pet: number;
  readonly units: number;
}

/** A request with a key, and its answer. */
export interface ModelAnswer {
  readonly request: string;
  readonly answer: string;
  readonly at: number;
}

/** The simplest shop that follows the rules: plain records and a ledger in memory. */
export interface Model {
  readonly categories: Map<number, ModelCategory>;
  readonly pets: Map<number, ModelPet>;
  readonly orders: Map<number, ModelOrder>;
  readonly ledger: ModelRow[];
  /** By what equal codes have in common. */
  readonly codes: Map<string, ModelCode>;
  readonly batches: ModelBatch[];
  readonly counts: Map<number, ModelCount>;
  readonly countLines: ModelLine[];
  readonly keys: Map<string, ModelAnswer>;
  /** The default low level. */
  low: number | undefined;
  /** The time of the current step. */
  now: number;
}

const keptForMs = 24 * 60 * 60 * 1000;

/** The answer to a request with this key within the last 24 hours. */
export function answerUnder({ keys, now }: Model, key: string): ModelAnswer | undefined {
  const found = keys.get(key);
  return found !== undefined && found.at > now - keptForMs ? found : undefined;
}

/** The derived status of a pet. */
export type Status = 'available' | 'pending' | 'sold';

/** The answer of a command that created nothing. */
export const done = 'done';

/** The answer of a command that created a record. */
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

/** An empty shop. */
export function emptyModel(): Model {
  return {
    categories: new Map(),
    pets: new Map(),
    orders: new Map(),
    ledger: [],
    codes: new Map(),
    batches: [],
    counts: new Map(),
    countLines: [],
    keys: new Map(),
    low: undefined,
    now: 0,
  };
}

/** The id of the next record; ids are not reused. */
export function nextId(records: ReadonlyMap<number, unknown>): number {
  return records.size + 1;
}

/** Units reserved for the open orders of a pet. */
export function reservedOf({ orders }: Model, pet: number): number {
  let sum = 0;
  for (const order of orders.values()) if (order.state === 'open' && order.pet === pet) sum += order.quantity ?? 0;
  return sum;
}

/** A live pet; otherwise refuses. */
export function livePet({ pets }: Model, id: number, missing: ErrorCode = 'pet_not_found'): ModelPet {
  const pet = pets.get(id);
  return pet?.live === true ? pet : refuse(missing);
}

/** A live category; otherwise refuses. */
export function liveCategory({ categories }: Model, id: number, missing: ErrorCode): ModelCategory {
  const category = categories.get(id);
  return category?.live === true ? category : refuse(missing);
}

/** The status of a pet, derived from hold, stock and reservations. */
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

/** Appends a ledger row; its time never decreases. */
export function appendRow(model: Model, row: Omit<ModelRow, 'at'>): void {
  model.ledger.push({ ...row, at: Math.max(model.now, model.ledger.at(-1)?.at ?? 0) });
}

/** Remembers whether a pet is low; the returned function writes a row if the pet has crossed its low level since. */
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

/** The ids of the ledger rows of a record, oldest first; the last one is its version. */
export function rowsOf({ ledger }: Model, noun: 'pet' | 'order' | 'category', id: number): readonly number[] {
  return ledger.flatMap((row, index) => (row[noun] === id ? [index + 1] : []));
}
