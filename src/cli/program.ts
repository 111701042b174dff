import { CommanderError } from 'commander';
import { StoreError } from '../domain/errors.js';
import type { Shop } from '../domain/shop.js';
import { didYouMean } from '../domain/suggest.js';
import type { GlobalFlags, Settings } from '../settings.js';
import { globalFlagEntries, isSpelt, ownFlagEntries, pathOf } from './catalogue.js';
import type { Command, Context } from './command.js';
import { isShell } from './completion/shells.js';
import { groups, type Group, type OpenShop, type Setup } from './groups.js';
import type { Io } from './io.js';
import { isColoured, paintFor } from './paint.js';
import { report } from './report.js';
import { sanitiseCell } from './sanitise.js';
import { build, type Matched } from './words.js';

const valueFlags = new Set(['--store', '--format', '--fields', '--actor', '--color', '--wait']);

/** The words of a command line that are neither flags nor values of the flags that every command takes. */
function plainWords(argv: readonly string[]): readonly string[] {
  return argv.filter((text, index) => !text.startsWith('-') && text !== 'help' && !valueFlags.has(argv[index - 1] ?? ''));
}

/** The group a command line means, by name or alias. */
function groupOf(argv: readonly string[]): Group | undefined {
  const [word] = plainWords(argv);
  return groups.find(({ name, aliases }) => word === name || (word !== undefined && aliases.includes(word)));
}

/** What commander found wrong with the words, as one of our refusals; undefined when help was shown. */
function refusal(error: CommanderError, argv: readonly string[], commands: readonly Command[]): StoreError | undefined {
  if (error.exitCode === 0) return undefined;
  const message = error.message.replace(/^error: /, '').replaceAll(/\s*\n\s*/g, ' ');
  const sentence = `${message[0]?.toUpperCase() ?? ''}${message.slice(1)}${/[.)?]$/.test(message) ? '' : '.'}`;
  const words = argv.filter((word) => !word.startsWith('-')).slice(0, 2);
  const repaired = error.code === 'commander.missingArgument' ? swallowed(argv) : undefined;
  if (repaired !== undefined) return repaired;
  if (error.code === 'commander.unknownOption') return unknownFlag(message, argv, commands);
  const known = commands.some(({ words: spelt }) => spelt.startsWith(words.join(' ')));
  return new StoreError('usage', sentence, `petstore ${known ? `${words.join(' ')} ` : ''}--help`);
}

/** The command that a line means, as far as its words tell. */
function commandOf(argv: readonly string[], commands: readonly Command[]): Command | undefined {
  const typed = plainWords(argv);
  return commands.find((command) => {
    const [, ...verbs] = pathOf(command);
    return verbs.every((verb, index) => isSpelt(verb, typed[index + 1]));
  });
}

/** A flag that a command does not take, with the nearest one that it does. */
function unknownFlag(message: string, argv: readonly string[], commands: readonly Command[]): StoreError {
  const spelt = /'([^'=]*)/.exec(message)?.[1] ?? '';
  const meant = commandOf(argv, commands);
  const name = ['petstore', ...(meant ? pathOf(meant) : [])].join(' ');
  const flags = [...(meant ? ownFlagEntries(meant) : []), ...globalFlagEntries()].map((flag) => flag.name);
  return new StoreError('usage', `"${spelt}" is not a flag of ${name}${didYouMean(spelt, spelt.startsWith('--') ? flags : [])}`, `${name} --help`);
}

/** `pet view --json 7`: the word after --json was meant for the command, so the line is shown as it should be. */
function swallowed(argv: readonly string[]): StoreError | undefined {
  const at = argv.indexOf('--json');
  const value = argv[at + 1];
  if (at < 0 || value === undefined || value.startsWith('-')) return undefined;
  return new StoreError(
    'usage',
    `--json takes a list of fields, and "${value}" is none.`,
    `petstore ${argv.filter((_, index) => index !== at).join(' ')} --json`,
  );
}

