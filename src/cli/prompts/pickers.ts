import { HintedError } from '../../settings/hint.js';
import type { CategoryRow } from '../../domain/categories/category.js';
import { recordName } from '../../domain/values/record-name.js';
import { listCategories } from '../../domain/categories/list-categories.js';
import { StoreError, unlessRefused } from '../../domain/errors.js';
import { isIdText } from '../../domain/values/ids.js';
import { getOrder } from '../../domain/orders/get-order.js';
import { listOrders } from '../../domain/orders/list-orders.js';
import type { OrderFilter } from '../../domain/orders/order-table.js';
import type { OrderRow } from '../../domain/orders/order.js';
import { identifyPet, type IdentifiedPet } from '../../domain/pets/identify-pet.js';
import { listPets } from '../../domain/pets/list-pets.js';
import type { PetRow } from '../../domain/pets/pet.js';
import type { Call } from '../../domain/call.js';
import type { PetStatus } from '../../domain/pets/pet-status.js';
import { fold, normalizeText, pluralize } from '../../domain/values/text.js';
import { looksLikeCode, namingProblem } from './text-problems.js';
import { cancelled, type Choice, type Found, type Dialogue } from './prompt.js';
import { choicesOf, pickFound } from './list-pickers.js';
import { flagWords } from '../command-text.js';
import { sanitiseCell } from '../output/sanitise.js';

const maximumChoices = 50;

interface FoundRows<T> {
  readonly rows: readonly T[];
  readonly total: number;
}

const counted = { limit: maximumChoices, count: true } as const;

function foundRows<T>(rows: readonly T[], { total = 0 }: { readonly total?: number }): FoundRows<T> {
  return { rows, total: Math.max(total, rows.length) };
}

/** The pets that a search finds: first the one that the text itself names, as a scanner sends it with Return. */
async function findPets(call: Call, term: string, only: { readonly status?: [PetStatus] }): Promise<FoundRows<PetRow> & { readonly named?: IdentifiedPet }> {
  const page = await call(listPets, { ...only, ...(term !== '' && { q: term, sort: 'name' as const }), ...counted });
  const named = term === '' ? undefined : await unlessRefused(call(identifyPet, { text: term }), 'pet_not_found', 'ambiguous_pet', 'code_not_found');
  if (named === undefined) return foundRows(page.items, page);
  const { items } = await call(listPets, { ...only, id: [named.petId], limit: 1 });
  const others = page.items.filter(({ id }) => id !== named.petId);
  return { ...foundRows([...items, ...others].slice(0, maximumChoices), page), named };
}

interface PetChoice {
  readonly status: PetStatus | undefined;
  /** A last choice of no pet. */
  readonly last: string | undefined;
  /** Whether to offer to add a pet, or stock, where there is no pet to choose. */
  readonly offersMissing: boolean;
}

/** The id of the chosen pet as text; undefined for the last choice of no pet. Refuses with `not_found` if there is no pet. */
export async function pickPet(dialogue: Dialogue, message: string, { status: only, last, offersMissing }: PetChoice): Promise<string | undefined> {
  const { call, runFirst } = dialogue;
  const created = offersMissing && runFirst !== undefined ? await addMissing({ ...dialogue, runFirst }, only, last !== undefined) : undefined;
  if (created !== undefined) return String(created);
  let scanned: IdentifiedPet | undefined;
  const source = async (term: string): Promise<Found<PetRow | NewCode | null>> => {
    const { rows, total, named } = await findPets(call, term, only === undefined ? {} : { status: [only] });
    scanned = named;
    if (rows.length === 0 && named === undefined && runFirst !== undefined && looksLikeCode(term))
      return { total: 1, choices: [{ value: { newCode: term }, name: `Add the code ${term} to a pet` }] };
    const pets = await choicesOf(rows, dialogue.columns, ({ id, name, category, quantity, status }) => [id, name, `${quantity} on hand`, category, status]);
    return { total, choices: last !== undefined && term === '' ? [...pets, { value: null, name: last }] : pets };
  };
  const none =
    only === undefined
      ? new HintedError('not_found', 'The shop has no pets yet.', { command: ['pet', 'create'] })
      : new HintedError('not_found', `No pet is ${only}.`, { command: ['pet', 'list'] });
  const chosen = await pickFound(dialogue, message, source, none);
  if (chosen === null) return undefined;
  if ('id' in chosen) return scanned?.petId === chosen.id && scanned.code !== undefined ? `code:${scanned.code}` : String(chosen.id);
  const petId = await pickPet(dialogue, `Which pet has the code ${chosen.newCode}?`, { status: undefined, last: undefined, offersMissing: false });
  if (petId === undefined || runFirst === undefined) throw cancelled();
  await runFirst(['code', 'add', petId, chosen.newCode]);
  return `code:${chosen.newCode}`;
}

interface NewCode {
  readonly newCode: string;
}

/** A dialogue that can run a command first. */
type RunningDialogue = Dialogue & Required<Pick<Dialogue, 'runFirst'>>;

/**
 * While there is no pet to choose, offers to add one, or to receive stock of one that has none. Answers the id of the only pet
 * of the shop once it can be chosen; refuses with `cancelled` if the offer is declined, unless the pet is optional.
 */
