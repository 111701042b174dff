import { categoryName, findCategory, listCategories, type CategoryRow } from '../domain/categories.js';
import { StoreError } from '../domain/errors.js';
import { isIdText } from '../domain/numbers.js';
import { getOrder, listOrders, type OrderRow } from '../domain/orders.js';
import { listPets, type PetRow } from '../domain/pets.js';
import type { Call } from '../domain/shop.js';
import type { PetStatus } from '../domain/stock.js';
import { fold } from '../domain/text.js';
import { paintFor } from './paint.js';
import { must, type Choice, type Question, type Talk } from './questions.js';
import { sanitiseCell } from './sanitise.js';

type Row = readonly [id: number, ...cells: readonly string[]];

/** Where a terminal is narrower, only what a row needs to be told apart is shown. */
const roomy = 60;

/** Rows as choices below one another, none wider than the terminal; their first three cells matter most. */
async function choicesOf<T>(rows: readonly T[], columns: number, row: (of: T) => Row, short: (of: T) => string): Promise<readonly Choice<T>[]> {
  const { table } = await import('./table.js');
  const cells = rows.map((one) =>
    row(one)
      .slice(0, columns < roomy ? 3 : undefined)
      .map((cell) => ({ text: sanitiseCell(String(cell)), colour: undefined })),
  );
  const heads = (cells[0] ?? []).map((_, index) => ({ name: '', numeric: index === 0 }));
  // Before each stands the mark of the chosen one.
  const [, ...lines] = (await table(heads, cells, columns - 3, paintFor(false))).split('\n');
  return rows.map((value, index) => ({ value, name: lines[index] ?? '', short: short(value) }));
}

const few = 50;

/** The same rows, first those with a word that begins with what was typed. */
function nearestFirst<T extends { readonly name: string }>(rows: readonly T[], term: string): readonly T[] {
  const begins = ({ name }: T): boolean => ` ${fold(name)}`.includes(` ${fold(term)}`);
  return [...rows.filter(begins), ...rows.filter((row) => !begins(row))];
}

function isId(term: string): boolean {
  return isIdText(term) && Number.isSafeInteger(Number(term));
}

/** Refuses where there is nothing to choose from. */
async function choose<T>(talk: Talk, message: string, source: (term: string) => Promise<readonly Choice<T>[]>, none: StoreError): Promise<T> {
  if ((await source('')).length === 0) throw none;
  return talk.pick(message, (term) => source(term.trim()));
}

async function findPets(call: Call, term: string, only: { readonly status?: [PetStatus] }): Promise<readonly PetRow[]> {
  if (term === '') return (await call(listPets, { ...only, limit: few })).items;
  const named = await call(listPets, { ...only, q: term, sort: 'name', limit: few });
  const { items } = isId(term) ? await call(listPets, { ...only, id: [Number(term)], limit: 1 }) : { items: [] };
  return [...items, ...nearestFirst(named.items, term).filter(({ id }) => id !== items[0]?.id)];
}

/** Lets somebody choose a pet by a part of its name or by its id, of one status only if one is given; `last` is a last choice of none. */
export function aPet(
  message: string,
  { only, last: lastOf }: { readonly only?: PetStatus; readonly last?: (given: Talk['given']) => string | undefined } = {},
): Question {
  return must(async (talk) => {
    const last = lastOf?.(talk.given);
    const source = async (term: string): Promise<readonly Choice<PetRow | undefined>[]> => {
      const pets = await choicesOf(
        await findPets(talk.call, term, only === undefined ? {} : { status: [only] }),
        talk.columns,
        ({ id, name, category, quantity, status }) => [id, name, `${quantity} on hand`, category, status],
        ({ id, name }) => `${name} (pet ${id})`,
      );
      return last !== undefined && term === '' ? [...pets, { value: undefined, name: last }] : pets;
    };
    const none =
      only === undefined
        ? new StoreError('not_found', 'There is no pet in the shop yet.', 'petstore pet create')
        : new StoreError('not_found', `There is no pet that is ${only}.`, 'petstore pet list');
    const pet = await choose(talk, message, source, none);
    return pet && String(pet.id);
  });
}

/** A category as a command line names it: by its name, where that means this one and can be read. */
async function spoken(call: Call, { id, name }: CategoryRow): Promise<string> {
  if (categoryName(name) !== name || sanitiseCell(name) !== name) return String(id);
  const found = await findCategory(call, name, 'unknown_category').catch((error: unknown) => {
    if (error instanceof StoreError && error.code === 'ambiguous_category') return undefined;
    throw error;
  });
  return found === id ? name : String(id);
}

/** Lets somebody choose a category by a part of its name or by its id. */
export function aCategory(message: string): Question {
  return must(async (talk) => {
    const { call, columns } = talk;
    const source = async (term: string): Promise<readonly Choice<CategoryRow>[]> => {
      const { items } = await call(listCategories, term === '' ? { limit: few } : { q: term, sort: 'name', limit: few });
      return choicesOf(
        nearestFirst(items, term),
        columns,
        ({ id, name, pets, description = '' }) => [id, name, `${pets} ${pets === 1 ? 'pet' : 'pets'}`, description],
        ({ id, name }) => `${name} (category ${id})`,
      );
    };
    const none = new StoreError('not_found', 'There is no category in the shop yet.', 'petstore category create');
    return spoken(call, await choose(talk, message, source, none));
  });
}

/** The orders of a state that a search means: by id, or by the name of their pet. */
async function findOrders(call: Call, term: string, state: { readonly complete?: boolean; readonly draft?: boolean }): Promise<readonly OrderRow[]> {
  if (term === '') return (await call(listOrders, { ...state, sort: '-id', limit: few })).items;
  const { items: pets } = await call(listPets, { q: term, limit: few });
  const { items } = await call(listOrders, { ...state, petId: pets.map(({ id }) => id), sort: '-id', limit: few });
  if (!isId(term)) return items;
  const named = await call(getOrder, { orderId: Number(term) }).catch((error: unknown) => {
    if (error instanceof StoreError && error.code === 'order_not_found') return undefined;
    throw error;
  });
  const fits = named !== undefined && (state.complete === undefined || named.complete === state.complete);
  return [...(fits ? [named] : []), ...items.filter(({ id }) => id !== named?.id)];
}

/** Lets somebody choose an order of a state by its id or by the name of its pet. */
export function anOrder(message: string, state: { readonly complete?: boolean; readonly draft?: boolean } = {}): Question {
  return must(async (talk) => {
    const source = async (term: string): Promise<readonly Choice<OrderRow>[]> =>
      choicesOf(
        await findOrders(talk.call, term, state),
        talk.columns,
        ({ id, pet = 'no pet yet', quantity = 0, state: stands }) => [id, `${quantity} × ${pet}`, stands],
        ({ id, pet = 'no pet yet' }) => `order ${id} (${pet})`,
      );
    const none = new StoreError('not_found', 'There is no such order.', 'petstore order list');
    return String((await choose(talk, message, source, none)).id);
  });
}
