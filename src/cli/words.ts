import { Command as Program, Option } from 'commander';
import { StoreError } from '../domain/errors.js';
import { nearest } from '../formats/suggest.js';
import type { Command } from './command.js';
import { groups, type Setup } from './groups.js';

const nestedSummaries: Readonly<Record<string, string>> = { batch: 'the bulk imports so far' };

const verbAliases: Readonly<Record<string, string>> = { list: 'ls', view: 'show', delete: 'rm' };

const globalOptions = (): readonly Option[] => [
  new Option('--store <where>', 'the file or the server the shop lives in').env('PETSTORE_STORE'),
  new Option('--format <format>', 'table, tsv, csv, json, ndjson, ids or count').env('PETSTORE_FORMAT'),
  new Option('--fields <a,b>', 'the columns to show, in this order'),
  new Option('--json [a,b]', 'the same as --format json [--fields a,b]'),
  new Option('--actor <name>', 'who the ledger names (default: the login name)').env('PETSTORE_ACTOR'),
  new Option('-q, --quiet', 'no notes or progress; errors stay'),
  new Option('--color <when>', 'auto, always or never'),
  new Option('--no-color', 'no colour'),
  new Option('--no-input', 'never ask a question'),
  new Option('--wait <seconds>', 'how long to wait for a locked store (default: 5)'),
  new Option('--insecure', 'send the token to another machine over plain http'),
  new Option('--debug', 'timings and stack traces on standard error'),
];

/** A command with what was typed for it. */
export interface Matched {
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
