import * as fc from 'fast-check';
import type { CategoryCommand } from './categories.js';
import { modelCodes, type CodeCommand } from './codes.js';
import type { CountCommand } from './counts.js';
import type { ImportCommand, PetFile, StockFile } from './imports.js';
import type { Command, Several } from './apply-command.js';
import type { OrderCommand } from './orders.js';
import type { PetCommand } from './pets.js';
import type { StockCommand } from './stock.js';

/** A request of a sequence; what it repeats, and the version it expects, are taken from the model when it runs. */
export interface Step {
  readonly command: Command | { readonly do: 'again'; readonly key: string } | { readonly do: 'import again'; readonly batch: number };
  readonly dryRun: boolean;
  readonly key: string | undefined;
  /** Whether the change expects the current version of the record or the one before. */
  readonly seen: 'now' | 'before' | undefined;
  /** How far the clock moves before the step; it may go back. */
  readonly pass: number;
}

const maybe = <T>(arbitrary: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> => fc.option(arbitrary, { nil: undefined });
const is = <const T>(value: T): fc.Arbitrary<T> => fc.constant(value);

/** Ids of few records and of none: most commands have an effect, some do not. */
const someId = fc.constantFrom(1, 1, 1, 1, 2, 2, 2, 3, 4, 5);
const aCategory = fc.constantFrom(1, 1, 1, 2, 2, 3);
const seldom = fc.integer({ min: 0, max: 9 }).map((die) => die === 9);
const mostly = fc.constantFrom(true, true, false);
const units = fc.integer({ min: 0, max: 5 });
const status = maybe(fc.constantFrom('available' as const, 'pending' as const, 'sold' as const));
const petName = fc.constantFrom('Rex', 'Bella');
const categoryName = fc.constantFrom('Dogs', 'dogs', 'Cats', 'Birds');
const description = fc.constantFrom('All breeds', 'Large and small');
const ship = fc.constantFrom('2026-12-24T09:00:00Z', '2027-01-02T10:30:00.5Z');
const fewUnits = fc.integer({ min: 1, max: 3 });
const key = fc.constantFrom('first', 'second', 'third');

const categories: fc.Arbitrary<CategoryCommand> = fc.oneof(
  fc.record({ do: is('create category'), name: categoryName, description: maybe(description) }),
  fc.record({ do: is('edit category'), category: aCategory, name: maybe(categoryName), description: fc.oneof(is(null), is(undefined), description) }),
  fc.record({ do: is('replace category'), category: aCategory, name: categoryName, description: maybe(description) }),
  fc.record({ do: is('delete category'), category: aCategory, moveTo: maybe(aCategory) }),
);

const newPet = { name: petName, category: aCategory, quantity: maybe(units), status };

const pets: fc.Arbitrary<PetCommand> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ do: is('create pet'), ...newPet }) },
  { weight: 2, arbitrary: fc.record({ do: is('edit pet'), pet: someId, name: maybe(petName), category: maybe(aCategory), status }) },
  { weight: 2, arbitrary: fc.record({ do: is('replace pet'), pet: someId, name: petName, category: aCategory, status }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constantFrom('delete pet', 'hold', 'release'), pet: someId }) },
);

const aCode = fc.constantFrom(...modelCodes);

const codes: fc.Arbitrary<CodeCommand> = fc.oneof(
  { weight: 3, arbitrary: fc.record({ do: is('add code'), pet: someId, code: aCode, units: fc.constantFrom(1, 1, 20) }) },
  { weight: 2, arbitrary: fc.record({ do: is('remove code'), code: aCode }) },
);

const stock: fc.Arbitrary<StockCommand> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({ do: is('set'), pet: someId, units, expect: fc.oneof(is(undefined), is(undefined), units), allowShortage: mostly }),
  },
  { weight: 4, arbitrary: fc.record({ do: is('adjust'), pet: someId, units: fc.integer({ min: -3, max: 4 }), allowShortage: mostly }) },
  { weight: 2, arbitrary: fc.record({ do: is('low at'), pet: someId, level: maybe(units) }) },
  { weight: 1, arbitrary: fc.record({ do: is('low default'), level: maybe(units) }) },
  { weight: 2, arbitrary: fc.record({ do: is('undo entry'), entry: fc.integer({ min: 1, max: 30 }), allowShortage: seldom }) },
);

/** Another value, null, or no change. */
const edit = <T>(arbitrary: fc.Arbitrary<T>): fc.Arbitrary<T | null | undefined> =>
  fc.oneof({ weight: 4, arbitrary: is(undefined) }, { weight: 1, arbitrary: is(null) }, { weight: 4, arbitrary });

const orders: fc.Arbitrary<OrderCommand> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      do: is('place'),
      pet: fc.oneof(is(undefined), someId, someId, someId),
      quantity: maybe(fewUnits),
      ship: maybe(ship),
      complete: fc.constantFrom(false, false, true),
    }),
  },
  {
    weight: 6,
    arbitrary: fc.record({ do: is('edit order'), order: someId, pet: edit(someId), quantity: edit(fewUnits), ship: edit(ship), complete: is(undefined) }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ do: is('edit order'), order: someId, pet: edit(someId), quantity: edit(fewUnits), ship: edit(ship), complete: fc.boolean() }),
  },
  {
    weight: 4,
    arbitrary: fc.record({ do: is('edit order'), order: someId, pet: is(undefined), quantity: is(undefined), ship: is(undefined), complete: fc.boolean() }),
  },
  { weight: 2, arbitrary: fc.record({ do: is('cancel'), order: someId }) },
);

