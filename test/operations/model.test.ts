import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { createCategory, deleteCategory } from '../../src/domain/categories.js';
import { StoreError } from '../../src/domain/errors.js';
import { adjustInventory, setInventory } from '../../src/domain/inventory.js';
import { cancelOrder, placeOrder, updateOrder } from '../../src/domain/orders.js';
import { createPet, deletePet, holdPet, releasePet, updatePet } from '../../src/domain/pets.js';
import { inOneScene } from '../support/everywhere.js';
import { file } from '../support/files.js';
import { brokenInvariants } from '../support/invariants.js';
import { copyOf, obey, promisedOf, type Command, type Model } from '../support/model.js';
import type { Scene } from '../support/scene.js';

/** Ids of few records and of nothing: most commands find something to do, some do not. */
const someId = fc.constantFrom(1, 1, 1, 2, 2, 3, 4, 5);
const units = fc.integer({ min: 0, max: 5 });
const status = fc.option(fc.constantFrom('available' as const, 'pending' as const, 'sold' as const), { nil: undefined });
const maybe = <T>(arbitrary: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> => fc.option(arbitrary, { nil: undefined });

const commands: fc.Arbitrary<Command> = fc.oneof(
  { weight: 1, arbitrary: fc.record({ do: fc.constant('create category' as const) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('delete category' as const), category: someId, moveTo: maybe(someId) }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('create pet' as const), category: someId, quantity: maybe(units), status }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('change pet' as const), pet: someId, category: maybe(someId), status }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constantFrom('delete pet' as const, 'hold' as const, 'release' as const), pet: someId }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('set' as const), pet: someId, units, allowShortage: fc.boolean() }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('adjust' as const), pet: someId, units: fc.integer({ min: -3, max: 4 }), allowShortage: fc.boolean() }) },
  {
    weight: 6,
    arbitrary: fc.record({ do: fc.constant('place' as const), pet: maybe(someId), quantity: maybe(fc.integer({ min: 1, max: 3 })), complete: fc.boolean() }),
  },
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant('edit' as const),
      order: someId,
      pet: fc.oneof(fc.constant(undefined), fc.constant(null), someId),
      quantity: maybe(fc.integer({ min: 1, max: 3 })),
      complete: maybe(fc.boolean()),
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('cancel' as const), order: someId }) },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('import' as const),
      column: fc.constantFrom('quantity' as const, 'delta' as const),
      rows: fc.array(fc.tuple(someId, fc.integer({ min: 1, max: 4 })), { minLength: 1, maxLength: 4 }),
      keepGoing: fc.boolean(),
    }),
  },
);

interface Step {
  readonly command: Command;
  readonly dryRun: boolean;
  /** How far the clock moves before the step; it may go back. */
  readonly pass: number;
}

const steps: fc.Arbitrary<Step> = fc.record({
  command: commands,
  dryRun: fc.integer({ min: 0, max: 9 }).map((die) => die === 0),
  pass: fc.integer({ min: -1000, max: 5000 }),
});

let files = 0;

async function importStock({ shop }: Scene, { column, rows, keepGoing }: Command & { readonly do: 'import' }, dryRun: boolean): Promise<string> {
  const text = [`petId,${column}`, ...rows.map((row) => row.join(','))].join('\n');
  files += 1;
  const { rejected } = await shop.importStock(file(`${text}\n`), { mode: keepGoing ? 'keep-going' : 'atomic', dryRun, key: `file ${files}` });
  return `${rejected} refused`;
}

/** Asks the real shop; answers the id of a record that was created, or what an import says. */
async function ask(scene: Scene, command: Command, dryRun: boolean): Promise<unknown> {
  const { call } = scene;
  const options = { dryRun };
  switch (command.do) {
    case 'create category':
      return (await call(createCategory, { body: { name: 'Dogs' } }, options)).id;
    case 'delete category':
      return void (await call(deleteCategory, { categoryId: command.category, moveTo: command.moveTo }, options));
    case 'create pet': {
      const { category, quantity, status: wanted } = command;
      return (await call(createPet, { quantity, body: { name: 'Rex', categoryId: category, status: wanted } }, options)).id;
    }
    case 'change pet':
      return void (await call(updatePet, { petId: command.pet, body: { categoryId: command.category, status: command.status } }, options));
    case 'delete pet':
      return void (await call(deletePet, { petId: command.pet }, options));
    case 'hold':
      return void (await call(holdPet, { petId: command.pet }, options));
    case 'release':
      return void (await call(releasePet, { petId: command.pet }, options));
    case 'set':
      return void (await call(setInventory, { petId: command.pet, allowShortage: command.allowShortage, body: { quantity: command.units } }, options));
    case 'adjust':
      return void (await call(adjustInventory, { petId: command.pet, allowShortage: command.allowShortage, body: { delta: command.units } }, options));
    case 'place':
      return (await call(placeOrder, { body: { petId: command.pet, quantity: command.quantity, complete: command.complete } }, options)).id;
    case 'edit': {
      const { order: orderId, pet: petId, quantity, complete } = command;
      return void (await call(updateOrder, { orderId, body: { petId, quantity, complete } }, options));
    }
    case 'cancel':
      return void (await call(cancelOrder, { orderId: command.order }, options));
    case 'import':
      return importStock(scene, command, dryRun);
  }
}

