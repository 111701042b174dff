import { HintedError, type Hint } from '../settings/hint.js';
import { StoreError } from '../domain/errors.js';
import { isJson } from '../settings/output-format.js';
import { joinItems, pluralize, shortened } from '../domain/values/text.js';
import { nearest, question } from '../domain/values/suggest.js';
import type { GlobalFlags } from '../settings/settings.js';
import { missingArguments } from './prompts/ask-missing.js';
import { commandNamed, globalFlagEntries, ownFlagEntries } from './help/command-entries.js';
import type { Command } from './command.js';
import { flagWords, withFlags } from './command-text.js';
import { groupNamed } from './command-groups.js';
import type { WordOrder } from './word-order.js';
import type { Matched, ParseRefusals } from './parser.js';

const longestWord = 100;

/** A word of the command line for a message. */
function excerpt(word: string): string {
  return shortened(word, longestWord);
}

/** The refusals of a command line that does not fit its command; the hint is the help of the command. */
export function parseRefusals({ argv, path }: WordOrder, commands: readonly Command[]): ParseRefusals {
  const help: Hint = { command: [...path, '--help'] };
  return {
    unknownFlag: (text) => {
      const [flag = text, value = argv[argv.indexOf(text) + 1]] = text.split('=');
      return unknownFlag(flag, value, path, commands);
    },
    missingValue: (flag) => new HintedError('usage', `The value of ${flag} is missing.`, help),
  };
}

/** A command line without these words, which are arguments and not the values of flags. */
function withoutArguments(argv: readonly string[], words: readonly string[], command: Command): readonly string[] {
  const takesValue = new Set(
    [...ownFlagEntries(command), ...globalFlagEntries()].flatMap(({ name, short, value }) => (value === undefined ? [] : [name, short])),
  );
  const removed = [...words];
  return argv.filter((word, index) => word !== removed[0] || takesValue.has(argv[index - 1]) || removed.shift() === undefined);
}

/** The refusal of arguments that are meant as the values of flags; undefined where there are fewer such flags. */
function misplacedValues({ command, flags }: Matched, argv: readonly string[], words: readonly string[]): StoreError | undefined {
  const missing = Object.entries(command.flags).flatMap(([name, { long, value = long, required, isMeantBy }]) =>
    (required ?? isMeantBy) === undefined || flags[name] !== undefined ? [] : [{ long, noun: value === 'n' ? long : value, required, isMeantBy }],
  );
  if (words.length > missing.length || words.some((word, index) => missing[index]?.isMeantBy?.(word) === false)) return undefined;
  const meant = missing.slice(0, words.length).map(({ long, noun }) => `the ${noun} with --${long}`);
  const added = missing.flatMap(({ long, required }, index) => {
    const word = words[index] ?? required?.example;
    return word === undefined ? [] : flagWords(long, word);
  });
  return new HintedError('usage', `Give ${joinItems(meant)}.`, { command: withFlags(withoutArguments(argv, words, command), added) });
}

/** Refuses more arguments than a command takes with `usage`. */
export function checkArgumentCount(matched: Matched, { argv, path }: WordOrder): void {
  const { command, args } = matched;
  const own = Object.values(command.arguments);
  if (args.length <= own.length || own.at(-1)?.repeated === true) return;
  const misplaced = misplacedValues(matched, argv, args.slice(own.length));
  if (misplaced !== undefined) throw misplaced;
  const expected = own.length === 0 ? 'no argument' : `only ${pluralize(own.length, 'argument')}`;
  const first = excerpt(args[own.length] ?? '');
  throw new HintedError('usage', `petstore ${command.path.join(' ')} takes ${expected}; "${first}" is one too many.`, {
    command: [...path, '--help'],
  });
}

/** Flags that mean the same in other commands. */
const sameMeaning: Readonly<Record<string, string>> = { '--from': '--since', '--since': '--from', '--to': '--until', '--until': '--to' };

/** The refusal of a flag that a command does not take, with the one that is probably meant: --complete by `--status complete`. */
function unknownFlag(flag: string, value: string | undefined, path: readonly string[], commands: readonly Command[]): StoreError {
  const command = commandNamed(commands, path);
  const words = command?.path ?? (groupNamed(path[0]) === undefined ? [] : path);
  const own = (command ? ownFlagEntries(command) : []).map(({ name }) => name);
  const names = [...own, ...globalFlagEntries().map(({ name }) => name)].filter((name) => name !== flag);
  const meant = [sameMeaning[flag], `--${value}`].find((name) => name !== undefined && own.includes(name));
  const suggestion = question(meant ?? nearest(flag, flag.startsWith('--') ? names : []));
  return new HintedError('usage', `"${excerpt(flag)}" is not a flag of ${['petstore', ...words].join(' ')}${suggestion}`, { command: [...words, '--help'] });
}

