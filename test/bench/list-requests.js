// The requests that the declarations of the list operations allow: every sort order with every filter and every pair of filters.
// A filter with an unknown name and no finite choice of values fails here, so that a new one is measured too.
import { opened } from './grown-shop.js';

const dayMs = 86_400_000;
const day = (number) => new Date(opened + number * dayMs).toISOString().slice(0, 10);

/** The lists of one count: the first is closed and has every pet, the second is open and has a tenth of them. */
const ofCount = new Set(['listCountPets', 'listCountLines', 'previewCount']);
const countIds = [1, 2];

/** Values of filters whose schema has no list of choices: frequent and rare ones, at the same place of a shop of any size. */
const samples = (pets, { id }) => ({
  notCountedSince: [day(50), day(150), day(364)],
  by: ['ana', 'till 3', 'nobody'],
  id: [[7, 8, 9, Math.floor(pets / 2), pets]],
  name: ['Rex'],
  q: ['Rex', 'no such text'],
  categoryId: [[1], [3], [1, 3]],
  petId: [[7], [7, Math.floor(pets / 2)]],
  orderId: [[7], [7, 9]],
  batchId: [[1], [2], [3]],
  code: ['4006381333931', 'no-such-code'],
  actor: ['ana', 'till 3', 'zoe', 'nobody'],
  kind: [['sale'], ['order.placed'], ['count'], ['pet.updated'], ['undo'], ['sale', 'pet.updated']],
  since: [day(1), day(200), day(364)],
  until: [day(1), day(200), day(364)],
  at: [day(200)],
  after: ['0', String(pets)],
  shipDateFrom: [day(100), day(367)],
  shipDateTo: [day(100), day(367)],
  ...(id === 'listCategories' && { name: ['Breed 3'], q: ['Breed 3', 'no such text'] }),
  ...(ofCount.has(id) && { petId: [7, Math.floor(pets / 2)] }),
});

const notFilters = new Set(['limit', 'cursor', 'count', 'sort', 'tz', 'countId', 'hookId']);

/** The schema inside optional ones and pipes. */
function bare(schema) {
  if (schema.type === 'optional' || schema.type === 'nullish') return bare(schema.wrapped);
  return schema.pipe === undefined || schema.pipe[0] === schema ? schema : bare(schema.pipe[0]);
}

/** The values of a parameter that its schema lists; none for one with any other value. */
function choices(schema) {
  const inner = bare(schema);
  if (inner.type === 'boolean') return schema.type === 'optional' && schema.default === false ? [true] : [true, false];
  if (inner.type === 'picklist') return inner.options;
  return inner.type === 'array' ? choices(inner.item).map((choice) => [choice]) : [];
}

/** The filters of a list with the values to measure. */
function filtersOf(operation, pets) {
  const known = samples(pets, operation);
  return Object.entries(operation.input.entries)
    .filter(([name]) => !notFilters.has(name))
    .map(([name, schema]) => {
      const values = known[name] ?? choices(schema);
      if (values.length === 0) throw new Error(`${operation.id}: give sample values for ${name} in test/bench/list-requests.js.`);
      return values.map((value) => ({ [name]: value }));
    });
}

/** Each request of a list, by a name that is the same for shops of every size. */
export function listRequests(operation, pets) {
  const filters = filtersOf(operation, pets);
  const pairs = filters.flatMap((some, index) =>
    filters.slice(index + 1).flatMap((others) => some.flatMap((one) => others.map((other) => ({ ...one, ...other })))),
  );
  const sorts = choices(operation.input.entries.sort);
  const lists = ofCount.has(operation.id) ? countIds.map((countId) => ({ countId })) : [{}];
  return lists.flatMap((list) => [{}, ...filters.flat(), ...pairs].flatMap((filter) => sorts.map((sort) => ({ filter: { ...list, ...filter }, sort }))));
}

/** The title of a request. */
export function titleOf({ id }, { filter, sort }, pets) {
  const words = Object.entries(filter).map(([name, value]) => {
    const texts = [value].flat().map((one) => (typeof one === 'number' && one >= pets / 2 ? 'last' : String(one)));
    return value === true ? name : `${name} ${texts.join(',')}`;
  });
  return `${id.replace('list', '').toLowerCase()} by ${sort}${words.length === 0 ? '' : `: ${words.join(', ')}`}`;
}

/** The requests that are no lists: single records, the figures and the reports, completion. */
export const otherRequests = [
  ['getPetDetails', (pets) => ({ petId: Math.floor(pets / 2) })],
  ['getInventoryItem', (pets) => ({ petId: Math.floor(pets / 2) })],
  ['getOrder', (pets) => ({ orderId: Math.floor(pets / 2) })],
  ['getBatch', () => ({ batchId: 3 })],
  ['getCount', () => ({ countId: 2 })],
  ['getCategory', () => ({ categoryId: 1 })],
  ['getCategory', () => ({ categoryId: 3 })],
  ['listUndoable', () => ({})],
  ['getSummary', () => ({})],
  ['reportStock', () => ({})],
  ['reportStock', () => ({ at: day(200) })],
  ...['category', 'pet', 'day', 'week', 'month'].flatMap((by) => [
    ['reportMovements', () => ({ by })],
    ['reportMovements', () => ({ by, from: day(335) })],
    ['reportMovements', () => ({ by, from: day(364), to: day(364) })],
  ]),
  ['reportMovements', () => ({ by: 'pet', from: day(335), top: 10 })],
  ['reportSellThrough', () => ({})],
  ['reportSellThrough', () => ({ from: day(335) })],
  ['reportDeadStock', () => ({ days: 90 })],
].map(([id, input]) => ({ id, input }));