/** What is stored, in the words of the model. */
async function stored({ engine }: Scene): Promise<unknown> {
  return engine.read(async (queries) => ({
    categories: await queries.all({ text: 'SELECT id, archived = 0 AS live FROM categories ORDER BY id', values: [] }),
    pets: await queries.all({ text: storedPets, values: [] }),
    orders: await queries.all({ text: 'SELECT id, pet_id AS pet, quantity, state FROM orders ORDER BY id', values: [] }),
  }));
}

const storedPets = `SELECT p.id, p.category_id AS category, coalesce(s.quantity, 0) AS quantity, p.hold, p.archived = 0 AS live
  FROM pets p LEFT JOIN stock s ON s.pet_id = p.id ORDER BY p.id`;

function bit(value: boolean): 0 | 1 {
  return value ? 1 : 0;
}

function modelled({ categories, pets, orders }: Model): unknown {
  return {
    categories: [...categories].map(([id, { live }]) => ({ id, live: bit(live) })),
    pets: [...pets].map(([id, pet]) => ({ id, category: pet.category, quantity: pet.quantity, hold: bit(pet.hold), live: bit(pet.live) })),
    orders: [...orders].map(([id, { pet, quantity, state }]) => ({ id, pet: pet ?? null, quantity: quantity ?? null, state })),
  };
}

/** The id a successful command creates, by the model alone: the next one, never one there was. */
function createdId(before: Model, command: Command): number | undefined {
  if (command.do === 'create category') return before.categories.size + 1;
  if (command.do === 'create pet') return before.pets.size + 1;
  return command.do === 'place' ? before.orders.size + 1 : undefined;
}

/** One step of shop and model, which must say and be the same; answers the model as it is then. */
async function take(scene: Scene, model: Model, { command, dryRun, pass }: Step): Promise<Model> {
  scene.clock.pass(pass);
  const after = copyOf(model);
  const verdict = obey(after, command);
  const said = await ask(scene, command, dryRun).catch((error: unknown) => {
    if (error instanceof StoreError) return error.code;
    throw error;
  });
  expect(said).toEqual(verdict ?? createdId(model, command));
  const kept = dryRun || (verdict !== undefined && command.do !== 'import') ? model : after;
  expect(await stored(scene)).toEqual(modelled(kept));
  expect(await brokenInvariants(scene)).toEqual([]);
  return kept;
}

/** What every shop starts with, so that there is something to ask for. */
const opening: readonly Command[] = [
  { do: 'create category' },
  { do: 'create pet', category: 1, quantity: 5, status: undefined },
  { do: 'create pet', category: 1, quantity: 3, status: undefined },
  { do: 'place', pet: 1, quantity: 3, complete: false },
];

test('whatever is asked of a shop, it follows the rules and no invariant breaks', async () => {
  let [accepted, short] = [0, 0];
  await fc.assert(
    fc.asyncProperty(fc.array(steps, { minLength: 1, maxLength: 80, size: 'max' }), async (taken) => {
      await inOneScene(async (scene) => {
        let model: Model = { categories: new Map(), pets: new Map(), orders: new Map() };
        for (const command of opening) model = await take(scene, model, { command, dryRun: false, pass: 0 });
        for (const step of taken) {
          const next = await take(scene, model, step);
          if (next !== model) accepted += 1;
          if ([...next.pets].some(([id, { quantity }]) => quantity < promisedOf(next, id))) short += 1;
          model = next;
        }
      });
    }),
    { numRuns: 60 },
  );
  // A property over refusals alone would hold of a shop that refuses everything.
  expect(accepted).toBeGreaterThan(300);
  expect(short).toBeGreaterThan(10);
});
