import { CommanderError } from 'commander';
import { StoreError } from '../domain/errors.js';
import type { Shop } from '../domain/shop.js';
import { didYouMean } from '../domain/suggest.js';
import type { GlobalFlags, Settings } from '../settings.js';
import { checkArguments, converse, missingArguments, quoted, wantsAnswers } from './asking.js';
import { argumentsOf, commandNamed, globalFlagEntries, globalFlags, ownFlagEntries, pathOf } from './catalogue.js';
import type { Command, Context } from './command.js';
import { isShell } from './completion/shells.js';
import { groupNamed, type OpenShop, type Setup } from './groups.js';
import type { Io } from './io.js';
import { pagedThrough } from './paging.js';
import { isColoured, paintFor } from './paint.js';
import { guarded, readOnlyRefusal } from './read-only.js';
import { report } from './report.js';
import { sanitiseCell } from './sanitise.js';
import { build, type Matched } from './words.js';

/** The flags of every command whose value is a word of its own: "-P" and "--profile" of `-P, --profile <name>`. */
const valueFlags = new Set(globalFlags.flatMap(([spelling]) => (spelling.endsWith('>') ? spelling.replace(/ <.*/, '').split(', ') : [])));

/** The words of a command line that are neither flags nor values of the flags that every command takes. */
function plainWords(argv: readonly string[]): readonly string[] {
  return argv.filter((text, index) => !text.startsWith('-') && text !== 'help' && !valueFlags.has(argv[index - 1] ?? ''));
}

/** What commander found wrong with the words, as one of our refusals; undefined when help was shown. */
function refusal(error: CommanderError, argv: readonly string[], commands: readonly Command[]): StoreError | undefined {
  if (error.exitCode === 0) return undefined;
  const message = error.message.replace(/^error: /, '').replaceAll(/\s*\n\s*/g, ' ');
  const sentence = `${message[0]?.toUpperCase() ?? ''}${message.slice(1)}${/[.)?]$/.test(message) ? '' : '.'}`;
  const words = argv.filter((word) => !word.startsWith('-')).slice(0, 2);
  if (error.code === 'commander.unknownOption') return unknownFlag(message, argv, commands);
  const known = commands.some(({ words: spelt }) => spelt.startsWith(words.join(' ')));
  return new StoreError('usage', sentence, `petstore ${known ? `${words.join(' ')} ` : ''}--help`);
}

/** A flag that a command does not take, with the nearest one that it does. */
function unknownFlag(message: string, argv: readonly string[], commands: readonly Command[]): StoreError {
  const spelt = /'([^'=]*)/.exec(message)?.[1] ?? '';
  const meant = commandNamed(commands, plainWords(argv));
  const name = ['petstore', ...(meant ? pathOf(meant) : [])].join(' ');
  const flags = [...(meant ? ownFlagEntries(meant) : []), ...globalFlagEntries()].map((flag) => flag.name);
  return new StoreError('usage', `"${spelt}" is not a flag of ${name}${didYouMean(spelt, spelt.startsWith('--') ? flags : [])}`, `${name} --help`);
}

/** The line without the words at these places and with a bare --json, where no word follows that it could take for its own. */
function withBareJson(argv: readonly string[], without: readonly number[]): string {
  const words = argv.filter((_, index) => !without.includes(index)).map(quoted);
  const end = words.includes('--') ? words.indexOf('--') : words.length;
  return ['petstore', ...words.slice(0, end), '--json', ...words.slice(end)].join(' ');
}

/** `pet view --json 7`: the word after --json was meant for the command, so the line is shown as it should be. */
function swallowed(argv: readonly string[]): StoreError | undefined {
  const at = argv.indexOf('--json');
  const value = argv[at + 1];
  if (at < 0 || value === undefined || value.startsWith('-')) return undefined;
  return new StoreError('usage', `--json takes a list of fields, and "${value}" is none.`, withBareJson(argv, [at]));
}

/** `--json pet list`: the same with the name of a group. */
function swallowedGroup(error: unknown, argv: readonly string[]): StoreError | undefined {
  if (!(error instanceof StoreError) || error.code !== 'unknown_command') return undefined;
  return groupNamed(argv[argv.indexOf('--json') + 1]) && swallowed(argv);
}

/** Whether a command could take a word as one more argument; one more of several is an id. */
function takes(word: string, { command, args }: Matched): boolean {
  const places = argumentsOf(command);
  return places.length > args.length || (places.at(-1)?.repeated === true && /^\d+$/.test(word));
}

