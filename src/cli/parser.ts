import { HintedError } from '../settings/hint.js';
import { Command as Program, Option } from 'commander';
import { StoreError } from '../domain/errors.js';
import { didYouMean } from '../domain/values/suggest.js';
import { globalFlags, isWordOf } from './help/command-entries.js';
import { argumentUsage } from './arguments.js';
import type { Command } from './command.js';
import { flagSpelling, flagSummary } from './flags.js';
import { groupNamed, groups, subgroupSummary, type Group } from './command-groups.js';
import type { Setup } from './program-setup.js';
import { chapterNamed, topicWords, type Guide } from './help/topics.js';

/** A command with what was typed for it. */
export interface Matched {
  readonly command: Command;
  /** May be more than the command takes: see `checkArgumentCount`. */
  readonly args: readonly string[];
  readonly flags: Readonly<Record<string, unknown>>;
}

/** Where help goes. */
interface Screen {
  readonly write: (text: string) => void;
  /** How many cells a line may take. */
  readonly width: () => number;
}

/** The errors to throw for a command line that does not fit its command. */
export interface ParseRefusals {
  readonly unknownFlag: (text: string) => Error;
  /** For a flag as its help spells it: "--status <status>". */
  readonly missingValue: (flag: string) => Error;
}

/** What is asked of the program: the words typed, and the commands of the group they name, if they name one. */
interface Asked {
  readonly argv: readonly string[];
  readonly commands: readonly Command[];
  readonly refusals: ParseRefusals;
}

/** Makes commander throw our refusals instead of its own messages, in a program and the commands added to it. */
function withRefusals(program: Program, refusals: ParseRefusals): Program {
  return Object.assign(program, {
    createCommand: (name?: string) => withRefusals(new Program(name), refusals),
    unknownOption: (text: string) => {
      throw refusals.unknownFlag(text);
    },
    optionMissingArgument: ({ flags }: Option) => {
      throw refusals.missingValue(flags);
    },
  });
}

/** The group and the commands that the first two words name, or all of them. Building fewer saves time. */
function narrowed({ argv: [noun = '', verb = ''], commands }: Asked): { readonly nouns: readonly Group[]; readonly own: readonly Command[] } {
  const group = groupNamed(noun);
  if (group === undefined) return { nouns: groups, own: commands };
  const meant = commands.filter((command) => isWordOf(command, 1, verb));
  return { nouns: [group], own: meant.length > 0 ? meant : commands };
}

/** A program of the commands that are asked for, whose verbs hand over what was typed. */
export function build(setup: Pick<Setup, 'version' | 'guide'>, screen: Screen, asked: Asked, take: (matched: Matched) => void): Program {
  const program = withRefusals(new Program('petstore'), asked.refusals);
  program
    .description('Run a pet shop from the command line.')
    .exitOverride()
    // One wording for every mistyped word: see the refusals of program.ts.
    .showSuggestionAfterError(false)
    .configureOutput({
      writeOut: screen.write,
      writeErr: () => undefined,
      outputError: () => undefined,
      // Commander would ask the streams of the process, and making one takes longer than to draw the help.
      getOutHelpWidth: screen.width,
      getErrHelpWidth: screen.width,
      getOutHasColors: () => false,
      getErrHasColors: () => false,
    })
    .configureHelp({ showGlobalOptions: true, styleTitle: (title) => title })
    .helpOption('-h, --help', 'show help')
    .helpCommand(false)
    .version(setup.version, '-V, --version', 'show the version');
  helpOrSuggest(program);
  for (const flag of globalFlags) program.option(flagSpelling(flag), flagSummary(flag));
  const { nouns, own } = narrowed(asked);
  for (const noun of nouns) {
    addGroup(
      program,
      noun,
      own.filter(({ path }) => path[0] === noun.name),
      take,
    );
  }
  if (nouns === groups) addHelp(program, setup.guide);
  return program;
}

function addGroup(program: Program, noun: Group, commands: readonly Command[], take: (matched: Matched) => void): void {
  const { name, aliases, summary, heading } = noun;
  const [only] = commands;
  const alone = only !== undefined && only.path.length === 1;
  const group = alone ? addCommand(program, only, take) : addVerbless(program, name, summary);
  group.summary(summary).helpGroup(heading);
  for (const alias of aliases) group.alias(alias);
  if (alone) return;
  helpOrSuggest(group);
  addVerbs(group, noun, commands, take);
}

/** Adds a word that others follow. */
function addVerbless(program: Program, name: string, summary: string): Program {
  return program
    .command(name)
    .summary(summary)
    .description(`${summary[0]?.toUpperCase()}${summary.slice(1)}.`)
    .usage('<command>')
    .configureHelp({ showGlobalOptions: false });
}

