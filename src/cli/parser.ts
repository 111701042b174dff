import { Command as Program, CommanderError, Option } from 'commander';
import { StoreError } from '../domain/errors.js';
import { didYouMean, nearest, question } from '../domain/values/suggest.js';
import { shortened } from '../domain/values/text.js';
import { HintedError } from '../settings/hint.js';
import type { GlobalFlags } from '../settings/setting-table.js';
import type { Command, Matched } from './command.js';
import { groupNamed, groups, headings, subgroupSummary, type Group } from './command-groups.js';
import { withBareJson } from './command-text.js';
import { flagSpelling, wordFlags, type FlagTexts } from './flags.js';
import { globalFlagUsages } from './help/command-entries.js';
import { commandBelow, commandHelp, programHelp, wordHelp, type HelpedSection } from './help/help-text.js';
import { chapterNamed, topicList, type Guide } from './help/topics.js';
import { meantCommand } from './other-words.js';
import type { Setup } from './program-setup.js';
import { longestWord, takenByJson, wordOfJson } from './usage-errors.js';

/** What a command line asks for: a command, a chapter of the guide, or the help text; or why it is refused. */
export type Request =
  | { readonly matched: Matched }
  | { readonly chapter: string }
  | { readonly refusal: unknown }
  /** `isEmpty` where it has no words besides flags. */
  | { readonly help: string; readonly isEmpty: boolean };

/** A command line with its global flags. */
interface ParsedLine {
  /** The line as commander reads it. */
  readonly argv: readonly string[];
  readonly request: Request;
  readonly globalFlags: GlobalFlags;
}

/** A program that throws our refusals instead of writing the messages of commander; so do the words added to it. */
function newProgram(name?: string): Program {
  const program = new Program(name);
  return Object.assign(program, {
    createCommand: newProgram,
    unknownOption: (text: string) => {
      const [word = '-'] = program.args;
      const isWord = program.commands.length > 0 && !word.startsWith('-');
      throw isWord ? unknownCommand(program, word) : unknownFlag(program, text);
    },
    optionMissingArgument: ({ flags }: Option) => {
      throw missingValue(flags, pathOf(program));
    },
  });
}

/** The words that lead to a program, without the name of the whole one. */
function pathOf(program: Program): readonly string[] {
  return program.parent === null ? [] : [...pathOf(program.parent), program.name()];
}

const rootOf = (program: Program): Program => (program.parent === null ? program : rootOf(program.parent));

const namesOf = (program: Program): readonly string[] => [program.name(), ...program.aliases()];

const below = (program: Program, word: unknown): Program | undefined =>
  typeof word === 'string' ? program.commands.find((one) => namesOf(one).includes(word)) : undefined;

function missingValue(flag: string, path: readonly string[]): StoreError {
  return new HintedError('usage', `The value of ${flag} is missing.`, { command: [...path, '--help'] });
}

/** The refusal of a flag that a command does not take, with the nearest one. */
function unknownFlag(program: Program, text: string): StoreError {
  const path = pathOf(program);
  const [flag = text] = text.split('=');
  const known = [...(path.length === 0 ? [] : program.options), ...rootOf(program).options].map(({ long }) => long ?? '');
  const names = flag.startsWith('--') ? [...known, '--help'] : [];
  const message = `"${shortened(flag, longestWord)}" is not a flag of ${['petstore', ...path].join(' ')}${question(nearest(flag, names))}`;
  return new HintedError('usage', message, { command: [...path, '--help'] });
}

function unknownCommand(group: Program, word: string): StoreError {
  const path = pathOf(group);
  const meant = meantCommand([...path, word].join(' '));
  const suggestion = meant === undefined ? didYouMean(word, group.commands.flatMap(namesOf)) : question(['petstore', ...meant].join(' '));
  const hint = { command: [...(meant ?? path), '--help'] };
  return new HintedError('unknown_command', `"${word}" is not a command of ${['petstore', ...path].join(' ')}${suggestion}`, hint);
}

/** Makes a word that is no command show its help, and refuse a further word with a suggestion. */
function helpOrSuggest(group: Program, argv: readonly string[]): Program {
  return group.allowExcessArguments().action(() => {
    const taken = wordOfJson(argv, rootOf(group).opts());
    if (taken !== undefined && below(group, taken) !== undefined) throw takenByJson(argv, taken);
    const word = group.args[0] ?? taken;
    if (word !== undefined) throw unknownCommand(group, word);
    group.outputHelp();
  });
}

