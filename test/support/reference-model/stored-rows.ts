import type { TestShop } from '../test-shop.js';
import type { ObservedShop } from '../adapters/adapter.js';
import { isLow, statusOf, type Model, type ModelCode, type ModelCount } from './shop.js';

const queries = {
  categories: 'SELECT id, name, description, archived = 0 AS live FROM categories ORDER BY id',
  pets: `SELECT p.id, p.name, p.category_id AS category, coalesce(s.quantity, 0) AS quantity, p.hold,
    CASE s.low_own WHEN 1 THEN s.low_at END AS low, p.archived = 0 AS live FROM pets p LEFT JOIN stock s ON s.pet_id = p.id ORDER BY p.id`,
  codes: 'SELECT code, pet_id AS pet, units FROM codes',
  orders: 'SELECT id, pet_id AS pet, quantity, ship_date AS ship, state FROM orders ORDER BY id',
  counts: 'SELECT id, state, pets, counted, differing, batch_id AS batch FROM counts ORDER BY id',
  countPets: `SELECT count_id AS "count", pet_id AS pet, open, counted, expected, lines, refused FROM count_pets ORDER BY count_id, pet_id`,
  countLines: `SELECT id, count_id AS "count", pet_id AS pet, number, adds, on_hand AS "onHand", after_entry AS entry, key, undone
    FROM count_lines ORDER BY id`,
  batches: 'SELECT id, kind, state, total, applied, unchanged, rejected FROM batches ORDER BY id',
  ledger: `SELECT l.id, l.kind, coalesce(l.at, b.at) AS at, l.pet_id AS pet, l.order_id AS "order", l.category_id AS category, l.delta,
    l.quantity_after AS after, l.batch_id AS batch, l.count_id AS "count", l.reverses FROM ledger l LEFT JOIN batches b ON b.id = l.batch_id ORDER BY l.id`,
} as const;

type Tables = Readonly<Record<keyof typeof queries, readonly unknown[]>>;

/** The stored rows in the form of the model. */
export async function storedRows({ engine }: TestShop): Promise<Tables> {
  return engine.read(async ({ all }) => {
    const found = async (table: keyof typeof queries): Promise<readonly unknown[]> => all({ text: queries[table], values: [] });
    return {
      categories: (await found('categories')).map(withTruth),
      pets: (await found('pets')).map(withTruth),
      codes: byCode((await found('codes')) as readonly ModelCode[]),
      orders: await found('orders'),
      counts: await found('counts'),
      countPets: await found('countPets'),
      countLines: await found('countLines'),
      batches: await found('batches'),
      ledger: await found('ledger'),
    };
  });
}

/** Codes in an order that does not depend on the keys of the table. */
function byCode(codes: readonly ModelCode[]): readonly ModelCode[] {
  return codes.toSorted((one, other) => (one.code < other.code ? -1 : 1));
}

/** PostgreSQL has booleans, SQLite 0 and 1. */
function withTruth(row: unknown): unknown {
  const { live, ...rest } = row as { readonly live: boolean | number };
  return { ...rest, live: Boolean(live) };
}

function numbered<T>(records: Iterable<readonly [number, T]>, row: (record: T) => object): readonly object[] {
  return [...records].map(([id, record]) => ({ id, ...row(record) }));
}

function countPetRows(count: number, isOpen: boolean, pets: ModelCount['pets']): readonly object[] {
  const ordered = [...pets].toSorted(([one], [other]) => one - other);
  return ordered.map(([pet, { counted, expected, lines, refused }]) => {
    return { count, pet, open: isOpen ? 1 : 0, counted: counted ?? null, expected: expected ?? null, lines, refused: refused ?? null };
  });
}

/** The rows that the model expects. */
export function modelRows({ categories, pets, codes, orders, counts, countLines, batches, ledger }: Model): Tables {
  const from1 = <T>(list: readonly T[]): readonly (readonly [number, T])[] => list.map((one, index) => [index + 1, one]);
  return {
    categories: numbered(categories, ({ name, description, live }) => ({ name, description: description ?? null, live })),
    pets: numbered(pets, ({ hold, low, live, ...pet }) => ({ ...pet, hold: hold ? 1 : 0, low: (live ? low : undefined) ?? null, live })),
    codes: byCode([...codes.values()]),
    orders: numbered(orders, ({ pet, quantity, ship, state }) => ({ pet: pet ?? null, quantity: quantity ?? null, ship: ship ?? null, state })),
    counts: numbered(counts, ({ state, pets: counted, batch }) => {
      const rows = [...counted.values()].filter((row) => row.counted !== undefined);
      const differing = rows.filter((row) => row.counted !== row.expected).length;
      return { state, pets: counted.size, counted: rows.length, differing, batch: batch ?? null };
    }),
    countPets: [...counts].flatMap(([count, { state, pets: counted }]) => countPetRows(count, state === 'open', counted)),
    countLines: numbered(from1(countLines), ({ adds, key, undone, ...line }) => ({
      ...line,
      adds: adds ? 1 : 0,
      key: key ?? null,
      undone: undone ? 1 : 0,
    })),
    batches: numbered(from1(batches), ({ kind, state, total, applied, unchanged, refused }) => ({
      kind,
      state,
      total,
      applied,
      unchanged,
      rejected: refused.length,
    })),
    ledger: numbered(from1(ledger), ({ kind, at, pet, order, category, delta, after, batch, count, reverses }) => ({
      kind,
      at,
      pet: pet ?? null,
      order: order ?? null,
      category: category ?? null,
      delta: delta ?? null,
      after: after ?? null,
      batch: batch ?? null,
      count: count ?? null,
      reverses: reverses ?? null,
    })),
  };
}

/** The inventory that the model expects. */
export function expectedView(model: Model): ObservedShop {
  const live = [...model.pets].filter(([, pet]) => pet.live);
  return {
    pets: live.map(([id, { quantity }]) => [id, quantity, statusOf(model, id)]),
    low: live.filter(([id]) => isLow(model, id)).map(([id]) => id),
  };
}