function addHelp(program: Program, guide: Guide): void {
  const help = program.command('help [topic...]').description('help for a command or a topic').helpGroup('Help:');
  help.action((words: readonly string[]) => {
    // program.ts shows chapters.
    if (chapterNamed(guide, words) === undefined) helpFor(program, words, guide).outputHelp();
  });
  program.addHelpText('after', () =>
    [
      `\nTopics of \`petstore help <topic>\`:\n${listed(guide.chapters())}`,
      '\nTo begin:\n  petstore init --sample      sets up a shop to look around in\n  petstore                    at a terminal, a menu of the common jobs',
      '\nAt a terminal commands ask for what they lack.',
    ].join('\n'),
  );
}

/** Names with commas between them, in lines of up to 78 characters. */
function listed(names: readonly string[]): string {
  const lines = [''];
  for (const name of names) {
    const next = `${lines.at(-1) ?? ''}${lines.at(-1) === '' ? '  ' : ', '}${name}`;
    if (next.length < 78) lines.splice(-1, 1, next);
    else lines.splice(-1, 1, `${lines.at(-1) ?? ''},`, `  ${name}`);
  }
  return lines.join('\n');
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

function unknownCommand(group: Program, word: string, others: readonly string[] = []): StoreError {
  let path = [group.name()];
  for (let above = group.parent; above !== null; above = above.parent) path = [above.name(), ...path];
  return new HintedError(
    'unknown_command',
    `"${word}" is not a command of ${path.join(' ')}${didYouMean(word, [...group.commands.flatMap(namesOf), ...others])}`,
    { command: [...path.slice(1), '--help'] },
  );
}

/** The command that words name, from a group on. */
function helpFor(group: Program, [word, ...others]: readonly string[], guide: Guide): Program {
  if (word === undefined) return group;
  const named = group.commands.find((command) => namesOf(command).includes(word));
  if (named === undefined && group.parent === null && chapterNamed(guide, [word]) !== undefined)
    throw new HintedError('usage', `"${word}" is a topic of its own, and no word follows it.`, { command: ['help', word] });
  if (named === undefined) throw unknownCommand(group, word, group.parent === null ? topicWords(guide) : []);
  return helpFor(named, others, guide);
}

/** Adds the commands of a group; those of three words, such as `inventory batch list`, go below a subgroup. */
function addVerbs(program: Program, group: Group, commands: readonly Command[], take: (matched: Matched) => void): void {
  const subgroups = new Map<string, Program>();
  for (const command of commands) {
    const [, word = '', verb] = command.path;
    if (verb === undefined) {
      addCommand(program, command, take);
      continue;
    }
    let subgroup = subgroups.get(word);
    if (subgroup === undefined) {
      subgroup = addVerbless(program, word, subgroupSummary(group, word));
      helpOrSuggest(subgroup);
      subgroups.set(word, subgroup);
    }
    addCommand(subgroup, command, take);
  }
}

function addCommand(parent: Program, command: Command, take: (matched: Matched) => void): Program {
  const name = command.path.at(-1) ?? '';
  const all = Object.entries(command.arguments);
  const verb = parent
    // Optional for commander: a missing argument is asked for, or refused by `checkArguments`.
    .command([name, ...all.map(([argument, one]) => argumentUsage(argument, { ...one, required: false }))].join(' '))
    .usage(['[options]', ...all.map(([argument, one]) => argumentUsage(argument, one))].join(' '))
    .allowExcessArguments()
    .configureHelp({ showGlobalOptions: true })
    .summary(command.summary)
    .description(`${command.summary[0]?.toUpperCase()}${command.summary.slice(1)}.`);
  for (const alias of command.aliases) verb.alias(alias);
  for (const [key, flag] of Object.entries(command.flags)) {
    const { read, repeated, choices } = flag;
    const option = new Option(flagSpelling(flag), choices ? `${flagSummary(flag)} (${choices.join(', ')})` : flagSummary(flag));
    const long = `--${flag.long}`;
    option.argParser((text: string, previous: unknown) => {
      const value = read(text, long);
      return repeated && Array.isArray(previous) ? [...(previous as unknown[]), ...(value as unknown[])] : value;
    });
    option.attributeName = () => key;
    verb.addOption(option);
  }
  if (command.fields.length > 0) verb.addHelpText('after', `\nFields for --fields and --json:\n  ${command.fields.join(', ')}`);
  if (command.figures) verb.addHelpText('after', `\nFigures:\n${command.figures.map((line) => `  ${line}`.trimEnd()).join('\n')}`);
  verb.addHelpText('after', `\nExamples:\n${command.examples.map((example) => `  ${example}\n`).join('')}`);
  verb.action(() => take({ command, args: verb.args, flags: verb.opts() }));
  return verb;
}
