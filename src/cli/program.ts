import { Command as Program, CommanderError, Option } from 'commander';
import { StoreError } from '../domain/errors.js';
import { nearest } from '../formats/suggest.js';
import type { Shop } from '../domain/shop.js';
import { readSettings, type GlobalFlags, type Settings } from '../settings.js';
import type { Command, Context } from './command.js';
import type { Io } from './io.js';
import { isColoured, paintFor, plain } from './paint.js';
import { report } from './report.js';
import { sanitiseCell } from './sanitise.js';

/** Opens the shop that the settings name. */
export type OpenShop = (settings: Settings) => Promise<Shop>;

/** What stays outside the domain layer: making shops. */
export interface Setup {
  readonly open: OpenShop;
  readonly init: (settings: Settings, sample: boolean) => Promise<{ readonly created: boolean; readonly filled: boolean }>;
  readonly version: string;
}

interface Group {
  readonly name: string;
  readonly aliases: readonly string[];
  readonly summary: string;
  readonly heading: string;
  readonly load: (setup: Setup) => Promise<readonly Command[]>;
}

const records = 'Records:';
const shopHeading = 'The shop:';

/** The groups of commands; only the one that is asked for is loaded. */
export const groups: readonly Group[] = [
  { name: 'pet', aliases: ['pets'], summary: 'the animals', heading: records, load: async () => (await import('./commands/pets.js')).petCommands },
  {
    name: 'category',
    aliases: ['categories'],
    summary: 'the kinds of animals',
    heading: records,
    load: async () => (await import('./commands/categories.js')).categoryCommands,
  },
  {
    name: 'order',
    aliases: ['orders'],
    summary: 'what customers ordered',
    heading: records,
    load: async () => (await import('./commands/orders.js')).orderCommands,
  },
  {
    name: 'inventory',
    aliases: [],
    summary: 'how many of each are on hand',
    heading: records,
    load: async () => (await import('./commands/inventory.js')).inventoryCommands,
  },
  {
    name: 'log',
    aliases: [],
    summary: 'what happened, when and by whom',
    heading: shopHeading,
    load: async () => (await import('./commands/log.js')).logCommands,
  },
  {
    name: 'status',
    aliases: [],
    summary: 'the figures of the whole shop',
    heading: shopHeading,
    load: async () => (await import('./commands/status.js')).statusCommands,
  },
  {
    name: 'init',
    aliases: [],
    summary: 'set up a shop',
    heading: shopHeading,
    load: async (setup) => (await import('./commands/init.js')).initCommands(setup.init),
  },
];

const nestedSummaries: Readonly<Record<string, string>> = { batch: 'the bulk imports so far' };

const verbAliases: Readonly<Record<string, string>> = { list: 'ls', view: 'show', delete: 'rm' };

const globalOptions = (): readonly Option[] => [
  new Option('--store <where>', 'the file the shop lives in').env('PETSTORE_STORE'),
  new Option('--format <format>', 'table, tsv, csv, json, ndjson, ids or count').env('PETSTORE_FORMAT'),
  new Option('--fields <a,b>', 'the columns to show, in this order'),
  new Option('--json [a,b]', 'the same as --format json [--fields a,b]'),
  new Option('--actor <name>', 'who the ledger names (default: the login name)').env('PETSTORE_ACTOR'),
  new Option('-q, --quiet', 'no notes or progress; errors stay'),
  new Option('--color <when>', 'auto, always or never'),
  new Option('--no-color', 'no colour'),
  new Option('--no-input', 'never ask a question'),
  new Option('--wait <seconds>', 'how long to wait for a locked store (default: 5)'),
  new Option('--debug', 'timings and stack traces on standard error'),
];

interface Matched {
  readonly command: Command;
  readonly args: readonly string[];
  readonly flags: Readonly<Record<string, unknown>>;
}

