import { commandEntry, type CommandEntry } from '../help/describe-command.js';
import { command } from '../declare-command.js';
import type { Command } from '../command.js';
import { formatOfResult, writeList, type Columns } from '../output/view.js';

const columns: Columns<CommandEntry> = {
  all: [
    { name: 'command', heading: 'Command', value: (entry) => entry.command },
    { name: 'summary', heading: 'Summary', least: 12, wraps: true, value: ({ summary }) => summary },
    { name: 'usage', heading: 'Usage', least: 12, value: ({ usage }) => usage },
    { name: 'aliases', heading: 'Aliases', least: 12, value: ({ aliases }) => aliases },
    { name: 'arguments', heading: 'Arguments', least: 12, value: (entry) => entry.arguments },
    { name: 'flags', heading: 'Flags', least: 12, value: ({ flags }) => flags },
    { name: 'fields', heading: 'Fields', least: 12, value: ({ fields }) => fields },
    { name: 'mutates', heading: 'Changes the shop', value: ({ mutates }) => mutates },
    { name: 'stability', heading: 'Stability', value: ({ stability }) => stability },
    { name: 'operations', heading: 'Operations', least: 12, value: ({ operations }) => operations },
    { name: 'exitCodes', heading: 'Exit codes', least: 12, value: ({ exitCodes }) => exitCodes },
    { name: 'examples', heading: 'Examples', least: 12, value: ({ examples }) => examples },
  ],
  shown: ['command', 'summary'],
  json: ['command', 'usage', 'summary', 'aliases', 'arguments', 'flags', 'fields', 'mutates', 'stability', 'operations', 'exitCodes', 'examples'],
  id: 'command',
};

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