function checkJsonValue(argv: readonly string[], matched: Matched, flags: GlobalFlags): void {
  const { json } = flags;
  if (typeof json !== 'string' || json.split(',').every((field) => matched.command.fields.includes(field.trim()))) return;
  const repaired = takes(json, matched) ? swallowed(argv) : undefined;
  if (repaired !== undefined && missingArguments(matched).length > 0) throw repaired;
  const isList = /[a-z]/i.test(json) && (json.includes(',') || argv.includes(`--json=${json}`));
  if (repaired !== undefined && !isList) throw repaired;
}

/** A report that is no list of records has no fields to choose from. */
function checkFields(argv: readonly string[], { fields, words }: Command, { fields: asked, json }: GlobalFlags): void {
  if (fields.length > 0 || (asked === undefined && typeof json !== 'string')) return;
  const at = argv.indexOf('--json');
  const given = at < 0 ? [argv.indexOf(`--json=${json}`)] : [at, at + 1];
  const hint = asked === undefined ? withBareJson(argv, given) : 'Leave out --fields; --json prints all there is.';
  throw new StoreError('unknown_field', `"${words.split(/ [[<]/)[0]}" has no fields to choose from.`, hint);
}

/** What a command is to work with. */
interface Given {
  readonly settings: Settings;
  readonly flags: GlobalFlags;
  readonly open: OpenShop;
  readonly matched: Matched;
}

function contextOf(world: Io, { settings, flags, open, matched }: Given): { readonly context: Context; readonly close: () => Promise<void> } {
  const { command } = matched;
  let shop: Promise<Shop> | undefined;
  // What is shown before a question, or of a change, stays where it is.
  const io = command.mutates ? world : pagedThrough(world, settings.pager);
  // Before anything is asked or opened.
  const refuse = (): void => {
    if (settings.readOnly && command.mutates && matched.flags['dryRun'] !== true) throw readOnlyRefusal(settings);
  };
  const paint = paintFor(isColoured(io.stdout, settings.colour, io.environment));
  const context: Context = {
    io,
    settings,
    given: flags,
    paint,
    shop: async () => (refuse(), (shop ??= open(settings))),
    note: async (line) => {
      if (!settings.quiet) await io.stderr.write(`${sanitiseCell(line)}\n`);
    },
    confirm: async (question, { yes, dryRun }) => {
      if (yes === true || dryRun === true) return;
      refuse();
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

/** The settings of a command; one that shows or mends them goes on with flags and environment alone where the rest makes no sense. */
function settingsFor({ mends }: Command, flags: GlobalFlags, io: Io, setup: Setup): Settings {
  try {
    return setup.settings(flags, io.environment);
  } catch (error) {
    if (!mends) throw error;
    return setup.settings(flags, io.environment, false);
  }
}

/** The settings, for how an error is to look; undefined where they cannot be read. */
function standing(flags: GlobalFlags, io: Io, setup: Setup): Settings | undefined {
  try {
    return setup.settings(flags, io.environment);
  } catch {
    return undefined;
  }
}

/** What a flag says of the place of a missing shop is said to `init` too, which would set one up elsewhere without it. */
function withPlace(error: unknown, { store, profile }: GlobalFlags, settings: Settings | undefined): unknown {
  if (!(error instanceof StoreError) || error.hint !== 'petstore init' || settings === undefined || !error.message.includes(settings.where)) return error;
  const given = store !== undefined ? ` --store ${quoted(settings.where)}` : profile ? ` --profile ${quoted(profile)}` : '';
  return new StoreError(error.code, error.message, `petstore init${given}`);
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
  checkFields(argv, matched.command, flags);
  const settings = settingsFor(matched.command, flags, io, setup);
  const { context, close } = contextOf(io, { settings, flags, open: setup.open, matched });
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
export async function run(argv: readonly string[], io: Io, doors: Setup): Promise<number> {
  const setup = guarded(doors);
  let help = '';
  let commands: readonly Command[] = [];
  let flags: GlobalFlags = {};
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
    commands = (await groupNamed(plainWords(argv)[0])?.load(setup)) ?? [];
    const parsed = parse(argv);
    ({ flags } = parsed);
    if (parsed.matched) return await runMatched(argv, parsed.matched, flags, io, setup, parse);
    if (parsed.bare && (await wantsMenu(parsed, io, setup))) {
      const { menu } = await import('./menu.js');
      return await menu(argv, setup.settings(flags, io.environment), io, setup, run);
    }
  } catch (error) {
    const shown = error instanceof CommanderError ? refusal(error, argv, commands) : (swallowedGroup(error, argv) ?? error);
    const settings = standing(flags, io, setup);
    if (shown !== undefined) return report(withPlace(shown, flags, settings), argv, io, settings);
  }
  try {
    await io.stdout.write(help);
    return 0;
  } catch (error) {
    return report(error, argv, io);
  }
}
