import { HintedError } from '../settings/hint.js';
import { globalFlagEntries, isWordOf } from './help/command-entries.js';
import type { Command } from './command.js';
import { groupNamed } from './command-groups.js';

/** A command line with the words of the command first. */
export interface WordOrder {
  readonly argv: readonly string[];
  /** The words of the command, such as "pet" and "view"; empty if none was found. */
  readonly path: readonly string[];
}

const flags = globalFlagEntries();
const spellings = (wanted: (value: string | undefined) => boolean): ReadonlySet<string> =>
  new Set(flags.filter(({ value }) => wanted(value)).flatMap(({ name, short }) => (short === undefined ? [name] : [name, short])));

/** The global flags without a value, and those whose value is the next word. */
const toggles = spellings((value) => value === undefined);
const valueFlags = new Set([...spellings((value) => value !== undefined)].filter((name) => name !== '--json'));

/** Recognizes the words of commands. */
interface Vocabulary {
  /** Whether some command has this word after the words of `path`. */
  readonly follows: (path: readonly string[], word: string) => boolean;
  /** Whether the words are all words of a command. */
  readonly isComplete: (path: readonly string[]) => boolean;
}

const help = 'help';
const longestPath = 4;

function startsWith(command: Command, words: readonly string[]): boolean {
  return words.every((word, index) => index === 0 || isWordOf(command, index, word));
}

/** The vocabulary of a group. Without its commands only the names of groups are recognized. */
function vocabularyOf(commands: readonly Command[]): Vocabulary {
  return {
    follows: (path, word) => {
      if (path.length === 0) return word === help || groupNamed(word) !== undefined;
      if (path[0] === help) return path.length < longestPath;
      return commands.some((command) => startsWith(command, [...path, word]));
    },
    isComplete: (path) =>
      path.length > 0 &&
      path[0] !== help &&
      (commands.length === 0 || commands.some((command) => command.path.length === path.length && startsWith(command, path))),
  };
}

/** Where the words of the command are; positions are indexes into the command line. */
interface CommandPosition {
  readonly path: readonly number[];
  /** Each `--json` without a value. */
  readonly bareJson: readonly number[];
  /** A flag that has the name of a command as its value. */
  readonly takenName: { readonly flag: string; readonly value: string } | undefined;
}

/** Finds the words of the command among the flags and their values. */
function findCommand(argv: readonly string[], { follows, isComplete }: Vocabulary): CommandPosition {
  const path: number[] = [];
  const bareJson: number[] = [];
  let takenName: CommandPosition['takenName'];
  let words: readonly string[] = [];
  const isNext = (index: number): boolean => argv[index] !== undefined && follows(words, argv[index]);
  // Searched once per word of the command, so that the time is linear in the length of the line.
  let lastNext = argv.findLastIndex((_, index) => isNext(index));
  // The word after a flag of a single command can be the value of the flag.
  let mayBeValue = false;
  for (let index = 0; index < argv.length && !isComplete(words); index += 1) {
    const word = argv[index] ?? '';
    const next = argv[index + 1];
    const isFlag = word.startsWith('-') && word !== '-';
    if (word === '--json') {
      // The next word is a list of fields only if the command comes after it; otherwise it belongs to the command.
      if (next !== undefined && !next.startsWith('-') && !isNext(index + 1) && lastNext > index + 1) index += 1;
      else bareJson.push(index);
    } else if (valueFlags.has(word)) {
      if (next !== undefined && isNext(index + 1)) takenName ??= { flag: word, value: next };
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
  return { path, bareJson, takenName };
}

/** The group of a command line, or the one that it asks help for; flags can be anywhere. */
export function groupIn(argv: readonly string[]): string | undefined {
  const [name, topic] = commandFirst(argv, []).path;
  return name === help ? topic : name;
}

function moveCommandFirst(argv: readonly string[], commands: readonly Command[]): WordOrder {
  const mark = argv.indexOf('--');
  const end = mark < 0 ? argv.length : mark;
  const { path, bareJson, takenName } = findCommand(argv.slice(0, end), vocabularyOf(commands));
  if (path.length === 0 && takenName !== undefined)
    throw new HintedError('usage', `${takenName.flag} takes "${takenName.value}" as its value, so no command is left.`, {
      command: [takenName.value, '--help'],
    });
  const moved = new Set([...path, ...bareJson]);
  const words = path.map((index) => argv[index] ?? '');
  const others = argv.filter((_, index) => index < end && !moved.has(index));
  return { argv: [...words, ...others, ...(bareJson.length > 0 ? ['--json'] : []), ...argv.slice(end)], path: words };
}

/**
 * Puts the words of the command first and a bare --json last, so that flags can be anywhere: `--json log --pet 7` is
 * `log --pet 7 --json`. A `--` before the command is dropped: package managers pass it on, as in `pnpm petstore -- pet list`.
 * Refuses with `usage` when a flag has the only command as its value.
 */
export function commandFirst(argv: readonly string[], commands: readonly Command[]): WordOrder {
  const order = moveCommandFirst(argv, commands);
  const mark = argv.indexOf('--');
  const isLeading = mark >= 0 && order.path.length === 0 && !valueFlags.has(argv[mark - 1] ?? '');
  return isLeading ? moveCommandFirst(argv.toSpliced(mark, 1), commands) : order;
}
