import { joinItems, pluralize, shortened } from '../domain/values/text.js';
import { StoreError } from '../domain/errors.js';
import { HintedError, type Hint } from '../settings/hint.js';
import { isJson } from '../settings/output-format.js';
import { argumentsMissing } from './arguments.js';
import type { Command } from './command.js';
import { wordFlags } from './flags.js';
import { flagWords, withBareJson, withFlags } from './command-text.js';
import { globalFlagEntries, ownFlagEntries } from './help/command-entries.js';
import type { Matched } from './parser.js';

const longestWord = 100;

/** The names of the required arguments that are missing. */
function missingArguments({ command, args }: Matched): readonly string[] {
  return Object.entries(command.arguments)
    .slice(args.length)
    .filter(([, { required }]) => required)
    .map(([name]) => name);
}

/** Refuses with `usage` a command line that lacks arguments. */
export function checkArguments(matched: Matched): void {
  const missing = missingArguments(matched);
  if (missing.length > 0) throw argumentsMissing(matched.command, missing);
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
function misplacedValues({ argv, command, flags }: Matched, words: readonly string[]): StoreError | undefined {
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
function checkArgumentCount(matched: Matched): void {
  const { command, args } = matched;
  const own = Object.values(command.arguments);
  if (args.length <= own.length || own.at(-1)?.repeated === true) return;
  const misplaced = misplacedValues(matched, args.slice(own.length));
  if (misplaced !== undefined) throw misplaced;
  const taken = own.length + wordFlags(command.flags).length;
  const expected = taken === 0 ? 'no argument' : `only ${pluralize(taken, 'argument')}`;
  const first = shortened(args[own.length] ?? '', longestWord);
  throw new HintedError('usage', `petstore ${command.path.join(' ')} takes ${expected}; "${first}" is one too many.`, {
    command: [...command.path, '--help'],
  });
}

/** The refusal of `pet view --json 7`, where the word after --json was meant for the command; its hint is the correct command line. */
function swallowedWord(argv: readonly string[]): StoreError | undefined {
  const index = argv.indexOf('--json');
  const value = argv[index + 1];
  if (index < 0 || value === undefined || value.startsWith('-')) return undefined;
  return new HintedError('usage', `--json takes a list of fields, not "${shortened(value, longestWord)}".`, { command: withBareJson(argv, [index]) });
}

/** Whether a command could take a word as one more argument; further arguments of a repeated one are ids. */
function canTake(word: string, { command, args }: Matched): boolean {
  const own = Object.values(command.arguments);
  return own.length > args.length || (own.at(-1)?.repeated === true && /^\d+$/.test(word));
}

/** Refuses a word after --json that was meant for the command with `usage`. */
function checkJsonValue(matched: Matched): void {
  const {
    argv,
    globalFlags: { json },
  } = matched;
  if (typeof json !== 'string' || json.split(',').every((field) => matched.command.fields.includes(field.trim()))) return;
  const refusal = canTake(json, matched) ? swallowedWord(argv) : undefined;
  if (refusal !== undefined && missingArguments(matched).length > 0) throw refusal;
  const isList = /[a-z]/i.test(json) && (json.includes(',') || argv.includes(`--json=${json}`));
  if (refusal !== undefined && !isList) throw refusal;
}

/** Refuses --fields and a list of fields after --json with `unknown_field` for a command whose result has no fields. */
function checkFields({ argv, command: { fields, path }, globalFlags: { fields: wanted, json } }: Matched): void {
  if (fields.length > 0 || (wanted === undefined && typeof json !== 'string')) return;
  const index = argv.indexOf('--json');
  const removed = index < 0 ? [argv.indexOf(`--json=${json}`)] : [index, index + 1];
  const hint: Hint = wanted === undefined ? { command: withBareJson(argv, removed) } : { advice: 'Leave out --fields; --json prints everything.' };
  throw new HintedError('unknown_field', `"${path.join(' ')}" has no fields to choose from.`, hint);
}

/** Refuses with `usage` a command, a format and fields that --jq cannot filter. */
function checkJq({ command: { path, savesFormat, writesText }, globalFlags: { format, fields, jq } }: Matched): void {
  if (jq === undefined) return;
  if (writesText) throw new StoreError('usage', `"${path.join(' ')}" writes no JSON that --jq could filter.`, { advice: 'Leave out --jq.' });
  if (format !== undefined && !isJson(format) && !savesFormat)
    throw new StoreError('usage', `--jq and --format ${shortened(format, longestWord)} exclude each other.`, {
      advice: 'Leave out --format: --jq filters JSON.',
    });
  if (fields !== undefined)
    throw new StoreError('usage', '--jq and --fields exclude each other.', { advice: 'Give the fields to --json, or choose them in the expression.' });
}

/** Refuses with `usage` a --format that --json contradicts, and two lists of fields; `profile add` saves its --format in the profile. */
function checkFormat({ command: { savesFormat }, globalFlags: { format, fields, json } }: Matched): void {
  if (json === undefined) return;
  if (format !== undefined && format !== 'json' && !savesFormat)
    throw new StoreError('usage', `--format ${shortened(format, longestWord)} and --json exclude each other.`, {
      advice: 'Give one of them; --fields chooses the columns of every format.',
    });
  if (fields !== undefined && json !== true)
    throw new StoreError('usage', '--fields and the fields of --json exclude each other.', { advice: 'Give one list of fields.' });
}

/** Refuses a command line that its command cannot take: too many arguments, and formats and fields that exclude each other or do not exist. */
export function checkLine(matched: Matched): void {
  for (const check of [checkArgumentCount, checkJq, checkFormat, checkJsonValue, checkFields]) check(matched);
}
