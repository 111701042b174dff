import { pluralize, shortened } from '../domain/values/text.js';
import { StoreError } from '../domain/errors.js';
import { HintedError } from '../settings/hint.js';
import { isJson } from '../settings/output-format.js';
import type { GlobalFlags } from '../settings/setting-table.js';
import { argumentsMissing } from './arguments.js';
import { wordFlags } from './flags.js';
import { withBareJson } from './command-text.js';
import type { Matched } from './command.js';

/** The most characters of a word that a refusal repeats. */
export const longestWord = 100;

/** Refuses with `usage` a command line that lacks arguments. */
export function checkArguments({ command, args }: Matched): void {
  const left = Object.entries(command.arguments).slice(args.length);
  const missing = left.filter(([, { required }]) => required).map(([name]) => name);
  if (missing.length > 0) throw argumentsMissing(command, missing);
}

/** Refuses more arguments than a command takes with `usage`. */
function checkArgumentCount({ command, args }: Matched): void {
  const own = Object.values(command.arguments);
  if (args.length <= own.length || own.at(-1)?.repeated === true) return;
  const taken = own.length + wordFlags(command.flags).length;
  const expected = taken === 0 ? 'no argument' : `only ${pluralize(taken, 'argument')}`;
  const first = shortened(args[own.length] ?? '', longestWord);
  throw new HintedError('usage', `petstore ${command.path.join(' ')} takes ${expected}; "${first}" is one too many.`, {
    command: [...command.path, '--help'],
  });
}

/** The word that --json takes as its list of fields where it is a word of its own; it may be meant for the command. */
export function wordOfJson(argv: readonly string[], { json }: GlobalFlags): string | undefined {
  return typeof json === 'string' && argv.some((word, index) => word === '--json' && argv[index + 1] === json) ? json : undefined;
}

/** The refusal of a word that --json takes and that was meant for the command, with the correct command line. */
export function takenByJson(argv: readonly string[], word: string): StoreError {
  return new HintedError('usage', `--json takes a list of fields, not "${shortened(word, longestWord)}".`, { command: withBareJson(argv, word) });
}

/** Refuses `pet view --json 7` with `usage`. */
function checkJsonValue({ argv, command, args, globalFlags }: Matched): void {
  const word = wordOfJson(argv, globalFlags);
  if (word === undefined || word.includes(',') || command.fields.includes(word)) return;
  const own = Object.keys(command.arguments).length;
  // Further arguments of a repeated one are ids.
  if (own <= args.length && (own === 0 || !/^\d+$/.test(word))) return;
  throw takenByJson(argv, word);
}

/** Refuses --fields and a list of fields after --json with `unknown_field` for a command whose result has no fields. */
function checkFields({ command: { fields, path }, globalFlags: { fields: wanted, json } }: Matched): void {
  if (fields.length > 0 || (wanted === undefined && typeof json !== 'string')) return;
  throw new StoreError('unknown_field', `"${path.join(' ')}" has no fields to choose from.`, { advice: 'Leave the fields out; --json prints everything.' });
}

/** Refuses with `usage` a command, a format and fields that --jq cannot filter. */
function checkJq({ command: { path, writesText }, globalFlags: { format, fields, jq } }: Matched): void {
  if (jq === undefined) return;
  if (writesText) throw new StoreError('usage', `"${path.join(' ')}" writes no JSON that --jq could filter.`, { advice: 'Leave out --jq.' });
  if (format !== undefined && !isJson(format))
    throw new StoreError('usage', `--jq and --format ${shortened(format, longestWord)} exclude each other.`, {
      advice: 'Leave out --format: --jq filters JSON.',
    });
  if (fields !== undefined)
    throw new StoreError('usage', '--jq and --fields exclude each other.', { advice: 'Give the fields to --json, or choose them in the expression.' });
}

/** Refuses with `usage` a --format that --json contradicts, and two lists of fields. */
function checkFormat({ globalFlags: { format, fields, json } }: Matched): void {
  if (json === undefined) return;
  if (format !== undefined && format !== 'json')
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
