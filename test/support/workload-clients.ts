import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from '../../src/storage/sql.js';
import { runProgram } from './program.js';
import type { TestShop } from './test-shop.js';

/** The changes that clients got acknowledged, all of which must be stored. */
export interface AcknowledgedChanges {
  /** The sum of all changes by pet. */
  readonly units: Map<number, number>;
  /** The ids of orders, and whether they are complete. */
  readonly orders: Map<number, boolean>;
  /** Order ids that were returned for two keys. */
  readonly duplicates: number[];
  /** The notes of adjustments. */
  readonly notes: Set<string>;
  /** The keys of files, and their rows. */
  readonly files: Map<string, number>;
  /** The number of refusals by error code. */
  readonly refused: Map<string, number>;
  /** Unexpected answers. */
  readonly unexpected: string[];
  /** How often requests were repeated with their keys. */
  repeats: number;
  /** The time until each request was answered, in ms. */
  readonly waitsMs: number[];
  /** The time until the slowest attempt was refused with 503, in ms. */
  slowestRefusalMs: number;
}

/** A record without changes. */
export function noChanges(): AcknowledgedChanges {
  return {
    units: new Map(),
    orders: new Map(),
    duplicates: [],
    notes: new Set(),
    files: new Map(),
    refused: new Map(),
    unexpected: [],
    repeats: 0,
    waitsMs: [],
    slowestRefusalMs: 0,
  };
}

/** Records an acknowledged change of stock. */
export function recordDelta({ units }: AcknowledgedChanges, petId: number, delta: number): void {
  units.set(petId, (units.get(petId) ?? 0) + delta);
}

/** Records an acknowledged order. */
function recordOrder({ orders, duplicates }: AcknowledgedChanges, id: number, complete: boolean): void {
  if (orders.has(id)) duplicates.push(id);
  orders.set(id, complete);
}

/** A request that changes something. */
interface ChangeRequest {
  readonly key: string;
  readonly method: string;
  readonly path: string;
  readonly type: string;
  readonly body: string;
}

interface ChangeAnswer {
  readonly status: number;
  readonly body: Readonly<Record<string, unknown>>;
}

/** Resolves with the address of the server when it is running. */
export type ServerAddress = () => Promise<string>;

const petsInFile = 5;

/** The refusals of a request that is repeated: its first attempt is still running, or the shop is busy or away for a moment. */
const passing = new Set(['idempotency_in_progress', 'store_busy', 'store_unreachable', 'store_read_only']);

/** Repeats a request with the same key until there is an answer, because the server may be gone or still working on it. */
async function sendUntilAnswered(where: ServerAddress, changes: AcknowledgedChanges, { key, method, path, type, body }: ChangeRequest): Promise<ChangeAnswer> {
  const began = performance.now();
  for (;;) {
    const tried = performance.now();
    try {
      const response = await fetch(`${await where()}${path}`, { method, headers: { 'content-type': type, 'idempotency-key': key }, body });
      const text = await response.text();
      const said: ChangeAnswer = { status: response.status, body: text === '' ? {} : (JSON.parse(text) as ChangeAnswer['body']) };
      const code = String(said.body['code']);
      if (!passing.has(code)) {
        changes.waitsMs.push(performance.now() - began);
        return said;
      }
      changes.refused.set(code, (changes.refused.get(code) ?? 0) + 1);
      changes.slowestRefusalMs = Math.max(changes.slowestRefusalMs, performance.now() - tried);
    } catch (error) {
      if (!(error instanceof TypeError)) throw error;
    }
    changes.repeats += 1;
    await sleep(10);
  }
}

/** Records an answer: a change, a refusal by a rule, or an unexpected answer. Returns whether it succeeded. */
function recordAnswer(changes: AcknowledgedChanges, request: ChangeRequest, { status, body }: ChangeAnswer, done: () => void): boolean {
  if (status < 300) done();
  else if (status === 409 && ['insufficient_stock', 'out_of_stock'].includes(String(body['code'])))
    changes.refused.set(String(body['code']), (changes.refused.get(String(body['code'])) ?? 0) + 1);
  else changes.unexpected.push(`${request.method} ${request.path}: ${status} ${JSON.stringify(body)}`);
  return status < 300;
}

