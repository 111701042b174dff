import { commandEntry, type CommandEntry } from '../help/describe-command.js';
import { command } from '../declare-command.js';
import type { Command } from '../command.js';
import { columnsOf, formatOfResult, writeList } from '../output/view.js';

const columns = columnsOf<CommandEntry, keyof CommandEntry>(
  {
    command: { heading: 'Command' },
    usage: { heading: 'Usage', least: 12 },
    summary: { heading: 'Summary', least: 12, wraps: true },
    aliases: { heading: 'Aliases', least: 12 },
    arguments: { heading: 'Arguments', least: 12 },
    flags: { heading: 'Flags', least: 12 },
    fields: { heading: 'Fields', least: 12 },
    mutates: { heading: 'Changes the shop' },
    stability: { heading: 'Stability' },
    operations: { heading: 'Operations', least: 12 },
    exitCodes: { heading: 'Exit codes', least: 12 },
    examples: { heading: 'Examples', least: 12 },
  },
  { shown: ['command', 'summary'] },
);

/** The command `commands`; `every` loads all commands. */
export function commandsCommand(every: () => Promise<readonly { readonly command: Command; readonly groupAliases: readonly string[] }[]>): Command {
  return command({
    path: ['commands'],
    summary: 'list all commands; in JSON with arguments, flags, fields, exit codes and examples',
    examples: ['petstore commands', 'petstore commands --json', 'petstore commands --json command,exitCodes'],
    columns,
    run: async (context) => {
      const entries = (await every()).map((one) => commandEntry(one.command, one.groupAliases));
      await writeList(context, formatOfResult(context), columns, entries);
    },
  });
}