/** The command line without the words at some indexes, and with --json where no word follows that it could take as its value. */
function withBareJson(argv: readonly string[], removed: readonly number[]): readonly string[] {
  const words = argv.filter((_, index) => !removed.includes(index));
  const end = words.includes('--') ? words.indexOf('--') : words.length;
  return [...words.slice(0, end), '--json', ...words.slice(end)];
}

/** The refusal of `pet view --json 7`, where the word after --json was meant for the command; its hint is the correct command line. */
function swallowedWord(argv: readonly string[]): StoreError | undefined {
  const index = argv.indexOf('--json');
  const value = argv[index + 1];
  if (index < 0 || value === undefined || value.startsWith('-')) return undefined;
  return new HintedError('usage', `--json takes a list of fields, not "${excerpt(value)}".`, { command: withBareJson(argv, [index]) });
}

/** Whether a command could take a word as one more argument; further arguments of a repeated one are ids. */
function canTake(word: string, { command, args }: Matched): boolean {
  const own = Object.values(command.arguments);
  return own.length > args.length || (own.at(-1)?.repeated === true && /^\d+$/.test(word));
}

/** Refuses a word after --json that was meant for the command with `usage`. */
export function checkJsonValue(argv: readonly string[], matched: Matched, flags: GlobalFlags): void {
  const { json } = flags;
  if (typeof json !== 'string' || json.split(',').every((field) => matched.command.fields.includes(field.trim()))) return;
  const refusal = canTake(json, matched) ? swallowedWord(argv) : undefined;
  if (refusal !== undefined && missingArguments(matched).length > 0) throw refusal;
  const isList = /[a-z]/i.test(json) && (json.includes(',') || argv.includes(`--json=${json}`));
  if (refusal !== undefined && !isList) throw refusal;
}

/** Refuses --fields and a list of fields after --json with `unknown_field` for a command whose result has no fields. */
export function checkFields(argv: readonly string[], { fields, path }: Command, { fields: wanted, json }: GlobalFlags): void {
  if (fields.length > 0 || (wanted === undefined && typeof json !== 'string')) return;
  const index = argv.indexOf('--json');
  const removed = index < 0 ? [argv.indexOf(`--json=${json}`)] : [index, index + 1];
  const hint: Hint = wanted === undefined ? { command: withBareJson(argv, removed) } : { advice: 'Leave out --fields; --json prints everything.' };
  throw new HintedError('unknown_field', `"${path.join(' ')}" has no fields to choose from.`, hint);
}

/** Refuses with `usage` a command, a format and fields that --jq cannot filter. */
export function checkJq({ path, savesFormat, writesText }: Command, { format, fields, jq }: GlobalFlags): void {
  if (jq === undefined) return;
  if (writesText) throw new StoreError('usage', `"${path.join(' ')}" writes no JSON that --jq could filter.`, { advice: 'Leave out --jq.' });
  if (format !== undefined && !isJson(format) && !savesFormat)
    throw new StoreError('usage', `--jq and --format ${excerpt(format)} exclude each other.`, { advice: 'Leave out --format: --jq filters JSON.' });
  if (fields !== undefined)
    throw new StoreError('usage', '--jq and --fields exclude each other.', { advice: 'Give the fields to --json, or choose them in the expression.' });
}

/** Refuses with `usage` a --format that --json contradicts, and two lists of fields; `profile add` saves its --format in the profile. */
export function checkFormat({ savesFormat }: Command, { format, fields, json }: GlobalFlags): void {
  if (json === undefined) return;
  if (format !== undefined && format !== 'json' && !savesFormat)
    throw new StoreError('usage', `--format ${excerpt(format)} and --json exclude each other.`, {
      advice: 'Give one of them; --fields chooses the columns of every format.',
    });
  if (fields !== undefined && json !== true)
    throw new StoreError('usage', '--fields and the fields of --json exclude each other.', { advice: 'Give one list of fields.' });
}
