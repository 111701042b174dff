import { HintedError } from '../../settings/hint.js';
import { categoryName, type CategoryRow } from '../../domain/categories/category.js';
import { findCategory } from '../../domain/categories/find-category.js';
import { listCategories } from '../../domain/categories/list-categories.js';
import { StoreError } from '../../domain/errors.js';
import { isIdText } from '../../domain/values/ids.js';
import { getOrder } from '../../domain/orders/get-order.js';
import { listOrders } from '../../domain/orders/list-orders.js';
import type { OrderFilter } from '../../domain/orders/order-table.js';
import type { OrderRow } from '../../domain/orders/order.js';
import { listPets } from '../../domain/pets/list-pets.js';
import type { PetRow } from '../../domain/pets/pet.js';
import type { Call } from '../../domain/call.js';
import type { PetStatus } from '../../domain/pets/pet-status.js';
import { fold } from '../../domain/values/text.js';
import { plain } from '../output/colours.js';
import type { Choice } from './prompter.js';
import type { Dialogue } from './prompt.js';
import { sanitiseCell } from '../output/sanitise.js';

type Row = readonly [id: number, ...cells: readonly string[]];

/** Where a terminal is narrower, only what a row needs to be told apart is shown. */
const roomy = 60;

/** Rows as choices below one another, none wider than the terminal; their first three cells matter most. */
async function choicesOf<T>(rows: readonly T[], columns: number, row: (of: T) => Row, short: (of: T) => string): Promise<readonly Choice<T>[]> {
  const { tableText } = await import('../output/table.js');
  const cells = rows.map((one) =>
    row(one)
      .slice(0, columns < roomy ? 3 : undefined)
      .map((cell) => ({ text: sanitiseCell(String(cell)), colour: undefined })),
  );
  const heads = (cells[0] ?? []).map((_, index) => ({ heading: '', ...(index === 0 ? { numeric: true } : { least: 6 }) }));
  // Before each stands the mark of the chosen one.
  const [, ...lines] = tableText(heads, cells, { columns: columns - 3, paint: plain }).split('\n');
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
async function choose<T>(dialogue: Dialogue, message: string, source: (term: string) => Promise<readonly Choice<T>[]>, none: StoreError): Promise<T> {
  if ((await source('')).length === 0) throw none;
  return dialogue.pick(message, (term) => source(term.trim()));
}

async function findPets(call: Call, term: string, only: { readonly status?: [PetStatus] }): Promise<readonly PetRow[]> {
  if (term === '') return (await call(listPets, { ...only, limit: few })).items;
  const named = await call(listPets, { ...only, q: term, sort: 'name', limit: few });
  const { items } = isId(term) ? await call(listPets, { ...only, id: [Number(term)], limit: 1 }) : { items: [] };
  return [...items, ...nearestFirst(named.items, term).filter(({ id }) => id !== items[0]?.id)];
}

/** The id of the pet that somebody chooses, as text; undefined for the last choice, of none, where there is one. */
export async function pickPet(dialogue: Dialogue, message: string, only: PetStatus | undefined, last: string | undefined): Promise<string | undefined> {
  const source = async (term: string): Promise<readonly Choice<PetRow | undefined>[]> => {
    const pets = await choicesOf(
      await findPets(dialogue.call, term, only === undefined ? {} : { status: [only] }),
      dialogue.columns,
      ({ id, name, category, quantity, status }) => [id, name, `${quantity} on hand`, category, status],
      ({ id, name }) => `${name} (pet ${id})`,
    );
    return last !== undefined && term === '' ? [...pets, { value: undefined, name: last }] : pets;
  };
  const none =
    only === undefined
      ? new HintedError('not_found', 'The shop has no pets yet.', { command: ['pet', 'create'] })
      : new HintedError('not_found', `No pet is ${only}.`, { command: ['pet', 'list'] });
  const pet = await choose(dialogue, message, source, none);
  return pet && String(pet.id);
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

/** The category that somebody chooses, as a command line names it. */
export async function pickCategory(dialogue: Dialogue, message: string): Promise<string> {
  const { call, columns } = dialogue;
  const source = async (term: string): Promise<readonly Choice<CategoryRow>[]> => {
    const { items } = await call(listCategories, term === '' ? { limit: few } : { q: term, sort: 'name', limit: few });
    return choicesOf(
      nearestFirst(items, term),
      columns,
      ({ id, name, pets, description = '' }) => [id, name, `${pets} ${pets === 1 ? 'pet' : 'pets'}`, description],
      ({ id, name }) => `${name} (category ${id})`,
    );
  };
  const none = new HintedError('not_found', 'The shop has no categories yet.', { command: ['category', 'create'] });
  return spoken(call, await choose(dialogue, message, source, none));
}

type OrderKind = Pick<OrderFilter, 'complete' | 'draft'>;

function isOf({ complete, draft }: OrderKind, order: OrderRow): boolean {
  return (complete ?? order.complete) === order.complete && (draft ?? order.petId === undefined) === (order.petId === undefined);
}

/** The orders of a kind that a search means, by id or by the name of their pet. */
async function findOrders(call: Call, term: string, only: OrderKind): Promise<readonly OrderRow[]> {
  if (term === '') return (await call(listOrders, { ...only, sort: '-id', limit: few })).items;
  const { items: pets } = await call(listPets, { q: term, limit: few });
  const { items } = await call(listOrders, { ...only, petId: pets.map(({ id }) => id), sort: '-id', limit: few });
  if (!isId(term)) return items;
  const named = await call(getOrder, { orderId: Number(term) }).catch((error: unknown) => {
    if (error instanceof StoreError && error.code === 'order_not_found') return undefined;
    throw error;
  });
  const fits = named !== undefined && isOf(only, named);
  return [...(fits ? [named] : []), ...items.filter(({ id }) => id !== named?.id)];
}

/** The id of the order that somebody chooses, as text. */
export async function pickOrder(dialogue: Dialogue, message: string, only: OrderKind): Promise<string> {
  const source = async (term: string): Promise<readonly Choice<OrderRow>[]> =>
    choicesOf(
      await findOrders(dialogue.call, term, only),
      dialogue.columns,
      ({ id, pet = 'no pet yet', quantity, state }) => [id, quantity === undefined ? pet : `${quantity} × ${pet}`, state],
      ({ id, pet = 'no pet yet' }) => `order ${id} (${pet})`,
    );
  const none = new HintedError('not_found', 'There is no such order.', { command: ['order', 'list'] });
  return String((await choose(dialogue, message, source, none)).id);
}
