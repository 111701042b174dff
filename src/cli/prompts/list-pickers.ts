import { HintedError } from '../../settings/hint.js';
import { savedKeys } from '../../settings/setting-table.js';
import type { Batch } from '../../domain/imports/batch.js';
import { listBatches } from '../../domain/imports/list-batches.js';
import { listHooks } from '../../domain/hooks/list-hooks.js';
import { checkUndoable } from '../../domain/imports/undo-batch.js';
import { maximumPage } from '../../domain/values/pages.js';
import { pluralize } from '../../domain/values/text.js';
import { StoreError } from '../../domain/errors.js';
import { chooseListed } from './picker-rows.js';
import type { Dialogue } from './prompt.js';
import { refusalOf } from './text-problems.js';

/** How many of the newest imports are offered. */
const newestBatches = 50;

/** What a bulk import is called: its file, or the count that it closed; undefined where neither is known. */
function batchName({ fileName, countId }: Batch): string | undefined {
  return countId === undefined ? fileName : `count ${countId}`;
}

/** The id of the chosen bulk import as text: of any one, or of one that can be undone. Refuses with `not_found` if there is none. */
export async function pickBatch(dialogue: Dialogue, undoable: boolean): Promise<string> {
  const { items } = await dialogue.call(listBatches, { sort: '-id', limit: newestBatches });
  const rows = undoable ? items.filter((batch) => refusalOf(() => checkUndoable(batch)) === undefined) : items;
  const cells = (batch: Batch): readonly (string | number)[] => [
    batch.id,
    batchName(batch) ?? batch.note ?? `by ${batch.actor}`,
    undoable ? pluralize(batch.applied, 'row') : batch.state,
    dialogue.timeText(batch.at),
  ];
  const none = undoable
    ? new HintedError('not_found', 'No import can be undone.', { command: ['inventory', 'batch', 'list'] })
    : new HintedError('not_found', 'There are no imports yet.', { command: ['inventory', 'import', '--help'] });
  return String((await chooseListed(dialogue, undoable ? 'Undo which import?' : 'Which import?', rows, cells, none)).id);
}

/** The id of the chosen hook as text. Refuses with `not_found` if there is none. */
export async function pickHook(dialogue: Dialogue): Promise<string> {
  const { items } = await dialogue.call(listHooks, { limit: maximumPage });
  const none = new HintedError('not_found', 'The shop has no hooks.', { command: ['hook', 'create', '--help'] });
  return String((await chooseListed(dialogue, 'Which hook?', items, ({ id, url, state }) => [id, url, state], none)).id);
}

/** The name of the chosen token. Refuses with `not_found` if there is none. */
export async function pickToken(dialogue: Dialogue): Promise<string> {
  const none = new HintedError('not_found', 'The shop has no tokens.', { command: ['token', 'create'] });
  return (await chooseListed(dialogue, 'Which token?', await dialogue.tokens(), ({ id, name, scopes }) => [id, name, scopes.join(',')], none)).name;
}

/** The id of the chosen session. Refuses with `not_found` if there is none. */
export async function pickSession(dialogue: Dialogue): Promise<string> {
  const none = new StoreError('not_found', 'There are no sessions.');
  const sessions = await dialogue.sessions();
  return (await chooseListed(dialogue, 'Which session?', sessions, ({ id, name, createdAt }) => [id, name, dialogue.timeText(createdAt)], none)).id;
}

/** The name of the chosen profile. Refuses with `not_found` if there is none. */
export async function pickProfile(dialogue: Dialogue): Promise<string> {
  const none = new HintedError('not_found', 'There are no profiles yet.', { command: ['profile', 'add'] });
  return (await chooseListed(dialogue, 'Which profile?', dialogue.profiles(), ({ name, where }) => [name, where], none)).name;
}

/** The name of the chosen setting; with `savable` only one that the config file can have. */
export async function pickSetting(dialogue: Dialogue, savable: boolean): Promise<string> {
  const rows = dialogue.settings().filter(({ name }) => !savable || name in savedKeys);
  return (await chooseListed(dialogue, 'Which setting?', rows, ({ name, value = '' }) => [name, value], new StoreError('not_found', 'There are no settings.')))
    .name;
}