/** `--json pet list`: the same with the name of a group. */
function swallowedGroup(error: unknown, argv: readonly string[]): StoreError | undefined {
  if (!(error instanceof StoreError) || error.code !== 'unknown_command') return undefined;
  const value = argv[argv.indexOf('--json') + 1];
  return groups.some(({ name, aliases }) => name === value || aliases.includes(value ?? '')) ? swallowed(argv) : undefined;
}

function checkJsonValue(argv: readonly string[], { command }: Matched, flags: GlobalFlags): void {
  const { json } = flags;
  if (typeof json !== 'string' || json.split(',').every((field) => command.fields.includes(field.trim()))) return;
  const repaired = swallowed(argv);
  const isList = /[a-z]/i.test(json) && (json.includes(',') || argv.includes(`--json=${json}`));
  if (repaired !== undefined && !isList) throw repaired;
}

/** A report that is no list of records has no fields to choose from. */
function checkFields({ fields, words }: Command, { fields: asked, json }: GlobalFlags): void {
  if (fields.length > 0 || (asked === undefined && typeof json !== 'string')) return;
  throw new StoreError('unknown_field', `"${words.split(/ [[<]/)[0]}" has no fields to choose from.`, 'Leave out --fields; --json prints all there is.');
}

async function contextOf(settings: Settings, io: Io, open: OpenShop): Promise<{ readonly context: Context; readonly close: () => Promise<void> }> {
  let shop: Promise<Shop> | undefined;
  const paint = paintFor(isColoured(io.stdout, settings.colour, io.environment));
  const context: Context = {
    io,
    settings,
    paint,
    shop: () => (shop ??= open(settings)),
    note: async (line) => {
      if (!settings.quiet) await io.stderr.write(`${sanitiseCell(line)}\n`);
    },
    confirm: async (question, { yes, dryRun }) => {
      if (yes === true || dryRun === true) return;
      const { confirm } = await import('./prompt.js');
      await confirm(io, settings, question);
    },
  };
  return {
    context,
    close: async () => {
      const opened = await shop?.catch(() => undefined);
      await opened?.close();
    },
  };
}

async function runMatched(argv: readonly string[], matched: Matched, flags: GlobalFlags, io: Io, setup: Setup): Promise<number> {
  checkJsonValue(argv, matched, flags);
  checkFields(matched.command, flags);
  const settings = setup.settings(flags, io.environment);
  const { context, close } = await contextOf(settings, io, setup.open);
  const started = io.now();
  try {
    return (await matched.command.run(context, matched.args, matched.flags)) ?? 0;
  } finally {
    await close();
    if (settings.debug) await io.stderr.write(`${matched.command.words.split(' <')[0]}: ${io.now() - started} ms\n`);
  }
}

/** Runs one command line and answers its exit code. */
export async function run(argv: readonly string[], io: Io, setup: Setup): Promise<number> {
  let help = '';
  let matched: Matched | undefined;
  let commands: readonly Command[] = [];
  try {
    if (argv[0] === 'complete' && isShell(argv[1])) {
      const { complete } = await import('./completion/complete.js');
      await complete(argv.slice(1), io, setup);
      return 0;
    }
    if (argv[0] === 'help' && argv.length > 1) {
      const { topic } = await import('./help.js');
      const text = topic(argv.slice(1).join(' '));
      if (text !== undefined) {
        await io.stdout.write(text);
        return 0;
      }
    }
    commands = (await groupOf(argv)?.load(setup)) ?? [];
    const program = build(setup, { write: (text) => void (help += text), width: () => io.stdout.columns }, { argv, commands }, (found) => (matched = found));
    program.parse(argv, { from: 'user' });
    if (matched) return await runMatched(argv, matched, program.opts(), io, setup);
  } catch (error) {
    const shown = error instanceof CommanderError ? refusal(error, argv, commands) : (swallowedGroup(error, argv) ?? error);
    if (shown !== undefined) return report(shown, argv, io);
  }
  try {
    await io.stdout.write(help);
    return 0;
  } catch (error) {
    return report(error, argv, io);
  }
}
