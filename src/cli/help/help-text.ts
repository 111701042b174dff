// The help of commands, groups and the program. Commander's own would list the flags of every command below each command.
import { argumentsUsage, type Command } from '../command.js';
import { flagSpelling, flagSummary, type FlagUsage } from '../flags.js';
import { widthOf, wrapped } from '../output/wrapped-text.js';

const indent = '  ';
/** The width in cells below which a summary stands below its term. */
const columnsWidth = 60;

/** A term with its summary: a flag or a command. */
type Entry = readonly [term: string, summary: string];

/** Entries in two columns, or on a narrow terminal below each other. */
function entryLines(entries: readonly Entry[], width: number, termWidth = Math.max(...entries.map(([term]) => widthOf(term)))): readonly string[] {
  if (width < columnsWidth)
    return entries.flatMap(([term, summary]) => [wrapped(term, indent, indent.repeat(3), width), wrapped(summary, indent.repeat(3), indent.repeat(3), width)]);
  const other = ' '.repeat(indent.length + termWidth + 2);
  return entries.map(([term, summary]) => wrapped(summary, `${indent}${term.padEnd(termWidth)}  `, other, width));
}

const firstShopLine = 'First shop: petstore init --sample';
const topicsLine = 'Topics: petstore help topics';

const globalFlagsLine = 'Global flags: petstore help flags';

const sentence = (text: string): string => `${text[0]?.toUpperCase()}${text.slice(1)}.`;

/** Sections with an empty line between them; the empty ones are left out. */
function sections(...all: readonly (readonly string[])[]): string {
  return `${all
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join('\n'))
    .join('\n\n')}\n`;
}

function usageLines(usage: string, width: number): string {
  return wrapped(usage, 'Usage: petstore ', indent.repeat(3), width);
}

/** The maximum number of examples that help shows; the manual page and `petstore commands --json` have all of them. */
const maximumExamples = 3;

/** The maximum number of choices that help lists; a refusal and the completion have all of them. */
const maximumChoices = 8;

/** A flag with its choices, unless its summary names them. */
function flagEntry(flag: FlagUsage): Entry {
  const summary = flagSummary(flag);
  const { choices = [] } = flag;
  const isNamed = choices.length > maximumChoices || choices.every((one) => summary.includes(one.replace(/^-/, '')));
  if (isNamed) return [flagSpelling(flag), summary];
  const listed = [choices.join(', '), ...(flag.default === undefined ? [] : [`default: ${flag.default}`])].join('; ');
  const { default: _, ...others } = flag;
  return [flagSpelling(flag), flagSummary({ ...others, summary: `${flag.summary} (${listed})` })];
}

/** The help of a command. */
export function commandHelp(command: Command, width: number): string {
  const { path, summary, flags, fields, examples } = command;
  const own = Object.values(flags);
  const rows = own.filter(({ ofChanges }) => ofChanges !== true).map(flagEntry);
  const ofChanges = own.filter((flag) => flag.ofChanges === true).map(flagSpelling);
  return sections(
    [usageLines([...lastWords(command, 0), ...(own.length > 0 ? ['[flags]'] : [])].join(' '), width), wrapped(sentence(summary), '', '', width)],
    ['Examples:', ...examples.slice(0, maximumExamples).map((example) => `${indent}${example}`)],
    rows.length > 0 ? ['Flags:', ...entryLines(rows, width)] : [],
    fields.length > 0 ? [wrapped(fields.join(', '), 'Fields: ', indent, width)] : [],
    [
      ...(path[0] === 'report' ? ['Figures: petstore help reports'] : []),
      ...(ofChanges.length > 0 ? [wrapped(ofChanges.join(', '), 'Flags of every change: ', indent, width)] : []),
      globalFlagsLine,
    ],
  );
}

/** A word below which there are commands: a group such as `pet`, or `inventory batch`. */
interface HelpedWord {
  /** The words that name it, with aliases: "pet|pets". */
  readonly words: string;
  readonly summary: string;
  /** The commands below it, without its own words. */
  readonly entries: readonly Entry[];
}

/** The last words of a command with its aliases and arguments: `view|show <id...>`; `depth` words before them are left out. */
function lastWords(command: Command, depth: number): readonly string[] {
  const { path, aliases } = command;
  return [...path.slice(depth, -1), [path.at(-1), ...aliases].join('|'), ...argumentsUsage(command)];
}

/** A command as an entry of the help of the word before it. */
export function commandBelow(command: Command, depth: number): Entry {
  return [lastWords(command, depth).join(' '), command.summary];
}

/** The help of a word below which there are commands. */
export function wordHelp({ words, summary, entries }: HelpedWord, width: number): string {
  return sections(
    [usageLines(`${words} <command> [flags]`, width), wrapped(sentence(summary), '', '', width)],
    ['Commands:', ...entryLines(entries, width)],
    [wrapped(`Help for a command: petstore ${words.replace(/\|.*/, '')} <command> --help`, '', indent, width), globalFlagsLine],
  );
}

/** The commands below a heading of the first screen. */
export interface HelpedSection {
  readonly heading: string;
  readonly entries: readonly Entry[];
}

/** The first screen: what people want to do, and the command for it. The last section is a line of names. */
export function programHelp(description: string, all: readonly HelpedSection[], width: number): string {
  const [named, described] = [all.slice(-1), all.slice(0, -1)];
  const termWidth = Math.max(...described.flatMap(({ entries }) => entries.map(([term]) => widthOf(term))));
  return sections(
    [usageLines('<command> [flags]', width), wrapped(description, '', '', width)],
    ...described.map(({ heading, entries }) => [heading, ...entryLines(entries, width, termWidth)]),
    named.map(({ heading, entries }) => wrapped([...entries.map(([term]) => term), 'help'].join(', '), `${heading} `, indent, width)),
    width < columnsWidth ? [firstShopLine, topicsLine] : [`${firstShopLine}   ${topicsLine}`],
  );
}
