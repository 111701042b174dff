import { CommanderError } from 'commander';
import { StoreError } from '../domain/errors.js';
import type { Shop } from '../domain/shop.js';
import type { GlobalFlags, Settings } from '../settings.js';
import { checkArguments, converse, missingArguments, wantsAnswers } from './asking.js';
import type { Command, Context } from './command.js';
import { groups, type Group, type OpenShop, type Setup } from './groups.js';
import type { Io } from './io.js';
import { isColoured, paintFor } from './paint.js';
import { report } from './report.js';
import { sanitiseCell } from './sanitise.js';
import { build, type Matched } from './words.js';

const valueFlags = new Set(['--store', '--format', '--fields', '--actor', '--color', '--wait']);

/** The group a command line means, by name or alias: its first word that is neither a flag nor a flag's value. */
function groupOf(argv: readonly string[]): Group | undefined {
  const word = argv.find((text, index) => !text.startsWith('-') && text !== 'help' && !valueFlags.has(argv[index - 1] ?? ''));
  return groups.find(({ name, aliases }) => word === name || (word !== undefined && aliases.includes(word)));
}

/** What commander found wrong with the words, as one of our refusals; undefined when help was shown. */
function refusal(error: CommanderError, argv: readonly string[], commands: readonly Command[]): StoreError | undefined {
  if (error.exitCode === 0) return undefined;
  const message = error.message.replace(/^error: /, '').replaceAll(/\s*\n\s*/g, ' ');
  const sentence = `${message[0]?.toUpperCase() ?? ''}${message.slice(1)}${/[.)?]$/.test(message) ? '' : '.'}`;
  const words = argv.filter((word) => !word.startsWith('-')).slice(0, 2);
  const known = commands.some(({ words: spelt }) => spelt.startsWith(words.join(' ')));
  return new StoreError('usage', sentence, `petstore ${known ? `${words.join(' ')} ` : ''}--help`);
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

function checkJsonValue(argv: readonly string[], matched: Matched, flags: GlobalFlags): void {
  const { json } = flags;
  if (typeof json !== 'string' || json.split(',').every((field) => matched.command.fields.includes(field.trim()))) return;
  const repaired = swallowed(argv);
  if (repaired !== undefined && missingArguments(matched).length > 0) throw repaired;
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

type Parse = (argv: readonly string[]) => { readonly matched: Matched | undefined; readonly flags: GlobalFlags; readonly bare: boolean };

/** Runs a command, which asks for what its line lacks where somebody is there to be asked. */
async function runOrAsk(argv: readonly string[], matched: Matched, context: Context, parse: Parse): Promise<number | void> {
  const { io, settings } = context;
  // A field that there is not is refused before somebody types for nothing.
  const knowsFields = settings.fields?.every((field) => matched.command.fields.includes(field)) ?? true;
  if (knowsFields && wantsAnswers(matched)) {
    const { canAsk, prompterOf } = await import('./prompt.js');
    if (canAsk(io, settings)) return converse(argv, matched, context, prompterOf(io, settings), (words) => parse(words).matched);
  }
  checkArguments(argv, matched, settings);
  return matched.command.run(context, matched.args, matched.flags);
}

async function runMatched(argv: readonly string[], matched: Matched, flags: GlobalFlags, io: Io, setup: Setup, parse: Parse): Promise<number> {
  checkJsonValue(argv, matched, flags);
  checkFields(matched.command, flags);
  const settings = setup.settings(flags, io.environment);
  const { context, close } = await contextOf(settings, io, setup.open);
  const started = io.now();
  try {
    return (await runOrAsk(argv, matched, context, parse)) ?? 0;
  } finally {
    await close();
    if (settings.debug) await io.stderr.write(`${matched.command.words.split(' <')[0]}: ${io.now() - started} ms\n`);
  }
}

/** Whether the program was called without a word where somebody can be asked what to do. */
async function wantsMenu({ flags }: { readonly flags: GlobalFlags }, io: Io, setup: Setup): Promise<boolean> {
  if (!io.stdin.isTerminal || !io.stdout.isTerminal) return false;
  const { canAsk } = await import('./prompt.js');
  return canAsk(io, setup.settings(flags, io.environment));
}

/** Runs one command line and answers its exit code. */
export async function run(argv: readonly string[], io: Io, setup: Setup): Promise<number> {
  let help = '';
  let commands: readonly Command[] = [];
  const parse: Parse = (words) => {
    let matched: Matched | undefined;
    const program = build(
      setup,
      { write: (text) => void (help += text), width: () => io.stdout.columns },
      { argv: words, commands },
      (found) => (matched = found),
    );
    program.parse(words, { from: 'user' });
    return { matched, flags: program.opts(), bare: program.args.length === 0 };
  };
  try {
    if (argv[0] === 'help' && argv.length > 1) {
      const { topic } = await import('./help.js');
      const text = topic(argv.slice(1).join(' '));
      if (text !== undefined) {
        await io.stdout.write(text);
        return 0;
      }
    }
    commands = (await groupOf(argv)?.load(setup)) ?? [];
    const parsed = parse(argv);
    if (parsed.matched) return await runMatched(argv, parsed.matched, parsed.flags, io, setup, parse);
    if (parsed.bare && (await wantsMenu(parsed, io, setup))) {
      const { menu } = await import('./menu.js');
      return await menu(argv, setup.settings(parsed.flags, io.environment), io, setup, run);
    }
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