/** A program of one group (or none yet) whose verbs hand over what was typed. */
export function build(setup: Pick<Setup, 'version'>, write: (text: string) => void, commands: readonly Command[], take: (matched: Matched) => void): Program {
  const program = new Program('petstore');
  program
    .description('Run a pet shop from the command line.')
    .exitOverride()
    .configureOutput({ writeOut: write, writeErr: () => undefined, outputError: () => undefined })
    .configureHelp({ showGlobalOptions: true, styleTitle: (title) => title })
    .helpOption('-h, --help', 'show help')
    .helpCommand(false)
    .version(setup.version, '-V, --version', 'show the version');
  helpOrSuggest(program);
  for (const option of globalOptions()) {
    // The settings read the environment; commander only shows the names of the variables.
    const shown = new Option(option.flags, `${option.description}${option.envVar === undefined ? '' : ` (${option.envVar})`}`);
    program.addOption(shown);
  }
  for (const { name, aliases, summary, heading } of groups) {
    const own = commands.filter(({ words }) => words.split(' ')[0] === name);
    const [only] = own;
    const alone =
      only !== undefined &&
      only.words
        .split(' ')
        .slice(1)
        .every((word) => /^[[<]/.test(word));
    const group = alone
      ? addCommand(program, only, take)
      : program
          .command(name)
          .summary(summary)
          .description(`${summary[0]?.toUpperCase()}${summary.slice(1)}.`)
          .usage('<command>')
          .configureHelp({ showGlobalOptions: false });
    group.summary(summary).helpGroup(heading);
    for (const alias of aliases) group.alias(alias);
    if (alone) continue;
    helpOrSuggest(group);
    addVerbs(group, own, 1, take);
  }
  const help = program.command('help [topic...]').description('help for a command or a topic');
  help.action((words: readonly string[]) => helpFor(program, words).outputHelp());
  program.addHelpText('after', '\nTopics for `petstore help <topic>`: formatting, scripting, import, exit-codes, environment, stores.');
  return program;
}

/** A group on its own shows its help; with a word it does not know it names the nearest one. */
function helpOrSuggest(group: Program): void {
  group.allowExcessArguments().action(() => {
    const [word] = group.args;
    if (word === undefined) return group.outputHelp();
    throw unknownCommand(group, word);
  });
}

const namesOf = (command: Program): readonly string[] => [command.name(), ...command.aliases()];

function unknownCommand(group: Program, word: string): StoreError {
  let path = group.name();
  for (let above = group.parent; above !== null; above = above.parent) path = `${above.name()} ${path}`;
  const close = nearest(word, group.commands.flatMap(namesOf));
  return new StoreError(
    'unknown_command',
    `"${word}" is not a command of ${path}${close === undefined ? '.' : `; did you mean "${close}"?`}`,
    `${path} --help`,
  );
}

/** The command that words name, from a group on. */
function helpFor(group: Program, [word, ...others]: readonly string[]): Program {
  if (word === undefined) return group;
  const named = group.commands.find((command) => namesOf(command).includes(word));
  if (named === undefined) throw unknownCommand(group, word);
  return helpFor(named, others);
}

/** Adds the verbs below a group; verbs of two words (`batch list`) get a group of their own. */
function addVerbs(group: Program, commands: readonly Command[], depth: number, take: (matched: Matched) => void): void {
  const nested = new Map<string, Program>();
  for (const command of commands) {
    const words = command.words.split(' ');
    const [verb = '', next = ''] = words.slice(depth);
    if (next === '' || /^[[<]/.test(next)) {
      addCommand(group, command, take, depth);
      continue;
    }
    if (!nested.has(verb)) {
      const summary = nestedSummaries[verb] ?? '';
      const inner = group
        .command(verb)
        .summary(summary)
        .description(`${summary[0]?.toUpperCase()}${summary.slice(1)}.`)
        .usage('<command>')
        .configureHelp({ showGlobalOptions: false });
      helpOrSuggest(inner);
      nested.set(verb, inner);
      addVerbs(
        inner,
        commands.filter((one) => one.words.split(' ')[depth] === verb),
        depth + 1,
        take,
      );
    }
  }
}

function addCommand(parent: Program, command: Command, take: (matched: Matched) => void, depth = 0): Program {
  const words = command.words.split(' ').slice(depth);
  const [name = ''] = words;
  const verb = parent
    .command(words.join(' '))
    .allowExcessArguments(false)
    .configureHelp({ showGlobalOptions: true })
    .summary(command.summary)
    .description(`${command.summary[0]?.toUpperCase()}${command.summary.slice(1)}.`);
  const alias = verbAliases[name];
  if (depth > 0 && alias !== undefined) verb.alias(alias);
  for (const [key, { spelling, summary, read, repeated, choices }] of Object.entries(command.flags)) {
    const option = new Option(spelling, choices ? `${summary} (${choices.join(', ')})` : summary);
    const long = option.long ?? spelling;
    option.argParser((text: string, previous: unknown) => {
      const value = read(text, long);
      return repeated && Array.isArray(previous) ? [...(previous as unknown[]), ...(value as unknown[])] : value;
    });
    option.attributeName = () => key;
    verb.addOption(option);
  }
  if (command.fields.length > 0) verb.addHelpText('after', `\nFields for --fields and --json:\n  ${command.fields.join(', ')}`);
  verb.addHelpText('after', `\nExamples:\n${command.examples.map((example) => `  ${example}\n`).join('')}`);
  // Commander hands over the positional arguments, then the flags, then itself.
  verb.action((...given: unknown[]) => {
    const positional = given
      .slice(0, -2)
      .flat()
      .filter((value): value is string => typeof value === 'string');
    take({ command, args: positional, flags: verb.opts() });
  });
  return verb;
}

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
  const repaired = error.code === 'commander.missingArgument' ? swallowed(argv) : undefined;
  if (repaired !== undefined) return repaired;
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

function checkJsonValue(argv: readonly string[], { command }: Matched, flags: GlobalFlags): void {
  const { json } = flags;
  if (typeof json !== 'string' || json.split(',').every((field) => command.fields.includes(field.trim()))) return;
  const repaired = swallowed(argv);
  const isList = /[a-z]/i.test(json) && (json.includes(',') || argv.includes(`--json=${json}`));
  if (repaired !== undefined && !isList) throw repaired;
}

async function contextOf(settings: Settings, io: Io, open: OpenShop): Promise<{ readonly context: Context; readonly close: () => Promise<void> }> {
  let shop: Promise<Shop> | undefined;
  const paint = isColoured(io.stdout, settings.colour, io.environment) ? await paintFor(true) : plain;
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
  const settings = readSettings(flags, io.environment);
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
    if (argv[0] === 'help' && argv.length > 1) {
      const { topic } = await import('./help.js');
      const text = topic(argv.slice(1).join(' '));
      if (text !== undefined) {
        await io.stdout.write(text);
        return 0;
      }
    }
    commands = (await groupOf(argv)?.load(setup)) ?? [];
    const program = build(
      setup,
      (text) => (help += text),
      commands,
      (found) => (matched = found),
    );
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
