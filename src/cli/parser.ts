import { HintedError, type Hint } from '../settings/hint.js';
import { Command as Program, Option } from 'commander';
import { StoreError } from '../domain/errors.js';
import { didYouMean, nearest, question } from '../domain/values/suggest.js';
import { globalFlags, isWordOf } from './help/command-entries.js';
import { joinItems } from '../domain/values/text.js';
import { argumentUsage } from './arguments.js';
import type { Command } from './command.js';
import { flagSpelling } from './flags.js';
import { meantCommand } from './other-words.js';
import { groupNamed, groups, headings, subgroupSummary, type Group } from './command-groups.js';
import { commandBelow, commandHelp, programHelp, wordHelp, type HelpedSection } from './help/help-text.js';
import type { Setup } from './program-setup.js';
import type { GlobalFlags } from '../settings/settings.js';
import { chapterNamed, topicList, topicWords, type Guide } from './help/topics.js';

/** A command with the arguments and flags of a command line. */
export interface Matched {
  readonly command: Command;
  /** Can be more than the command takes; see `checkArgumentCount`. */
  readonly args: readonly string[];
  readonly flags: Readonly<Record<string, unknown>>;
  readonly globalFlags: GlobalFlags;
}

/** Where commander writes its help. */
interface HelpOutput {
  readonly write: (text: string) => void;
  /** The width of a line in cells. */
  readonly width: () => number;
}

/** The errors for wrong flags. */
export interface ParseRefusals {
  readonly unknownFlag: (text: string) => Error;
  /** For a flag as its help spells it: "--status <status>". */
  readonly missingValue: (flag: string) => Error;
}

/** A command line to parse. */
interface CommandLine {
  readonly argv: readonly string[];
  /** The commands of its group; empty if it names none. */
  readonly commands: readonly Command[];
  readonly refusals: ParseRefusals;
}

type OnMatch = (matched: Matched) => void;

/** Makes commander throw our refusals instead of its own messages, in a program and the commands added to it. */
function withRefusals(program: Program, refusals: ParseRefusals): Program {
  return Object.assign(program, {
    createCommand: (name?: string) => withRefusals(new Program(name), refusals),
    unknownOption: (text: string) => {
      const [word = '-'] = program.args;
      if (program.commands.length > 0 && !word.startsWith('-')) throw unknownCommand(program, word);
      throw refusals.unknownFlag(text);
    },
    optionMissingArgument: ({ flags }: Option) => {
      throw refusals.missingValue(flags);
    },
  });
}

/** The groups and commands to build: those that the first two words name, or all. Building fewer saves time. */
function selectCommands({ argv: [noun = '', verb = ''], commands }: CommandLine): {
  readonly selectedGroups: readonly Group[];
  readonly selected: readonly Command[];
} {
  const group = groupNamed(noun);
  if (group === undefined) return { selectedGroups: groups, selected: commands };
  const named = commands.filter((command) => isWordOf(command, 1, verb));
  return { selectedGroups: [group], selected: named.length > 0 ? named : commands };
}

/** A commander program for a command line; parsing it calls `onMatch` with the command, or writes help. */
export function buildProgram(setup: Pick<Setup, 'version' | 'guide'>, output: HelpOutput, commandLine: CommandLine, onMatch: OnMatch): Program {
  const program = withRefusals(new Program('petstore'), commandLine.refusals);
  program
    .exitOverride()
    // Our own refusals have suggestions.
    .showSuggestionAfterError(false)
    .configureOutput({
      writeOut: output.write,
      writeErr: () => undefined,
      outputError: () => undefined,
      // By default commander reads the streams of the process, and creating one takes longer than writing the help.
      getOutHelpWidth: output.width,
      getErrHelpWidth: output.width,
      getOutHasColors: () => false,
      getErrHasColors: () => false,
    })
    .helpOption('-h, --help', 'show help')
    .helpCommand(false)
    .version(setup.version, '-V, --version', 'show the version');
  helpOrSuggest(program);
  for (const flag of globalFlags) program.option(flagSpelling(flag));
  const { selectedGroups, selected } = selectCommands(commandLine);
  for (const group of selectedGroups) {
    addGroup(
      program,
      group,
      selected.filter(({ path }) => path[0] === group.name),
      onMatch,
    );
  }
  if (selectedGroups === groups) addHelp(program, setup.guide);
  return withHelp(program, (width) => programHelp('Run a pet shop from the command line.', sectionsOf(selectedGroups), width));
}

/** Gives a program our help text instead of that of commander. */
function withHelp(program: Program, text: (width: number) => string): Program {
  return program.configureHelp({ formatHelp: (_, { helpWidth = 80 }) => text(helpWidth) });
}

/** The groups by their headings, in the order of the headings; `help` is an entry of the last one. */
function sectionsOf(all: readonly Group[]): readonly HelpedSection[] {
  return headings.map((heading) => ({
    heading: `${heading}:`,
    entries: [
      ...all.filter((group) => group.heading === heading).map(({ name, summary }): readonly [string, string] => [name, summary]),
      ...(heading === headings.at(-1) ? [['help', 'show help for a command or a topic'] as const] : []),
    ],
  }));
}

function addGroup(program: Program, group: Group, commands: readonly Command[], onMatch: OnMatch): void {
  const { name, aliases, summary } = group;
  const [first] = commands;
  const isSingle = first !== undefined && first.path.length === 1;
  const words = [name, ...aliases].join('|');
  const entries = commands.map((command) => commandBelow(command, 1));
  const added = isSingle ? addCommand(program, first, onMatch) : withHelp(program.command(name), (width) => wordHelp({ words, summary, entries }, width));
  for (const alias of aliases) added.alias(alias);
  if (isSingle) return;
  helpOrSuggest(added);
  addVerbs(added, group, commands, onMatch);
}

