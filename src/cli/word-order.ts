import { HintedError } from '../settings/hint.js';
import { globalFlagEntries, isWordOf } from './help/command-entries.js';
import type { Command } from './command.js';
import { groupNamed } from './command-groups.js';

/** The words of a command line with those that name the command in front. */
export interface WordOrder {
  readonly argv: readonly string[];
  /** The words of the command, such as "pet" and "view"; empty where none was found. */
  readonly path: readonly string[];
}

const flags = globalFlagEntries();
const spellings = (wanted: (value: string | undefined) => boolean): ReadonlySet<string> =>
  new Set(flags.filter(({ value }) => wanted(value)).flatMap(({ name, short }) => (short === undefined ? [name] : [name, short])));

/** The flags of every command that stand alone, and those whose value is a word of its own. */
const toggles = spellings((value) => value === undefined);
const valueFlags = new Set([...spellings((value) => value !== undefined)].filter((name) => name !== '--json'));

/** The words that name commands. */
interface Vocabulary {
  /** Whether a word goes on with the words of a command. */
  readonly follows: (path: readonly string[], word: string) => boolean;
  /** Whether the words name a command already. */
  readonly isWhole: (path: readonly string[]) => boolean;
}

const help = 'help';
const longestPath = 4;

function begins(command: Command, words: readonly string[]): boolean {
  return words.every((word, index) => index === 0 || isWordOf(command, index, word));
}

/** The words of a group; without its commands only the name of the group is known. */
function vocabularyOf(commands: readonly Command[]): Vocabulary {
  return {
    follows: (path, word) => {
      if (path.length === 0) return word === help || groupNamed(word) !== undefined;
      if (path[0] === help) return path.length < longestPath;
      return commands.some((command) => begins(command, [...path, word]));
    },
    isWhole: (path) =>
      path.length > 0 &&
      path[0] !== help &&
      (commands.length === 0 || commands.some((command) => command.path.length === path.length && begins(command, path))),
  };
}

interface Found {
  readonly path: readonly number[];
  /** The places of `--json` without a value of its own. */
  readonly bareJson: readonly number[];
  /** A flag whose value is the name of a command. */
  readonly taken: { readonly flag: string; readonly value: string } | undefined;
}

/** Finds the words of the command among the flags and their values. */
function commandWords(argv: readonly string[], { follows, isWhole }: Vocabulary): Found {
  const path: number[] = [];
  const bareJson: number[] = [];
  let taken: Found['taken'];
  let words: readonly string[] = [];
  const isNext = (index: number): boolean => argv[index] !== undefined && follows(words, argv[index]);
  // Looked up once for each word of the command, so that the time grows with the length of the line only.
  let lastNext = argv.findLastIndex((_, index) => isNext(index));
  // What follows a flag that not every command takes may be its value.
  let mayBeValue = false;
  for (let index = 0; index < argv.length && !isWhole(words); index += 1) {
    const word = argv[index] ?? '';
    const next = argv[index + 1];
    const isFlag = word.startsWith('-') && word !== '-';
    if (word === '--json') {
      // Its value is a list of fields with the command behind it; any other word was meant for the command.
      if (next !== undefined && !next.startsWith('-') && !isNext(index + 1) && lastNext > index + 1) index += 1;
      else bareJson.push(index);
    } else if (valueFlags.has(word)) {
      if (next !== undefined && isNext(index + 1)) taken ??= { flag: word, value: next };
      index += 1;
    } else if (!isFlag && isNext(index)) {
      path.push(index);
      words = [...words, word];
      lastNext = argv.findLastIndex((_, other) => other > index && isNext(other));
    } else if (!isFlag && !mayBeValue) {
      break;
    }
    mayBeValue = isFlag && word !== '--json' && !valueFlags.has(word) && !toggles.has(word) && !word.includes('=');
  }
  return { path, bareJson, taken };
}

/** The name of the group that a command line means, or asks help for, wherever its flags stand. */
export function groupIn(argv: readonly string[]): string | undefined {
  const [name, topic] = commandFirst(argv, []).path;
  return name === help ? topic : name;
}

function moveCommandFirst(argv: readonly string[], commands: readonly Command[]): WordOrder {
  const mark = argv.indexOf('--');
  const end = mark < 0 ? argv.length : mark;
  const { path, bareJson, taken } = commandWords(argv.slice(0, end), vocabularyOf(commands));
  if (path.length === 0 && taken !== undefined)
    throw new HintedError('usage', `${taken.flag} takes "${taken.value}" as its value, so no command is left.`, { command: [taken.value, '--help'] });
  const moved = new Set([...path, ...bareJson]);
  const words = path.map((index) => argv[index] ?? '');
  const others = argv.filter((_, index) => index < end && !moved.has(index));
  return { argv: [...words, ...others, ...(bareJson.length > 0 ? ['--json'] : []), ...argv.slice(end)], path: words };
}

/**
 * Puts the words of the command first and a bare --json last, so that flags may stand anywhere: `--json log --pet 7` is
 * `log --pet 7 --json`. A `--` before the command is dropped: package managers pass it on, as in `pnpm petstore -- pet list`.
 * Refuses with `usage` where a flag took the only command as its value.
 */
export function commandFirst(argv: readonly string[], commands: readonly Command[]): WordOrder {
  const order = moveCommandFirst(argv, commands);
  const mark = argv.indexOf('--');
  const isLeading = mark >= 0 && order.path.length === 0 && !valueFlags.has(argv[mark - 1] ?? '');
  return isLeading ? moveCommandFirst(argv.toSpliced(mark, 1), commands) : order;
}
