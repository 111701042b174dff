import { commandEntry, type CommandEntry } from '../catalogue.js';
import { command, type Command } from '../command.js';
import { once } from '../record-command.js';
import { chosen, writeIds, writeRows, writeTable, type Columns } from '../view.js';

const columns: Columns<CommandEntry> = {
  all: [
    { name: 'command', value: (entry) => entry.command },
    { name: 'summary', value: ({ summary }) => summary },
    { name: 'usage', value: ({ usage }) => usage },
    { name: 'aliases', value: ({ aliases }) => aliases },
    { name: 'arguments', value: (entry) => entry.arguments },
    { name: 'flags', value: ({ flags }) => flags },
    { name: 'fields', value: ({ fields }) => fields },
    { name: 'mutates', value: ({ mutates }) => mutates },
    { name: 'stability', value: ({ stability }) => stability },
    { name: 'operations', value: ({ operations }) => operations },
    { name: 'exitCodes', value: ({ exitCodes }) => exitCodes },
    { name: 'examples', value: ({ examples }) => examples },
  ],
  shown: ['command', 'summary'],
  json: ['command', 'usage', 'summary', 'aliases', 'arguments', 'flags', 'fields', 'mutates', 'stability', 'operations', 'exitCodes', 'examples'],
  id: 'command',
};

/** The command that lists all commands; `every` finds them. */
export function listingCommands(every: () => Promise<readonly { readonly command: Command; readonly nounAliases: readonly string[] }[]>): readonly Command[] {
  return [
    command({
      words: 'commands',
      summary: 'list every command, in JSON with its arguments, flags, fields, exit codes and examples',
      examples: ['petstore commands', 'petstore commands --json', 'petstore commands --json command,exitCodes'],
      fields: columns.all.map(({ name }) => name),
      run: async ({ io, settings, paint }) => {
        const format = settings.format ?? (io.stdout.isTerminal ? 'table' : 'tsv');
        const shown = chosen(columns, settings.fields, format);
        const entries = (await every()).map((one) => commandEntry(one.command, one.nounAliases));
        if (format === 'count') return io.stdout.write(`${entries.length}\n`);
        if (format === 'ids') return writeIds(io.stdout, columns, once(entries));
        if (format === 'table') return writeTable(io.stdout, shown, entries, { paint, now: io.now() });
        await writeRows(io.stdout, format, shown, once(entries));
      },
    }),
  ];
}