async function addMissing({ call, yesNo, runFirst }: RunningDialogue, only: PetStatus | undefined, isOptional: boolean): Promise<number | undefined> {
  for (let hasAdded = false; ; hasAdded = true) {
    const { items: fitting } = await call(listPets, { ...(only && { status: [only] }), limit: 2 });
    const [first] = fitting;
    if (first !== undefined) return hasAdded && fitting.length === 1 ? first.id : undefined;
    const { items: all } = await call(listPets, { limit: 1 });
    const [question, words] = all.length === 0 ? [noPets, ['pet', 'create']] : ['No pet to sell. Receive stock?', ['receive']];
    if (!(await yesNo(question, true))) {
      if (isOptional) return undefined;
      throw cancelled();
    }
    await runFirst(words);
  }
}

const noPets = 'No pets yet. Add one now?';

/** The name of the first category of a shop, unless another is typed. */
const firstCategory = 'Pets';

/** Asks for the name of a new category and creates it; answers its row. */
async function createCategory({ call, line, runFirst }: RunningDialogue, message: string, fallback: string): Promise<CategoryRow> {
  const name = await line({ message, fallback, problem: namingProblem });
  await runFirst(['category', 'create', ...flagWords('name', name)]);
  const { items } = await call(listCategories, { name: normalizeText(name), limit: 1 });
  const [created] = items;
  if (created === undefined) throw new StoreError('category_not_found', `There is no category named "${name}".`);
  return created;
}

/** A category for a command line: its name if that is printable, its id otherwise. */
function categoryText({ id, name }: CategoryRow): string {
  return recordName(name) === name && sanitiseCell(name) === name ? name : String(id);
}

/** The last choice of a picker that can create a category. */
function newCategoryChoice(term: string, rows: readonly CategoryRow[]): readonly Choice<NewCategory>[] {
  if (rows.some(({ name }) => fold(name) === fold(term))) return [];
  return [{ value: { newName: term }, name: term === '' ? 'New category' : `New category "${term}"` }];
}

/** A category to create, with the name that was typed so far. */
interface NewCategory {
  readonly newName: string;
}

interface CategoryChoice {
  /** Whether one can be created. */
  readonly offersNew: boolean;
  /** The id of one that cannot be chosen. */
  readonly except?: number;
}

/** The chosen category, by name or id. Refuses with `not_found` if there is none. */
export async function pickCategory(dialogue: Dialogue, message: string, { offersNew, except }: CategoryChoice): Promise<string> {
  const { call, columns, runFirst } = dialogue;
  const creating = offersNew && runFirst !== undefined ? { ...dialogue, runFirst } : undefined;
  if (creating !== undefined && (await call(listCategories, { limit: 1 })).items.length === 0)
    return categoryText(await createCategory(creating, 'Name of the first category:', firstCategory));
  const source = async (term: string): Promise<Found<CategoryRow | NewCategory>> => {
    const page = await call(listCategories, { ...(term !== '' && { q: term, sort: 'name' as const }), ...counted });
    const { rows: found, total } = foundRows(page.items, page);
    const rows = found.filter(({ id }) => id !== except);
    const choices = await choicesOf(rows, columns, ({ id, name, pets, description = '' }) => [id, name, pluralize(pets, 'pet'), description]);
    return { choices: creating === undefined ? choices : [...choices, ...newCategoryChoice(term, found)], total: total - found.length + rows.length };
  };
  const none = new HintedError('not_found', 'The shop has no categories yet.', { command: ['category', 'create'] });
  const chosen = await pickFound(dialogue, message, source, none);
  if (!('newName' in chosen)) return categoryText(chosen);
  if (creating === undefined) throw none;
  return categoryText(await createCategory(creating, 'Name of the new category:', chosen.newName));
}

type OrderKind = Pick<OrderFilter, 'complete' | 'draft'>;

function isOf({ complete, draft }: OrderKind, order: OrderRow): boolean {
  return (complete ?? order.complete) === order.complete && (draft ?? order.petId === undefined) === (order.petId === undefined);
}

/** The orders of a kind that a search finds, by id or by the name of their pet. */
async function findOrders(call: Call, term: string, only: OrderKind): Promise<FoundRows<OrderRow>> {
  if (term === '') {
    const page = await call(listOrders, { ...only, sort: '-id', ...counted });
    return foundRows(page.items, page);
  }
  const { items: pets } = await call(listPets, { q: term, limit: maximumChoices });
  const page = await call(listOrders, { ...only, petId: pets.map(({ id }) => id), sort: '-id', ...counted });
  const { items } = page;
  if (!isIdText(term) || !Number.isSafeInteger(Number(term))) return foundRows(items, page);
  const named = await unlessRefused(call(getOrder, { orderId: Number(term) }), 'order_not_found');
  const fits = named !== undefined && isOf(only, named);
  return foundRows([...(fits ? [named] : []), ...items.filter(({ id }) => id !== named?.id)], page);
}

const orderCells = ({ id, pet, quantity, state }: OrderRow): readonly (string | number)[] => [
  id,
  pet === undefined ? 'no pet yet' : `${quantity} × ${pet}`,
  state,
];

/** The id of the chosen order as text. Refuses with `not_found` if there is none. */
export async function pickOrder(dialogue: Dialogue, message: string, only: OrderKind): Promise<string> {
  const source = async (term: string): Promise<Found<OrderRow>> => {
    const { rows, total } = await findOrders(dialogue.call, term, only);
    return { choices: await choicesOf(rows, dialogue.columns, orderCells), total };
  };
  const none = new HintedError('not_found', 'There is no such order.', { command: ['order', 'list'] });
  return String((await pickFound(dialogue, message, source, none)).id);
}