/** A client that sells, places and completes orders, adjusts stock and imports files; each call makes the next request. */
export function httpClient(where: ServerAddress, changes: AcknowledgedChanges, name: string, pets: number, random: () => number): () => Promise<void> {
  let turn = 0;
  const json = 'application/json';
  const request = (method: string, path: string, body: object): ChangeRequest => ({
    key: `${name}-${turn}-${method}`,
    method,
    path,
    type: json,
    body: JSON.stringify(body),
  });
  const anyPet = (): number => 1 + Math.floor(random() * pets);
  const sell = async (petId: number): Promise<void> => {
    const asked = request('POST', '/store/orders', { petId, quantity: 1, complete: true });
    const said = await sendUntilAnswered(where, changes, asked);
    recordAnswer(changes, asked, said, () => (recordOrder(changes, Number(said.body['id']), true), recordDelta(changes, petId, -1)));
  };
  const order = async (petId: number): Promise<void> => {
    const asked = request('POST', '/store/orders', { petId, quantity: 2 });
    const said = await sendUntilAnswered(where, changes, asked);
    const id = Number(said.body['id']);
    if (!recordAnswer(changes, asked, said, () => recordOrder(changes, id, false))) return;
    const completing = request('PATCH', `/store/orders/${id}`, { complete: true });
    recordAnswer(
      changes,
      completing,
      await sendUntilAnswered(where, changes, completing),
      () => (changes.orders.set(id, true), recordDelta(changes, petId, -2)),
    );
  };
  const adjust = async (petId: number): Promise<void> => {
    const asked = request('POST', `/store/inventory/${petId}/adjustments`, { delta: 3, note: `${name}-${turn}-POST` });
    recordAnswer(changes, asked, await sendUntilAnswered(where, changes, asked), () => (changes.notes.add(asked.key), recordDelta(changes, petId, 3)));
  };
  const deliver = async (first: number): Promise<void> => {
    const ids = Array.from({ length: petsInFile }, (_, index) => 1 + ((first + index) % pets));
    const asked = { ...request('POST', '/store/imports', {}), type: 'text/csv', body: `petId,delta\n${ids.map((id) => `${id},1\n`).join('')}` };
    recordAnswer(changes, asked, await sendUntilAnswered(where, changes, asked), () => {
      changes.files.set(asked.key, ids.length);
      for (const id of ids) recordDelta(changes, id, 1);
    });
  };
  return async () => {
    turn += 1;
    const petId = anyPet();
    if (turn % 20 === 0) return deliver(petId);
    return [sell, order, adjust][turn % 3]?.(petId);
  };
}

/** A client that sells and adjusts stock by command lines; each call runs the next command. */
export function commandLineClient(store: string, changes: AcknowledgedChanges, name: string, pets: number, random: () => number): () => Promise<void> {
  let turn = 0;
  return async () => {
    turn += 1;
    const [petId, note] = [1 + Math.floor(random() * pets), `${name} ${turn}`];
    const sells = turn % 2 === 0;
    const words = sells ? ['order', 'place', '--pet', String(petId), '--complete', '--json'] : ['inventory', 'adjust', String(petId), '+2', '--note', note];
    const { exitCode, stdout, stderr } = await runProgram(store, [...words, '--wait', '30']);
    if (exitCode !== 0) changes.unexpected.push(`${words.join(' ')} ended with ${exitCode}: ${stderr}`);
    else if (sells) recordOrder(changes, (JSON.parse(stdout) as { readonly id: number }).id, true);
    else changes.notes.add(note);
    if (exitCode === 0) recordDelta(changes, petId, sells ? -1 : 2);
  };
}

interface Found {
  readonly id: number;
  readonly is: string | number;
}

/** The differences between a shop and the acknowledged changes, given the initial units of every pet: lost, repeated or unacknowledged changes. */
export async function discrepancies({ rows }: TestShop, changes: AcknowledgedChanges, opening: number): Promise<readonly string[]> {
  const wrong = [...changes.unexpected, ...changes.duplicates.map((id) => `order ${id} was told of twice`)];
  const differ = (what: string, told: ReadonlyMap<string | number, unknown>, found: readonly Found[]): void => {
    const there = new Map(found.map(({ id, is }) => [String(id), String(is)]));
    for (const [id, is] of told) if (there.get(String(id)) !== String(is)) wrong.push(`${what} ${id}: ${there.get(String(id))}, not ${String(is)}`);
    for (const id of there.keys()) if (!told.has(id) && !told.has(Number(id))) wrong.push(`${what} ${id}: nobody was told`);
  };
  const stock = await rows<Found>(sql`SELECT pet_id AS id, quantity AS "is" FROM stock`);
  differ('pet', new Map(stock.map(({ id }) => [id, opening + (changes.units.get(id) ?? 0)])), stock);
  const states = new Map([...changes.orders].map(([id, complete]) => [id, complete ? 'complete' : 'open']));
  differ('order', states, await rows<Found>(sql`SELECT id, state AS "is" FROM orders`));
  const notes = new Map([...changes.notes].map((note) => [note, 1]));
  differ('note', notes, await rows<Found>(sql`SELECT note AS id, count(*) AS "is" FROM ledger WHERE kind = 'adjust' AND note IS NOT NULL GROUP BY note`));
  differ('file', changes.files, await rows<Found>(sql`SELECT key AS id, applied AS "is" FROM batches WHERE kind = 'stock' AND state = 'applied'`));
  return wrong;
}

/** Percentiles of waits in ms, as a short text. */
export function percentiles(waits: readonly number[]): string {
  const sorted = waits.toSorted((one, other) => one - other);
  const at = (part: number): string => (sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0).toFixed(1);
  return `${sorted.length}, p50 ${at(0.5)}, p95 ${at(0.95)}, p99 ${at(0.99)}, slowest ${at(1)} ms`;
}
