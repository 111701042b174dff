import { StoreError } from '../../../domain/errors.js';
import type { ListedSession, SessionChoice } from '../../../domain/sessions/session-keeper.js';
import type { TimeZone } from '../../../domain/values/time-zone.js';
import { HintedError } from '../../../settings/hint.js';
import { argument, askedOnlyWithout, optional } from '../../arguments.js';
import type { Command } from '../../command.js';
import { completeRecords } from '../../completion/completers.js';
import { command } from '../../declare-command.js';
import { toggle } from '../../flags.js';
import { mutationFlags } from '../../mutation-flags.js';
import { listTime } from '../../output/time-text.js';
import { type Columns, showList } from '../../output/view.js';
import { sessionPrompt } from '../../prompts/shared-prompts.js';
import { showChange } from '../../record-command.js';

function timeColumn(name: 'createdAt' | 'expiresAt', heading: string) {
  return {
    name,
    heading,
    value: ({ [name]: at }: ListedSession) => at,
    text: ({ [name]: at }: ListedSession, now: number, zone: TimeZone) => listTime(at, now, zone),
  };
}

const fields = ['id', 'name', 'holder', 'createdAt', 'expiresAt'];

/** The columns of sessions. */
const sessionColumns: Columns<ListedSession> = {
  all: [
    { name: 'id', heading: 'ID', value: ({ id }) => id },
    { name: 'name', heading: 'Name', least: 8, value: ({ name }) => name },
    { name: 'holder', heading: 'Signed in with', value: ({ holder }) => holder, text: ({ holder }) => (holder === 'token' ? 'a token' : 'serve --open') },
    timeColumn('createdAt', 'Since'),
    timeColumn('expiresAt', 'Expires'),
  ],
  shown: fields,
  json: fields,
  id: 'id',
};

const sessionList: Command = command({
  path: ['session', 'list'],
  aliases: ['ls'],
  summary: 'list who is signed in with a browser',
  columns: sessionColumns,
  run: async (context) => showList(context, sessionColumns, await (await context.shop()).sessions.list()),
  examples: ['petstore session list', 'petstore session list --json id,name'],
});

const sessionArgument = argument({ read: (text) => text, complete: completeRecords('session'), prompt: sessionPrompt });

function choiceOf(id: string | undefined, all: true | undefined): SessionChoice {
  if (id === undefined && all === undefined) {
    throw new HintedError('input_required', 'The id of the session is missing; use --all for every session.', { command: ['session', 'list'] });
  }
  if (id !== undefined && all) throw new StoreError('usage', 'Give a session or --all, not both.');
  return id === undefined ? 'all' : { id };
}

const sessionEnd: Command = command({
  path: ['session', 'end'],
  aliases: ['remove', 'delete', 'rm'],
  summary: 'sign a browser out',
  arguments: { id: optional(askedOnlyWithout(sessionArgument, ['all'])) },
  flags: { all: toggle({ long: 'all', summary: 'end all sessions' }), dryRun: mutationFlags.dryRun, yes: mutationFlags.yes },
  mutates: true,
  exits: ['session_not_found'],
  columns: sessionColumns,
  run: async (context, { id, all, ...mutation }) => {
    const choice = choiceOf(id, all);
    await context.confirm(id === undefined ? 'End all sessions?' : `End the session ${id}?`, mutation);
    const ended = await (await context.shop()).sessions.endEach(choice, { dryRun: mutation.dryRun });
    await showChange(context, {
      columns: sessionColumns,
      rows: ended,
      isList: choice === 'all',
      sentence: ({ id: one, name }, verb) => `${verb('Ended', 'Would end')} session ${one} (${name}).`,
      dryRun: mutation.dryRun,
    });
    if (ended.length === 0) await context.note('There are no sessions.');
  },
  examples: ['petstore session end 3f9a0c1b7d24 --yes', 'petstore session end --all --yes'],
});

/** The commands of sessions of the shop board. */
export const sessionCommands: readonly Command[] = [sessionList, sessionEnd];
