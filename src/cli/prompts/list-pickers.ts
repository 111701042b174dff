import { StoreError } from '../../domain/errors.js';
import { plain } from '../output/colours.js';
import { sanitiseCell } from '../output/sanitise.js';
import type { Dialogue, Choice, Found } from './prompt.js';
import type { Batch } from '../../domain/imports/batch.js';
import { listBatches } from '../../domain/imports/list-batches.js';
import { listHooks } from '../../domain/hooks/list-hooks.js';
import { checkUndoable } from '../../domain/imports/undo-batch.js';
import type { ListedSession } from '../../domain/sessions/session-keeper.js';
import { maximumPage } from '../../domain/values/pages.js';
import { pluralize } from '../../domain/values/text.js';
import { HintedError } from '../../settings/hint.js';
import { savedKeys } from '../../settings/setting-table.js';
import { listTime } from '../output/time-text.js';
import { refusalText } from './text-problems.js';

/** The cells of a row; a number is aligned to the right. */
export type Row = readonly (string | number)[];

/** The width in cells below which only the first three cells of a row are shown. */
const fullWidth = 60;

/** Rows as choices in aligned columns, cut to the width of the terminal. */
export async function choicesOf<T>(rows: readonly T[], columns: number, row: (of: T) => Row): Promise<readonly Choice<T>[]> {
  const { drawTable } = await import('../output/table.js');
  const all = rows.map(row);
  const cells = all.map((one) => one.slice(0, columns < fullWidth ? 3 : undefined).map((cell) => ({ text: sanitiseCell(String(cell)), colour: undefined })));
  const heads = (cells[0] ?? []).map((_, index) => ({ heading: '', ...(typeof all[0]?.[index] === 'number' ? { numeric: true } : { least: 6 }) }));
  // Three cells are left for the marker of the selected choice.
  const [, ...lines] = drawTable(heads, cells, { columns: columns - 3, paint: plain }).text.split('\n');
  return rows.map((value, index) => ({ value, name: lines[index] ?? '' }));
}

/** Lets people pick from the results of a search; throws `none` if there is nothing to pick. */
export async function pickFound<T>(dialogue: Dialogue, message: string, source: (term: string) => Promise<Found<T>>, none: StoreError): Promise<T> {
  if ((await source('')).choices.length === 0) throw none;
  return dialogue.pick(message, (term) => source(term.trim()));
}

/** Lets people choose from a short list; throws `none` if it is empty. */
async function choose<T>(dialogue: Dialogue, message: string, rows: readonly T[], row: (of: T) => Row, none: StoreError): Promise<T> {
  if (rows.length === 0) throw none;
  return dialogue.choose(message, await choicesOf(rows, dialogue.columns, row));
}

function noneOf(message: string, ...command: readonly string[]): StoreError {
  return new HintedError('not_found', message, { command });
}

const newestBatches = 50;

/** What a bulk import is called: its file, the count that it closed, or its note. */
function batchName({ fileName, countId, note, actor }: Batch): string {
  return (countId === undefined ? fileName : `count ${countId}`) ?? note ?? `by ${actor}`;
}

async function pickBatch(dialogue: Dialogue, undoable: boolean): Promise<string> {
  const { items } = await dialogue.call(listBatches, { sort: '-id', limit: newestBatches });
  const rows = undoable ? items.filter((batch) => refusalText(() => checkUndoable(batch)) === undefined) : items;
  const cells = (batch: Batch): Row => [
    batch.id,
    batchName(batch),
    undoable ? pluralize(batch.applied, 'row') : batch.state,
    listTime(batch.at, dialogue.clock.now, dialogue.clock.zone),
  ];
  const [question, none] = undoable
    ? ['Undo which import?', noneOf('No import can be undone.', 'inventory', 'batch', 'list')]
    : ['Which import?', noneOf('There are no imports yet.', 'inventory', 'import', '--help')];
  return String((await choose(dialogue, question, rows, cells, none)).id);
}

async function pickSetting(dialogue: Dialogue, savable: boolean): Promise<string> {
  const rows = dialogue.settings().filter(({ name }) => !savable || name in savedKeys);
  return (await choose(dialogue, 'Which setting?', rows, ({ name, value = '' }) => [name, value], new StoreError('not_found', 'There are no settings.'))).name;
}

/** How a record is chosen from a short list; each answers its id or its name. Refuses with `not_found` if there is none. */
export const listPickers = {
  batch: (dialogue) => pickBatch(dialogue, false),
  undoableBatch: (dialogue) => pickBatch(dialogue, true),
  hook: async (dialogue) => {
    const { items } = await dialogue.call(listHooks, { limit: maximumPage });
    const none = noneOf('The shop has no hooks.', 'hook', 'create', '--help');
    return String((await choose(dialogue, 'Which hook?', items, ({ id, url, state }) => [id, url, state], none)).id);
  },
  token: async (dialogue) => {
    const none = noneOf('The shop has no tokens.', 'token', 'create');
    const { tokens } = await dialogue.shop();
    return (await choose(dialogue, 'Which token?', await tokens.list(), ({ id, name, scopes }) => [id, name, scopes.join(',')], none)).name;
  },
  session: async (dialogue) => {
    const none = new StoreError('not_found', 'There are no sessions.');
    const { sessions } = await dialogue.shop();
    const { now, zone } = dialogue.clock;
    const cells = ({ id, name, createdAt }: ListedSession): Row => [id, name, listTime(createdAt, now, zone)];
    return (await choose(dialogue, 'Which session?', await sessions.list(), cells, none)).id;
  },
  profile: async (dialogue) => {
    const none = noneOf('There are no profiles yet.', 'profile', 'add');
    return (await choose(dialogue, 'Which profile?', dialogue.profiles(), ({ name, where }) => [name, where], none)).name;
  },
  setting: (dialogue) => pickSetting(dialogue, false),
  savableSetting: (dialogue) => pickSetting(dialogue, true),
} satisfies Readonly<Record<string, (dialogue: Dialogue) => Promise<string>>>;
