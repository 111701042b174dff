import type { ListedSession } from '../../../domain/sessions/session-keeper.js';
import { argument, askedOnlyWithout, optional } from '../../arguments.js';
import type { Command } from '../../command.js';
import { completeRecords } from '../../completion/completers.js';
import { command, requireEither } from '../../declare-command.js';
import { toggle } from '../../flags.js';
import { mutationFlags } from '../../mutation-flags.js';
import { columnsOf, showList } from '../../output/view.js';
import { listPrompt } from '../../prompts/shared-prompts.js';
import { makeChange } from '../../record-command.js';

const sessionColumns = columnsOf<ListedSession, keyof ListedSession>({
  id: { heading: 'ID' },
  name: { heading: 'Name', least: 8 },
  holder: { heading: 'Signed in with', text: ({ holder }) => (holder === 'token' ? 'a token' : 'serve --open') },
  createdAt: { heading: 'Since', time: true },
  expiresAt: { heading: 'Expires', time: true },
});

const sessionList: Command = command({
  path: ['session', 'list'],
  aliases: ['ls'],
  summary: 'list who is signed in with a browser',
  columns: sessionColumns,
  run: async (context) => showList(context, sessionColumns, await (await context.shop()).sessions.list()),
  examples: ['petstore session list', 'petstore session list --json id,name'],
});

const sessionArgument = argument({ read: (text) => text, complete: completeRecords('session'), prompt: listPrompt('session') });

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
    requireEither(id, all, 'a session or --all', ['session', 'list']);
    const ended = await makeChange(context, mutation, {
      columns: sessionColumns,
      make: (options, { sessions }) => sessions.endEach(id === undefined ? 'all' : { id }, options),
      isList: id === undefined,
      question: () => (id === undefined ? 'End all sessions?' : `End the session ${id}?`),
      sentence: ({ id: one, name }, verb) => `${verb('Ended', 'Would end')} session ${one} (${name}).`,
    });
    if (ended.length === 0) await context.note('There are no sessions.');
  },
  examples: ['petstore session end 3f9a0c1b7d24 --yes', 'petstore session end --all --yes'],
});

/** The commands of sessions of the shop board. */
export const sessionCommands: readonly Command[] = [sessionList, sessionEnd];
