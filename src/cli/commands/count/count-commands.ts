import type { Call, CallOptions } from '../../../domain/call.js';
import type { CategoryFigures } from '../../../domain/counts/count.js';
import type { AddedLine } from '../../../domain/counts/count-line.js';
import { type Count, countStates, hidesExpected } from '../../../domain/counts/count.js';
import { getCount } from '../../../domain/counts/get-count.js';
import { listCountCategories } from '../../../domain/counts/list-count-categories.js';
import { listCountLines } from '../../../domain/counts/list-count-lines.js';
import { listCountPets } from '../../../domain/counts/list-count-pets.js';
import { listCounts } from '../../../domain/counts/list-counts.js';
import { startCount } from '../../../domain/counts/start-count.js';
import { undoCountLine } from '../../../domain/counts/undo-count-line.js';
import { findPet } from '../../../domain/pets/find-pet.js';
import { HintedError } from '../../../settings/hint.js';
import { isJson, jsonText } from '../../../settings/output-format.js';
import { allPages } from '../../../domain/all-pages.js';
import { argument, optional } from '../../arguments.js';
import { commandForShop } from '../../command-text.js';
import type { Command, Context } from '../../command.js';
import { command, watchable } from '../../declare-command.js';
import { choice, toggle, recordFlag } from '../../flags.js';
import { listCommand } from '../../list-command.js';
import { mutationFlags } from '../../mutation-flags.js';
import { grouped } from '../../output/numbers.js';
import { sanitiseCell } from '../../output/sanitise.js';
import { clockText } from '../../output/time-text.js';
import { type Columns, columnsOf, formatOfResult, writeList } from '../../output/view.js';
import { writeText } from '../../output/wrapped-text.js';
import { idOf } from '../../readers.js';
import { type VerbForm, makeChange } from '../../record-command.js';
import { anyPets, withPetArgument } from '../../shared-arguments.js';
import { petFilterFlags, petFilterInput, petSearchFlags, stockFilterFlags } from '../pet/pet-fields.js';
import { countAdd, countScan } from './add.js';
import { countCancel, countClose, countDiff } from './close.js';
import { blindPetColumns, countColumns, countLineColumns, countPetColumns } from './count-columns.js';
import { numberText } from './count-lines.js';
import { countArgument, progressText, requestedCount } from './open-count.js';

const countList = listCommand({
  path: ['count', 'list'],
  aliases: ['ls'],
  summary: 'list counts, oldest first',
  flags: { state: choice({ long: 'state', value: 'state', summary: 'only counts in this state', choices: countStates }) },
  operation: listCounts,
  input: ({ state }) => ({ state }),
  columns: countColumns,
  tail: (asked) => ({ ...asked, sort: '-id' }),
  examples: ['petstore count list', 'petstore count list --state open'],
});

const countStart = command({
  path: ['count', 'start'],
  summary: 'start a count of all pets, of some, or of a filter',
  arguments: { pet: anyPets },
  flags: {
    ...petFilterFlags,
    low: stockFilterFlags.low,
    search: petSearchFlags.search,
    blind: toggle({ long: 'blind', summary: 'hide from those who count how many units are expected' }),
    ...mutationFlags,
  },
  operations: [startCount],
  exits: ['pet_not_found', 'unknown_category'],
  columns: countColumns,
  mutates: true,
  run: async (context, { pet, category, status, low, search, blind, ...mutation }) => {
    const { call } = await context.shop();
    const { categoryId: categoryIds, ...filter } = await petFilterInput({ status, category, search }, call);
    const body = {
      ...filter,
      ...(pet.length > 0 && { petIds: [...new Set(pet)] }),
      ...(categoryIds && { categoryIds }),
      low: low === true,
      blind: blind === true,
      ...(mutation.note !== undefined && { note: mutation.note }),
    };
    const [started] = await makeChange(context, mutation, {
      columns: countColumns,
      make: (options) => withPetArgument(call(startCount, { body }, options)),
      sentence: ({ id, pets }, verb) => `${verb('Started', 'Would start')} count ${id} of ${grouped(pets)} ${pets === 1 ? 'pet' : 'pets'}`,
    });
    if (started === undefined || mutation.dryRun === true || context.settings.format !== undefined) return;
    await context.note(`Next: ${commandForShop(['count', 'scan', String(started.id)], context)}`);
  },
  examples: ['petstore count start --category Fish', 'petstore count start --search tetra --blind --note "back room"', 'petstore count start 7 13'],
});

const countView = listCommand({
  path: ['count', 'view'],
  aliases: ['show'],
  summary: 'list the pets of a count: counted and expected',
  arguments: { count: countArgument },
  flags: {
    state: choice({
      long: 'state',
      value: 'state',
      summary: 'only pets that were counted or not, or that agree or differ',
      choices: ['counted', 'not-counted', 'agreeing', 'differing'],
    }),
    pet: recordFlag('pet', 'only this pet, by id or name'),
    search: petSearchFlags.search,
  },
  operation: listCountPets,
  input: async ({ count, state, pet, search }, call) => ({
    countId: (await requestedCount(call, count, 'view')).id,
    state,
    q: search,
    ...(pet !== undefined && { petId: await findPet(call, pet, 'unknown_pet') }),
  }),
  columns: countPetColumns,
  table: async (_, { countId }, call) => (hidesExpected(await call(getCount, { countId })) ? blindPetColumns : undefined),
  examples: ['petstore count view', 'petstore count view 3 --state not-counted', 'petstore count view 3 --state differing --format csv'],
});