function withHelp(program: Program, text: (width: number) => string): Program {
  return program.configureHelp({ formatHelp: (_, { helpWidth = 80 }) => text(helpWidth) });
}

/** The groups by their headings, in the order of the headings; `help` is an entry of the last one. */
function sections(): readonly HelpedSection[] {
  return headings.map((heading) => ({
    heading: `${heading}:`,
    entries: groups.filter((group) => group.heading === heading).map(({ name, summary }) => [name, summary]),
  }));
}

/** A line, and what takes its command with its arguments and flags. */
interface Line {
  readonly argv: readonly string[];
  readonly onMatch: (command: Command, args: readonly string[], flags: FlagTexts) => void;
}

/** The arguments and flags of a line: words behind the arguments are the values of the flags that take words. */
function withWords(command: Command, args: readonly string[], flags: FlagTexts): readonly [args: readonly string[], flags: FlagTexts] {
  const own = Object.keys(command.arguments).length;
  const takers = wordFlags(command.flags).filter(([name]) => flags[name] === undefined);
  const words = args.slice(own, own + takers.length);
  const taken = words.map((word, index) => [takers[index]?.[0] ?? '', takers[index]?.[1].repeated === true ? [word] : word] as const);
  return [args.toSpliced(own, words.length), { ...flags, ...Object.fromEntries(taken) }];
}

/** Adds the flags of a command to its program. It takes any number of arguments: a missing one is asked for. */
function addFlags(program: Program, command: Command, { onMatch }: Line): void {
  for (const [key, flag] of Object.entries(command.flags)) {
    const option = new Option(flagSpelling(flag));
    if (flag.repeated) option.argParser((text: string, before?: readonly string[]) => [...(before ?? []), text]);
    option.attributeName = () => key;
    // Otherwise commander would set the flag of `--no-board` where it is not given.
    option.negate = false;
    program.addOption(option);
  }
  program.allowExcessArguments().action(() => onMatch(command, ...withWords(command, program.args, program.opts())));
}

/** Adds the words below one, such as `list` below `pet`. A command gets its flags when it is named: that saves time. */
function addWords(parent: Program, group: Group, commands: readonly Command[], line: Line): void {
  const depth = pathOf(parent).length;
  const named = new Map<Program, Command>();
  for (const word of new Set(commands.map(({ path }) => path[depth] ?? ''))) {
    const those = commands.filter(({ path }) => path[depth] === word);
    const program = parent.command(word);
    const command = those.find(({ path }) => path.length === depth + 1);
    if (command === undefined) addWords(program, group, those, line);
    else named.set(withHelp(program, (width) => commandHelp(command, width)).aliases([...command.aliases]), command);
  }
  parent.hook('preSubcommand', (_, program) => {
    const command = named.get(program);
    if (command !== undefined) addFlags(program, command, line);
  });
  const words = [...pathOf(parent).slice(0, -1), namesOf(parent).join('|')].join(' ');
  const summary = depth === 1 ? group.summary : subgroupSummary(group, parent.name());
  const entries = commands.map((command) => commandBelow(command, depth));
  helpOrSuggest(
    withHelp(parent, (width) => wordHelp({ words, summary, entries }, width)),
    line.argv,
  );
}

/** Loads the commands of a first word and adds them to its program. */
async function addGroup(program: Program, line: Line): Promise<void> {
  const group = groupNamed(program.name());
  const commands = (await group?.load()) ?? [];
  const [command] = commands;
  if (group === undefined || command === undefined) return;
  if (command.path.length > 1) return addWords(program, group, commands, line);
  addFlags(
    withHelp(program, (width) => commandHelp(command, width)),
    command,
    line,
  );
}

/** The program that words after `help` name. Refuses unknown words with `unknown_command`. */
async function helpedProgram(root: Program, words: readonly string[], guide: Guide, load: (program: Program) => Promise<void>): Promise<Program> {
  let program = root;
  for (const word of words) {
    const named = below(program, word);
    if (named === undefined) throw program === root ? unknownHelp(root, word, guide) : unknownCommand(program, word);
    if (program === root) await load(named);
    program = named;
  }
  return program;
}

