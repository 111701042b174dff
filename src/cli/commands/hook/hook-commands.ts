import { StoreError } from '../../../domain/errors.js';
import { getHook } from '../../../domain/hooks/get-hook.js';
import { listHookDeliveries } from '../../../domain/hooks/list-hook-deliveries.js';
import { listHooks } from '../../../domain/hooks/list-hooks.js';
import { pauseHook } from '../../../domain/hooks/pause-hook.js';
import { resumeHook } from '../../../domain/hooks/resume-hook.js';
import { pluralize } from '../../../domain/values/text.js';
import { HintedError } from '../../../settings/hint.js';
import { repeated } from '../../arguments.js';
import type { Command } from '../../command.js';
import { command } from '../../declare-command.js';
import { toggle } from '../../flags.js';
import { listCommand } from '../../list-command.js';
import { sanitiseCell } from '../../output/sanitise.js';
import type { SentEvents } from '../../program-setup.js';
import { changeEachCommand, viewCommand } from '../../record-command.js';
import { hookArgument } from '../../shared-arguments.js';
import { deliveryColumns, hookColumns, hookView } from './hook-columns.js';
import { ownerCommands } from './owner-commands.js';

const hookList: Command = listCommand({
  path: ['hook', 'list'],
  aliases: ['ls'],
  summary: 'list the hooks, with their positions and what waits',
  flags: { failing: toggle({ long: 'failing', summary: 'only hooks whose next event failed' }) },
  operation: listHooks,
  input: ({ failing }) => ({ failing: failing === true }),
  columns: hookColumns,
  examples: ['petstore hook list', 'petstore hook list --failing --json'],
});

const hookViewCommand: Command = viewCommand({
  path: ['hook', 'view'],
  aliases: ['show'],
  summary: 'show hooks, without their secrets',
  arguments: { hook: repeated(hookArgument) },
  operation: getHook,
  input: ({ hook }) => ({ hookId: hook }),
  ...hookView,
  examples: ['petstore hook view 3'],
});

const hookPause: Command = changeEachCommand({
  path: ['hook', 'pause'],
  summary: 'stop sending to hooks; they keep their positions',
  arguments: { hook: repeated(hookArgument) },
  operation: pauseHook,
  input: ({ hook }) => ({ hookId: hook }),
  columns: hookColumns,
  sentence: ({ id, position }, verb) => `${verb('Paused', 'Would pause')} hook ${id} after ledger entry ${position}.`,
  examples: ['petstore hook pause 3'],
});

const hookResume: Command = changeEachCommand({
  path: ['hook', 'resume'],
  summary: 'send to hooks again what waits, at once',
  arguments: { hook: repeated(hookArgument) },
  operation: resumeHook,
  input: ({ hook }) => ({ hookId: hook }),
  columns: hookColumns,
  sentence: ({ id, waiting }, verb) => `${verb('Resumed', 'Would resume')} hook ${id}; ${waiting} ledger ${waiting === 1 ? 'entry waits' : 'entries wait'}.`,
  examples: ['petstore hook resume 3'],
});

const hookDeliveries: Command = listCommand({
  path: ['hook', 'deliveries'],
  summary: 'list the last attempts to send to a hook',
  arguments: { hook: hookArgument },
  operation: listHookDeliveries,
  input: ({ hook }) => ({ hookId: hook }),
  tail: (request) => ({ ...request, sort: '-id' as const }),
  columns: deliveryColumns,
  examples: ['petstore hook deliveries 3', 'petstore hook deliveries 3 -L 5'],
});

const hookTest: Command = command({
  path: ['hook', 'test'],
  writesText: true,
  summary: 'send a test event to a hook',
  arguments: { hook: hookArgument },
  exits: ['hook_not_found', 'hook_failed'],
  run: async ({ io, settings, setup }, { hook }) => {
    const { event, status, error, milliseconds } = await setup.hooks.test(settings, hook);
    if (error !== undefined)
      throw new HintedError('hook_failed', `Hook ${hook} did not receive the test event: ${error}`, { command: ['hook', 'view', String(hook)] });
    await io.stdout.write(`Hook ${hook} received the test event ${event} (status ${status}, ${milliseconds} ms).\n`);
  },
  examples: ['petstore hook test 3'],
});

function sentText({ hookId, event, type, status, error, pauses }: SentEvents): string {
  if (error === undefined) return `Hook ${hookId}: ${event} (${type}) was received with status ${status}.`;
  return `Hook ${hookId}: ${event} (${type}) failed. ${sanitiseCell(error)}${pauses ? ' The hook is paused now.' : ''}`;
}

const hookDeliver: Command = command({
  path: ['hook', 'deliver'],
  writesText: true,
  summary: 'send to hooks what waits, where no server runs',
  flags: { once: toggle({ long: 'once', summary: 'end when nothing is due; exit code 7 if a request failed' }) },
  mutates: true,
  exits: ['hook_failed'],
  run: async ({ io, settings, setup }, { once }) => {
    let [sent, failed] = [0, 0];
    let written: Promise<unknown> = Promise.resolve();
    await setup.hooks.deliver(settings, once === true, (request) => {
      sent += 1;
      if (request.error !== undefined) failed += 1;
      written = written.then(() => io.stdout.write(`${sentText(request)}\n`));
    });
    await written;
    if (once === true && failed > 0) {
      throw new StoreError('hook_failed', `${failed} of ${pluralize(sent, 'request')} failed; what waits is sent again later.`, {
        advice: 'petstore hook list --failing shows why.',
      });
    }
  },
  examples: ['petstore hook deliver --once'],
});

/** The commands of webhooks. */
export const hookCommands: readonly Command[] = [hookList, hookViewCommand, ...ownerCommands, hookPause, hookResume, hookTest, hookDeliveries, hookDeliver];