const anyFile = { keepGoing: fc.boolean(), maxErrors: is(undefined), fileKey: maybe(fc.constantFrom('delivery', 'recount', 'first')) };
const tolerantFile = { ...anyFile, keepGoing: is(true), maxErrors: fc.integer({ min: 0, max: 2 }) };
const stockRow = fc.record({ pet: someId, units: fc.integer({ min: -1, max: 4 }), expect: fc.oneof(is(undefined), is(undefined), units) });
const stockFile = {
  do: is('import stock'),
  column: fc.constantFrom('quantity', 'delta'),
  rows: fc.array(stockRow, { minLength: 1, maxLength: 4 }),
  onStale: fc.constantFrom('fail', 'keep-count', 'keep-difference'),
  allowShortage: seldom,
} as const;
const petFile = { do: is('import pets'), rows: fc.array(fc.record(newPet), { minLength: 1, maxLength: 2 }) };

const imports: fc.Arbitrary<ImportCommand> = fc.oneof(
  { weight: 5, arbitrary: fc.record({ ...stockFile, ...anyFile }) satisfies fc.Arbitrary<StockFile> },
  { weight: 1, arbitrary: fc.record({ ...stockFile, ...tolerantFile }) satisfies fc.Arbitrary<StockFile> },
  { weight: 1, arbitrary: fc.record({ ...petFile, ...anyFile }) satisfies fc.Arbitrary<PetFile> },
  { weight: 3, arbitrary: fc.record({ do: is('undo batch'), batch: someId, allowShortage: seldom }) },
);

const aCount = fc.constantFrom(1, 1, 2, 2, 3);
const countLine = fc.record({ pet: someId, number: units, adds: fc.boolean(), also: seldom, lineKey: maybe(fc.constantFrom('a', 'b', 'c', 'd')) });

const counts: fc.Arbitrary<CountCommand> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ do: is('start count'), category: maybe(aCategory) }) },
  { weight: 8, arbitrary: fc.record({ do: is('count lines'), count: aCount, lines: fc.array(countLine, { minLength: 1, maxLength: 1 }) }) },
  { weight: 2, arbitrary: fc.record({ do: is('count lines'), count: aCount, lines: fc.array(countLine, { minLength: 2, maxLength: 4 }) }) },
  { weight: 2, arbitrary: fc.record({ do: is('undo line'), count: aCount, line: fc.integer({ min: 1, max: 8 }) }) },
  {
    weight: 3,
    arbitrary: fc.record({
      do: is('close count'),
      count: aCount,
      missing: fc.constantFrom('keep', 'keep', 'zero'),
      keepGoing: fc.boolean(),
      allowShortage: fc.boolean(),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: is('cancel count'), count: aCount }) },
);

const several: fc.Arbitrary<Several> = fc.record({
  do: is('several'),
  verb: fc.constantFrom('hold', 'release', 'delete pet', 'complete', 'reopen', 'cancel'),
  ids: fc.array(someId, { minLength: 2, maxLength: 3 }),
});

const commands: fc.Arbitrary<Step['command']> = fc.oneof(
  { weight: 3, arbitrary: categories },
  { weight: 10, arbitrary: pets },
  { weight: 5, arbitrary: codes },
  { weight: 10, arbitrary: stock },
  { weight: 16, arbitrary: orders },
  { weight: 6, arbitrary: imports },
  { weight: 12, arbitrary: counts },
  { weight: 3, arbitrary: several },
  { weight: 3, arbitrary: fc.record({ do: is('again'), key }) },
  { weight: 2, arbitrary: fc.record({ do: is('import again'), batch: someId }) },
);

const day = 24 * 60 * 60 * 1000;

/** Any step of a sequence. */
export const steps: fc.Arbitrary<Step> = fc.record({
  command: commands,
  dryRun: seldom,
  key: fc.oneof({ weight: 12, arbitrary: is(undefined) }, { weight: 1, arbitrary: key }),
  seen: fc.oneof({ weight: 6, arbitrary: is(undefined) }, { weight: 1, arbitrary: fc.constantFrom('now', 'before') }),
  // Keys expire after a day.
  pass: fc.oneof({ weight: 30, arbitrary: fc.integer({ min: -1000, max: 5000 }) }, { weight: 1, arbitrary: is(day + 60_000) }),
});

/** The first steps in every shop. */
export const opening: readonly Step[] = (
  [
    { do: 'create category', name: 'Dogs', description: undefined },
    { do: 'create category', name: 'Cats', description: 'Large and small' },
    { do: 'create pet', name: 'Rex', category: 1, quantity: 5, status: undefined },
    { do: 'create pet', name: 'Bella', category: 1, quantity: 3, status: undefined },
    { do: 'place', pet: 1, quantity: 3, ship: undefined, complete: false },
    { do: 'place', pet: 2, quantity: 2, ship: undefined, complete: false },
    { do: 'start count', category: 1 },
  ] as const
).map((command) => ({ command, dryRun: false, key: undefined, seen: undefined, pass: 0 }));