/** The refusal of a word after `help` that names neither a command nor a topic, with the nearest one. */
function unknownHelp(root: Program, word: string, guide: Guide): StoreError {
  const meant = meantCommand(word)?.join(' ') ?? nearest(word, [...root.commands.flatMap(namesOf), topicList, ...guide.chapters()]);
  return new HintedError('unknown_command', `"${word}" is neither a command nor a help topic${question(meant)}`, {
    command: ['help', ...(meant ?? topicList).split(' ')],
  });
}

const isFirstWord = (word: string | undefined): boolean => word === 'help' || groupNamed(word) !== undefined;

/**
 * The line as commander reads it: without a `--` before the command, which package managers pass on, as in `pnpm petstore -- pet list`;
 * and a `--json` before the command at the end, where it does not take the command as its list of fields.
 */
function readable(typed: readonly string[]): readonly string[] {
  const mark = typed.indexOf('--');
  const argv = mark >= 0 && typed.slice(0, mark).every((word) => word.startsWith('-')) ? typed.toSpliced(mark, 1) : typed;
  const json = argv.findIndex((word, index) => word === '--json' && isFirstWord(argv[index + 1]));
  return json < 0 || argv.slice(0, json).some(isFirstWord) ? argv : withBareJson(argv, argv[json + 1]);
}

/** A program with the first words, which writes its help to `write`. */
function rootProgram(argv: readonly string[], version: string, width: () => number, write: (text: string) => void): Program {
  const root = newProgram('petstore')
    .exitOverride()
    .configureOutput({
      writeOut: write,
      writeErr: () => undefined,
      outputError: () => undefined,
      // By default commander reads the streams of the process, and creating one takes longer than writing the help.
      getOutHelpWidth: width,
      getErrHelpWidth: width,
      getOutHasColors: () => false,
      getErrHasColors: () => false,
    })
    .helpOption('-h, --help', 'show help')
    .helpCommand(false)
    .version(version, '-V, --version', 'show the version');
  for (const flag of globalFlagUsages) root.option(flagSpelling(flag));
  for (const { name, aliases } of groups) root.command(name).aliases([...aliases]);
  return helpOrSuggest(
    withHelp(root, (columns) => programHelp('Run a pet shop from the command line.', sections(), columns)),
    argv,
  );
}

/** Parses a command line; `width` is that of the help. */
export async function parseLine(typed: readonly string[], { version, guide }: Pick<Setup, 'version' | 'guide'>, width: () => number): Promise<ParsedLine> {
  const argv = readable(typed);
  let help = '';
  let missing: string | undefined;
  let request: Request | undefined;
  const root = rootProgram(argv, version, width, (text) => (help += text));
  const load = (program: Program): Promise<void> =>
    addGroup(program, { argv, onMatch: (command, args, flags) => (request = { matched: { argv, command, args, flags, globalFlags: root.opts() } }) });
  root.hook('preSubcommand', (_, program) => load(program));
  // Who looks for the guide by its name finds its chapters.
  const helping = root.command('help').alias('guide').allowExcessArguments();
  helping.action(async () => {
    const words = root.args.length === 1 && root.args[0] === 'guide' ? [topicList] : helping.args;
    const chapter = chapterNamed(guide, words);
    if (chapter === undefined) (await helpedProgram(root, words, guide, load)).outputHelp();
    else request = { chapter };
  });
  // Refused at the end, when the command is known.
  Object.assign(root, { optionMissingArgument: ({ flags }: Option) => (missing = flags) });
  try {
    await root.parseAsync(argv, { from: 'user' });
  } catch (error) {
    // Commander throws an error with exit code 0 after it wrote help or the version.
    const isHelp = error instanceof CommanderError && error.exitCode === 0;
    return { argv, request: isHelp ? { help, isEmpty: false } : { refusal: error }, globalFlags: root.opts() };
  }
  if (missing !== undefined) request = { refusal: missingValue(missing, request !== undefined && 'matched' in request ? request.matched.command.path : []) };
  return { argv, request: request ?? { help, isEmpty: root.args.length === 0 }, globalFlags: root.opts() };
}
