import { isDeepStrictEqual } from 'node:util';
import { expect } from 'vitest';
import type * as v from 'valibot';
import { createCategory } from '../../src/domain/categories/create-category.js';
import { addCountLines } from '../../src/domain/counts/add-count-lines.js';
import type { AddedLine, newLine } from '../../src/domain/counts/count-line.js';
import type { ErrorCode, StoreError } from '../../src/domain/errors.js';
import { adjustInventory } from '../../src/domain/inventory/adjust-inventory.js';
import { getInventoryItem } from '../../src/domain/inventory/get-inventory-item.js';
import { setInventory } from '../../src/domain/inventory/set-inventory.js';
import { listLedger } from '../../src/domain/ledger/list-ledger.js';
import type { LedgerEntry, LedgerKind } from '../../src/domain/ledger/ledger-entry.js';
import type { Operation } from '../../src/domain/operation.js';
import { placeOrder } from '../../src/domain/orders/place-order.js';
import { createPet } from '../../src/domain/pets/create-pet.js';
import { holdPet } from '../../src/domain/pets/hold-pet.js';
import type { CallOptions } from '../../src/domain/call.js';
import type { Shop } from '../../src/domain/shop.js';
import type { Engine } from '../../src/storage/engine.js';
import { sql, type Sql } from '../../src/storage/sql.js';
import { writeTransaction } from '../../src/storage/transactions.js';
import { expectRefusal } from './expect-refusal.js';
import { itemsOf } from './pages.js';

/** A shop started for one scenario. */
export interface StartedShop {
  /** The shop as used by this actor. */
  readonly shopOf: (actor: string) => Shop;
  /** The engine, for direct access to the rows. */
  readonly engine: Engine;
  /** Opens the same store again, like another process. */
  readonly openAgain: () => Promise<Engine>;
  /** The address of the server, if it is used through one. */
  readonly address?: string;
  readonly stop: () => Promise<void>;
}

/** The clock of a scenario, which only moves when it is set. */
export interface Clock {
  readonly now: () => number;
  readonly set: (text: string) => void;
  readonly pass: (milliseconds: number) => void;
}

/** A clock that stands still until it is set or passes. */
export function movingClock(): Clock {
  let now = Date.parse('2026-11-20T09:00:00Z');
  return { now: () => now, set: (text) => void (now = Date.parse(text)), pass: (milliseconds) => void (now += milliseconds) };
}

/** The state of a pet before a scenario. */
export interface PetSeed {
  readonly name?: string;
  readonly categoryId?: number;
  /** Units on hand; one when omitted. */
  readonly quantity?: number;
  /** Units reserved, all to one open order; more than on hand is a shortage. */
  readonly reserved?: number;
  readonly hold?: boolean;
}

interface LedgerFilter {
  readonly petId?: number | readonly number[];
  readonly orderId?: number | readonly number[];
  readonly batchId?: number | readonly number[];
  readonly kind?: LedgerKind[];
  readonly actor?: string;
  readonly since?: string;
  readonly until?: string;
}

type Thunk = () => Promise<unknown>;

/** A shop under test with helpers for scenarios. */
export interface TestShop extends Pick<Shop, 'call' | 'callEach'> {
  /** The shop as used by "ana", the actor of all helpers here. */
  readonly shop: Shop;
  readonly shopOf: (actor: string) => Shop;
  readonly clock: Clock;
  /** Calls an operation with an input that its types do not allow. */
  readonly callUnchecked: <Asked, Input, Output>(operation: Operation<Asked, Input, Output>, input: unknown, options?: CallOptions) => Promise<Output>;
  /** Every ledger row that matches, oldest first. */
  readonly ledger: (filter?: LedgerFilter) => Promise<readonly LedgerEntry[]>;
  /** The matching ledger rows as short texts: "sale -2", "pet.held". */
  readonly ledgerSummary: (filter?: LedgerFilter) => Promise<readonly string[]>;
  /** The figures of a pet: "3 on hand, 1 reserved, available". */
  readonly stockSummary: (petId: number) => Promise<string>;
  readonly category: (name?: string) => Promise<number>;
  /** Creates a category whose name another one may have, as older versions could. */
  readonly oldCategory: (name: string) => Promise<number>;
  readonly pet: (seed?: PetSeed) => Promise<number>;
  readonly order: (petId: number, quantity?: number) => Promise<number>;
  /** Sets or changes the quantity. */
  readonly set: (petId: number, quantity: number, allowShortage?: boolean) => Promise<unknown>;
  readonly adjust: (petId: number, delta: number, allowShortage?: boolean) => Promise<unknown>;
  /** Adds lines to a count. */
  readonly countLines: (countId: number, ...lines: v.InferInput<typeof newLine>[]) => Promise<{ readonly lines: readonly AddedLine[] }>;
  /** The engine, for changes that bypass the operations. */
  readonly engine: Engine;
  /** Opens the same store again, like another process. */
  readonly openAgain: () => Promise<Engine>;
  /** The address of the server, if it is used through one. */
  readonly address: string | undefined;
  /** Reads rows directly, bypassing the operations. */
  readonly rows: <Row>(query: Sql) => Promise<readonly Row[]>;
  /** Every row of every table. */
  readonly allRows: () => Promise<Readonly<Record<string, readonly unknown[]>>>;
  /** Expects that work changes no row of any table. */
  readonly expectUnchanged: <T>(work: () => Promise<T>) => Promise<T>;
  /** Expects that work is refused with the parts in the message, and changes no row. */
  readonly expectRefusal: (code: ErrorCode, work: Thunk, ...parts: readonly RegExp[]) => Promise<StoreError>;
}

