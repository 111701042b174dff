import { command } from '../declare-command.js';
import type { Command } from '../command.js';
import { type ProgramInfo, isShell, shells, type Shell } from '../program-setup.js';
import { showRecords } from '../record-command.js';
import { columnsOf, formatOfResult, writeList } from '../output/view.js';
import { argument } from '../arguments.js';
import { completeWords } from '../completion/completers.js';
import { StoreError } from '../../domain/errors.js';
import { didYouMean } from '../../domain/values/suggest.js';
import type { Dialogue } from '../prompts/prompt.js';
import { commandEntry, type CommandEntry } from '../help/describe-command.js';

const infoColumns = columnsOf<ProgramInfo, keyof ProgramInfo>({
  version: { heading: 'Version' },
  commit: { heading: 'Commit' },
  node: { heading: 'Node.js' },
  sqlite: { heading: 'SQLite' },
  platform: { heading: 'Platform' },
});

/** The command `version`. */
export const versionCommand: Command = command({
  path: ['version'],
  summary: 'show the versions of petstore, Node.js and SQLite',
  columns: infoColumns,
  run: async (context) => showRecords(context, { columns: infoColumns, rows: [await context.setup.about()] }),
  examples: ['petstore version', 'petstore version --json'],
});

function readShell(text: string): Shell {
  if (isShell(text)) return text;
  throw new StoreError('usage', `"${text}" is not a supported shell${didYouMean(text, shells)}`, {
    advice: `The shells are ${shells.join(', ')}.`,
  });
}

function askForShell({ choose }: Dialogue): Promise<Shell> {
  return choose(
    'Which shell?',
    shells.map((value) => ({ name: value, value })),
  );
}

/** The command `completion`. */
export const completionCommand: Command = command({
  path: ['completion'],
  writesText: true,
  summary: 'print the completion script for bash, zsh, fish or powershell',
  arguments: { shell: argument({ read: readShell, complete: completeWords(shells), prompt: { ask: askForShell } }) },
  run: async ({ io, setup }, { shell }) => io.stdout.write(await setup.completionScript(shell)),
  examples: ['petstore completion bash', 'petstore completion zsh'],
});

const entryColumns = columnsOf<CommandEntry, keyof CommandEntry>(
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
    columns: entryColumns,
    run: async (context) => {
      const entries = (await every()).map((one) => commandEntry(one.command, one.groupAliases));
      await writeList(context, formatOfResult(context), entryColumns, entries);
    },
  });
}