function addHelp(program: Program, guide: Guide): void {
  const help = program.command('help [topic...]');
  help.action((words: readonly string[]) => {
    // Chapters are shown by program.ts.
    if (chapterNamed(guide, words) === undefined) helpFor(program, words, guide).outputHelp();
  });
}

/** Makes a group without further words show its help, and refuse an unknown word with a suggestion. */
function helpOrSuggest(group: Program): void {
  group.allowExcessArguments().action(() => {
    const [word] = group.args;
    if (word === undefined) return group.outputHelp();
    throw unknownCommand(group, word);
  });
}

const namesOf = (command: Program): readonly string[] => [command.name(), ...command.aliases()];

function unknownCommand(group: Program, word: string): StoreError {
  let path = [group.name()];
  for (let above = group.parent; above !== null; above = above.parent) path = [above.name(), ...path];
  const hint: Hint = { command: [...path.slice(1), '--help'] };
  const meant = group.parent === null ? meantCommand(word) : undefined;
  const suggestion = meant === undefined ? didYouMean(word, group.commands.flatMap(namesOf)) : question(meant.join(' '));
  const noun = groupNamed(group.name())?.commandNoun;
  if (noun !== undefined) {
    const names = joinItems(group.commands.map((command) => command.name()));
    return new HintedError('unknown_command', `There is no ${noun} "${word}"${suggestion === '.' ? `; there are ${names}.` : suggestion}`, hint);
  }
  return new HintedError('unknown_command', `"${word}" is not a command of ${path.join(' ')}${suggestion}`, {
    ...(meant === undefined ? hint : { command: [...meant, '--help'] }),
  });
}

/** The refusal of a word after `help` that names neither a command nor a topic, with the nearest one. */
function unknownHelp(program: Program, word: string, guide: Guide): StoreError {
  const meant = meantCommand(word)?.join(' ') ?? nearest(word, [...program.commands.flatMap(namesOf), ...topicWords(guide)]);
  return new HintedError('unknown_command', `"${word}" is neither a command nor a help topic${meant === undefined ? '.' : `; did you mean "${meant}"?`}`, {
    command: ['help', ...(meant ?? topicList).split(' ')],
  });
}

/** The program of the command that words name below a group. Refuses unknown words with `unknown_command`. */
function helpFor(group: Program, [word, ...others]: readonly string[], guide: Guide): Program {
  if (word === undefined) return group;
  const named = group.commands.find((command) => namesOf(command).includes(word));
  if (named === undefined && group.parent === null && chapterNamed(guide, [word]) !== undefined)
    throw new HintedError('usage', `"${word}" is a help topic and takes no further words.`, { command: ['help', word] });
  if (named === undefined) throw group.parent === null ? unknownHelp(group, word, guide) : unknownCommand(group, word);
  return helpFor(named, others, guide);
}

/** Adds the commands of a group; those of three words, such as `inventory batch list`, go below a subgroup. */
function addVerbs(program: Program, group: Group, commands: readonly Command[], onMatch: OnMatch): void {
  const subgroups = new Map<string, Program>();
  for (const command of commands) {
    const [, word = '', verb] = command.path;
    if (verb === undefined) {
      addCommand(program, command, onMatch);
      continue;
    }
    let subgroup = subgroups.get(word);
    if (subgroup === undefined) {
      const words = `${group.name} ${word}`;
      const entries = commands.filter(({ path }) => path[1] === word && path.length > 2).map((one) => commandBelow(one, 2));
      subgroup = withHelp(program.command(word), (width) => wordHelp({ words, summary: subgroupSummary(group, word), entries }, width));
      helpOrSuggest(subgroup);
      subgroups.set(word, subgroup);
    }
    addCommand(subgroup, command, onMatch);
  }
}

function rootOf(program: Program): Program {
  return program.parent === null ? program : rootOf(program.parent);
}

/** Null as the value of a flag, which removes a field: commander would turn it into an empty text. */
const removed = Symbol('removed');

function addCommand(parent: Program, command: Command, onMatch: OnMatch): Program {
  const name = command.path.at(-1) ?? '';
  const all = Object.entries(command.arguments);
  const verb = parent
    // Optional for commander: a missing argument is asked for, or refused by `checkArguments`.
    .command([name, ...all.map(([argument, one]) => argumentUsage(argument, { ...one, required: false }))].join(' '))
    .allowExcessArguments();
  for (const alias of command.aliases) verb.alias(alias);
  for (const [key, flag] of Object.entries(command.flags)) {
    const { read, repeated } = flag;
    const option = new Option(flagSpelling(flag));
    const long = `--${flag.long}`;
    option.argParser((text: string, previous: unknown) => {
      const value = read(text, long) ?? removed;
      return repeated && Array.isArray(previous) ? [...(previous as unknown[]), ...(value as unknown[])] : value;
    });
    option.attributeName = () => key;
    // Otherwise commander would set the flag of `--no-board` where it is not given.
    option.negate = false;
    verb.addOption(option);
  }
  verb.action(() => {
    const flags = Object.fromEntries(Object.entries<unknown>(verb.opts()).map(([key, value]) => [key, value === removed ? null : value]));
    return onMatch({ command, args: verb.args, flags, globalFlags: rootOf(verb).opts() });
  });
  return withHelp(verb, (width) => commandHelp(command, width));
}
