import { HintedError } from '../../settings/hint.js';
import { savedKeys } from '../../settings/setting-table.js';
import type { Batch } from '../../domain/imports/batch.js';
import { getBatch } from '../../domain/imports/get-batch.js';
import { listBatches } from '../../domain/imports/list-batches.js';
import { listHooks } from '../../domain/hooks/list-hooks.js';
import { checkUndoable } from '../../domain/imports/undo-batch.js';
import { maximumPage } from '../../domain/values/pages.js';
import { isIdText } from '../../domain/values/ids.js';
import { fold, pluralize } from '../../domain/values/text.js';
import { StoreError } from '../../domain/errors.js';
import { choicesOf, pickFound } from './picker-rows.js';
import type { Dialogue } from './prompt.js';
import type { Found } from './prompter.js';
import { refusalOf } from './text-problems.js';

/** How a picker shows and finds the rows of a short list. */
interface Listed<T> {
  readonly rows: readonly T[];
  readonly cells: (row: T) => readonly (string | number)[];
  readonly short: (row: T) => string;
  /** Refuses an empty list. */
  readonly none: StoreError;
}

/** Lets people choose from a short list; a search looks at every cell. */
async function pickListed<T>(dialogue: Dialogue, message: string, { rows, cells, short, none }: Listed<T>): Promise<T> {
  const source = async (term: string): Promise<Found<T>> => {
    const found = rows.filter((row) => cells(row).some((cell) => fold(String(cell)).includes(fold(term))));
    return { choices: await choicesOf(found, dialogue.columns, cells, short), total: found.length };
  };
  return pickFound(dialogue, message, source, none);
}

/** How many of the newest imports a picker shows; an older one is found by its id. */
const newestBatches = 50;

async function batchesFor({ call }: Dialogue, term: string, undoable: boolean): Promise<readonly Batch[]> {
  const { items } = await call(listBatches, { sort: '-id', limit: newestBatches });
  const isNew = items.some(({ id }) => String(id) === term);
  const older = isIdText(term) && !isNew ? await call(getBatch, { batchId: Number(term) }).catch(() => undefined) : undefined;
  const all = older === undefined ? items : [older, ...items];
  return undoable ? all.filter((batch) => refusalOf(() => checkUndoable(batch)) === undefined) : all;
}

/** What a bulk import is called: its file, or the count that it closed; undefined where neither is known. */
function batchName({ fileName, countId }: Batch): string | undefined {
  return countId === undefined ? fileName : `count ${countId}`;
}

/** The id of the chosen bulk import as text: of any one, or of one that can be undone. Refuses with `not_found` if there is none. */
export async function pickBatch(dialogue: Dialogue, undoable: boolean): Promise<string> {
  const { columns, timeText } = dialogue;
  const cells = (batch: Batch): readonly (string | number)[] => [
    batch.id,
    batchName(batch) ?? batch.note ?? `by ${batch.actor}`,
    undoable ? pluralize(batch.applied, 'row') : batch.state,
    timeText(batch.at),
  ];
  const source = async (term: string): Promise<Found<Batch>> => {
    const rows = await batchesFor(dialogue, term, undoable);
    const found = rows.filter((batch) => String(batch.id) === term || fold(cells(batch).slice(1).join(' ')).includes(fold(term)));
    return { choices: await choicesOf(found, columns, cells, (batch) => `${batchName(batch) ?? 'import'} (batch ${batch.id})`), total: found.length };
  };
  const missing = undoable ? 'No import can be undone.' : 'There are no imports yet.';
  const none = new HintedError('not_found', missing, { command: undoable ? ['inventory', 'batch', 'list'] : ['inventory', 'import', '--help'] });
  return String((await pickFound(dialogue, undoable ? 'Undo which import?' : 'Which import?', source, none)).id);
}

/** The id of the chosen hook as text. Refuses with `not_found` if there is none. */
export async function pickHook(dialogue: Dialogue): Promise<string> {
  const { items } = await dialogue.call(listHooks, { limit: maximumPage });
  const { id } = await pickListed(dialogue, 'Which hook?', {
    rows: items,
    cells: ({ id: hook, url, state }) => [hook, url, state],
    short: ({ id: hook, url }) => `${url} (hook ${hook})`,
    none: new HintedError('not_found', 'The shop has no hooks.', { command: ['hook', 'create', '--help'] }),
  });
  return String(id);
}

/** The name of the chosen token. Refuses with `not_found` if there is none. */
export async function pickToken(dialogue: Dialogue): Promise<string> {
  const { name } = await pickListed(dialogue, 'Which token?', {
    rows: await dialogue.tokens(),
    cells: ({ id, name: token, scopes }) => [id, token, scopes.join(',')],
    short: ({ id, name: token }) => `${token} (token ${id})`,
    none: new HintedError('not_found', 'The shop has no tokens.', { command: ['token', 'create'] }),
  });
  return name;
}

/** The id of the chosen session. Refuses with `not_found` if there is none. */
export async function pickSession(dialogue: Dialogue): Promise<string> {
  const { id } = await pickListed(dialogue, 'Which session?', {
    rows: await dialogue.sessions(),
    cells: ({ id: session, name, createdAt }) => [session, name, dialogue.timeText(createdAt)],
    short: ({ id: session, name }) => `${session} (${name})`,
    none: new StoreError('not_found', 'There are no sessions.'),
  });
  return id;
}

/** The name of the chosen profile. Refuses with `not_found` if there is none. */
export async function pickProfile(dialogue: Dialogue): Promise<string> {
  const { name } = await pickListed(dialogue, 'Which profile?', {
    rows: dialogue.profiles(),
    cells: ({ name: profile, where }) => [profile, where],
    short: ({ name: profile }) => profile,
    none: new HintedError('not_found', 'There are no profiles yet.', { command: ['profile', 'add'] }),
  });
  return name;
}

/** The name of the chosen setting; with `savable` only one that the config file can have. */
export async function pickSetting(dialogue: Dialogue, savable: boolean): Promise<string> {
  const { name } = await pickListed(dialogue, 'Which setting?', {
    rows: dialogue.settings().filter(({ name: setting }) => !savable || setting in savedKeys),
    cells: ({ name: setting, value = '' }) => [setting, value],
    short: ({ name: setting }) => setting,
    none: new StoreError('not_found', 'There are no settings.'),
  });
  return name;
}