const columns = columnsOf<CategoryFigures, keyof CategoryFigures | 'left'>(
  {
    categoryId: { heading: 'ID', numeric: true },
    category: { heading: 'Category', least: 8 },
    pets: { heading: 'Pets', numeric: true },
    counted: { heading: 'Counted', numeric: true },
    left: { heading: 'Left', value: ({ pets, counted }) => pets - counted, numeric: true },
    agreeing: { heading: 'Agree', leaveOut: 1, numeric: true },
    differing: { heading: 'Differ', numeric: true, colour: ({ differing }) => (differing > 0 ? 'yellow' : undefined) },
  },
  { table: ['category', 'pets', 'counted', 'left', 'agreeing', 'differing'] },
);

/** The same without what tells how many units are expected. */
const blindColumns: Columns<CategoryFigures> = { ...columns, table: ['category', 'pets', 'counted', 'left'] };

/** What a count is, and how far: two lines above its figures by category. */
function headText({ io, zone }: Context, count: Count): string {
  const { id, state, note, startedAt, startedBy, endedAt, endedBy, blind } = count;
  const begun = `started on ${clockText(startedAt, zone)} by ${startedBy}`;
  const ended = endedAt === undefined ? '' : `, ${state} on ${clockText(endedAt, zone)} by ${endedBy}`;
  const about = note === undefined || note === '' ? '' : ` (${note})`;
  const line = `Count ${id}${about}${blind ? ', blind' : ''}: ${begun}${ended}.`;
  return `${sanitiseCell(line)}\n${progressText(count)}.\n${io.stdout.isTerminal ? '\n' : ''}`;
}

const status = command({
  path: ['count', 'status'],
  summary: 'show how far a count is, by category',
  arguments: { count: countArgument },
  operations: [getCount, listCountCategories],
  exits: ['count_not_found'],
  columns,
  run: async (context, { count }) => {
    const { io, settings } = context;
    const format = formatOfResult(context);
    if (format === 'ids') throw new HintedError('usage', 'Figures have no ids.', { command: ['count', 'list', '--format', 'ids'] });
    const shop = await context.shop();
    const read = await shop.snapshot(async (call) => {
      const found = await requestedCount(call, count, 'status');
      return { found, categories: await call(listCountCategories, { countId: found.id }) };
    });
    const { found, categories } = read;
    if (isJson(format) && settings.fields === undefined) return io.stdout.write(jsonText({ ...found, categories }, format));
    if (format === 'table') await writeText(io.stdout, headText(context, found));
    await writeList(context, format, hidesExpected(found) ? blindColumns : columns, categories);
  },
  examples: ['petstore count status', 'petstore count status 3 --format csv', 'petstore count status 3 --json'],
});

const countStatus = watchable(status);

/** The id of the newest line of the caller that is not undone. Refuses with `line_not_found`. */
async function lineToUndo(call: Call, countId: number): Promise<number> {
  for await (const lines of allPages(call, listCountLines, { countId, mine: true })) {
    const found = lines.find(({ undone }) => !undone);
    if (found !== undefined) return found.id;
  }
  throw new HintedError('line_not_found', `Count ${countId} has no line of yours to undo.`, { command: ['count', 'view', String(countId)] });
}

function undoneSentence({ id, petId, name, number, adds, by, countedSoFar }: AddedLine, verb: VerbForm): string {
  const left = countedSoFar === undefined ? 'not counted' : `${countedSoFar} counted`;
  return `${verb('Undid', 'Would undo')} line ${id} by ${by}: ${numberText({ number, adds })} × ${name} (pet ${petId}), now ${left}`;
}

const countUndo = command({
  path: ['count', 'undo'],
  summary: 'undo your last line, or another',
  arguments: { count: countArgument, line: optional(argument({ read: (text) => idOf('line')(text) })) },
  flags: {
    dryRun: mutationFlags.dryRun,
    yes: mutationFlags.yes,
    key: mutationFlags.key,
  },
  operations: [undoCountLine, listCountLines],
  exits: ['count_not_found', 'line_not_found'],
  columns: countLineColumns,
  mutates: true,
  run: async (context, { count, line, ...mutation }) => {
    const { call } = await context.shop();
    const { id: countId } = await requestedCount(call, count, 'undo');
    const lineId = line ?? (await lineToUndo(call, countId));
    const make = (options: CallOptions) => call(undoCountLine, { countId, lineId }, options);
    await makeChange(context, mutation, { columns: countLineColumns, make, sentence: undoneSentence });
  },
  examples: ['petstore count undo', 'petstore count undo 3', 'petstore count undo 3 118'],
});

/** The commands of counts. */
export const countCommands: readonly Command[] = [
  countStart,
  countScan,
  countAdd,
  countUndo,
  countStatus,
  countView,
  countDiff,
  countClose,
  countCancel,
  countList,
];