const tables = [
  'categories',
  'pets',
  'stock',
  'settings',
  'orders',
  'batches',
  'batch_errors',
  'ledger',
  'counts',
  'count_pets',
  'count_lines',
  'replays',
  'tokens',
  'sessions',
];

/** A ledger row as a short text. */
export function entrySummary({ kind, delta }: LedgerEntry): string {
  return delta === undefined ? kind : `${kind} ${delta > 0 ? '+' : ''}${delta}`;
}

function toArray(ids: number | readonly number[] | undefined): number[] | undefined {
  return ids === undefined ? undefined : [ids].flat();
}

async function wholeLedger({ call }: Shop, { petId, orderId, batchId, ...others }: LedgerFilter): Promise<readonly LedgerEntry[]> {
  const filter = { ...others, petId: toArray(petId), orderId: toArray(orderId), batchId: toArray(batchId) };
  return itemsOf((cursor) => call(listLedger, { ...filter, limit: 500, cursor }));
}

async function seedPet({ call }: Shop, categoryId: number, seed: PetSeed): Promise<number> {
  const { name = 'Rex', quantity = 1, reserved = 0, hold = false } = seed;
  const body = { name, categoryId: seed.categoryId ?? categoryId };
  const { id } = await call(createPet, { quantity: Math.max(quantity, reserved), body });
  if (reserved > 0) await call(placeOrder, { body: { petId: id, quantity: reserved } });
  if (reserved > quantity) await call(setInventory, { petId: id, allowShortage: true, body: { quantity } });
  if (hold) await call(holdPet, { petId: id });
  return id;
}

/** The helpers for a started shop. */
export function createTestShop({ shopOf, engine, openAgain, address }: StartedShop, clock: Clock): TestShop {
  const shop = shopOf('ana');
  const { call, callEach } = shop;
  let home: Promise<number> | undefined;
  const category = async (name = 'Dogs'): Promise<number> => (await call(createCategory, { body: { name } })).id;
  const rows = <Row>(query: Sql): Promise<readonly Row[]> => engine.read((queries) => queries.all<Row>(query));
  const allRows = async (): Promise<Record<string, readonly unknown[]>> => {
    // One read for all tables: a read of PostgreSQL has statements of its own at its begin and end.
    const found = await engine.read((queries) =>
      Promise.all(tables.map((table) => queries.all<object>(sql`SELECT * FROM ${{ text: table, values: [] }} ORDER BY 1`))),
    );
    const all: Record<string, readonly unknown[]> = Object.fromEntries(tables.map((table, index) => [table, found[index] ?? []]));
    // The client sends every change with a generated key for retries; these are not part of the change.
    all['replays'] = all['replays']?.filter((replay) => !(replay as { readonly key: string }).key.startsWith('auto-')) ?? [];
    return all;
  };
  const expectUnchanged = async <T>(work: () => Promise<T>): Promise<T> => {
    const before = await allRows();
    const answer = await work();
    const after = await allRows();
    // Compares many rows faster than `expect`, which shows a difference.
    if (!isDeepStrictEqual(after, before)) expect(after).toEqual(before);
    return answer;
  };
  return {
    shop,
    shopOf,
    call,
    callEach,
    clock,
    engine,
    openAgain,
    address,
    rows,
    allRows,
    expectUnchanged,
    category,
    oldCategory: (name) =>
      engine.write(async (queries) => {
        const tx = writeTransaction(queries, { actor: 'ana', source: 'cli', clock: clock.now }, {});
        const categoryId = await tx.categories.insert({ name });
        await tx.ledger.append({ kind: 'category.created', categoryId });
        return categoryId;
      }),
    callUnchecked: (operation, input, options) => call(operation, input as never, options),
    ledger: (filter = {}) => wholeLedger(shop, filter),
    ledgerSummary: async (filter = {}) => (await wholeLedger(shop, filter)).map(entrySummary),
    stockSummary: async (petId) => {
      const { quantity, reserved, status } = await call(getInventoryItem, { petId });
      return `${quantity} on hand, ${reserved} reserved, ${status}`;
    },
    pet: async (seed = {}) => seedPet(shop, seed.categoryId ?? (await (home ??= category())), seed),
    order: async (petId, quantity) => (await call(placeOrder, { body: { petId, quantity } })).id,
    set: (petId, quantity, allowShortage) => call(setInventory, { petId, allowShortage, body: { quantity } }),
    adjust: (petId, delta, allowShortage) => call(adjustInventory, { petId, allowShortage, body: { delta } }),
    countLines: (countId, ...lines) => call(addCountLines, { countId, body: { lines } }),
    expectRefusal: (code, work, ...parts) => expectUnchanged(() => expectRefusal(code, work(), ...parts)),
  };
}
