import type { StoreError } from '../domain/errors.js';
import { didYouMean, nearest } from '../domain/values/suggest.js';
import { joinItems } from '../domain/values/text.js';
import type { CellRecord } from './delimited.js';
import { guardedColumn } from './spreadsheet.js';
import { excerpt, inputFault, lineFault, quotedNames, type InputLine } from './fault.js';

/** Which columns a reader reads, requires and ignores, and how the file names them. */
export interface ColumnOptions {
  /** From the column name in the file to the column name of petstore (`--map "Their Header=ours"`). */
  readonly map: ReadonlyMap<string, string>;
  /** The wanted columns, in the order of a row's cells. */
  readonly columns: readonly string[];
  /** Wanted columns without which a CSV or TSV header is refused; of a list one is enough. */
  readonly required: readonly (string | readonly string[])[];
  /** Columns that may be in the file and are not read. */
  readonly ignored: readonly string[];
  /** What happens to any other column. */
  readonly unknownColumns: 'refuse' | 'ignore';
}

/** The header of a CSV or TSV file, matched to the wanted columns. */
export interface Header {
  readonly names: readonly string[];
  /** For each wanted column its index in the file's rows, or -1. */
  readonly positions: readonly number[];
  readonly present: readonly string[];
  readonly unknown: readonly string[];
  /** The index of the column that marks guarded rows, or -1. */
  readonly guarded: number;
}

const theirColumn = '<their column>';

/** Refuses a `--map` to a column that cannot be imported, with `unknown_column`. */
export function checkMap({ map, columns }: ColumnOptions): void {
  for (const [theirs, ours] of map) {
    if (columns.includes(ours)) continue;
    if (ours === 'name' && columns.includes('petId')) {
      throw inputFault('unknown_column', `"${excerpt(theirs)}"`, 'can be read as name only if pets are matched by name', 'Add --match name.');
    }
    const rest = `cannot be read as "${excerpt(ours)}", which is not a column that can be imported${didYouMean(ours, columns)}`;
    throw inputFault('unknown_column', `"${excerpt(theirs)}"`, rest, knownColumns(columns));
  }
}

/** Matches a header to the wanted columns; refuses duplicate_column, missing_column and unknown_column. */
export function headerOf({ cells, line }: CellRecord, options: ColumnOptions, name: string): Header {
  const at = { name, line };
  const names = cells.map((cell) => cell.trim());
  // Spreadsheets often add nameless columns at the end; they are ignored.
  const ours = names.map((theirs) => (theirs === '' ? undefined : (options.map.get(theirs) ?? theirs)));
  const read = options.unknownColumns === 'ignore' ? ours.map((column) => (isKnown(column, options) ? column : undefined)) : ours;
  refuseDuplicates(names, read, at);
  for (const [theirs, column] of options.map) {
    if (!names.includes(theirs)) throw unusedMapping(theirs, column, names, name);
  }
  const unknown = [...new Set(names.filter((_, index) => !isKnown(ours[index], options)))];
  for (const required of options.required) {
    const columns = [required].flat();
    if (!columns.some((column) => ours.includes(column))) throw missingColumn(columns, { names, unknown }, at, options);
  }
  if (unknown[0] !== undefined && options.unknownColumns === 'refuse') throw unknownColumn(unknown[0], options, at);
  const positions = options.columns.map((column) => ours.indexOf(column));
  return { names, guarded: ours.indexOf(guardedColumn), positions, present: options.columns.filter((column) => ours.includes(column)), unknown };
}

/** Refuses an unknown column (unknown_column), suggesting the nearest known name. */
export function unknownColumn(theirs: string, options: ColumnOptions, at: InputLine): StoreError {
  const absent = options.columns.filter((column) => ![...options.map.values()].includes(column));
  const rest = `has an unknown column "${excerpt(theirs)}"${didYouMean(theirs, [...absent, ...options.ignored])}`;
  const ours = nearest(theirs, absent);
  if (ours !== undefined && isShownWhole(theirs)) return lineFault('unknown_column', at, rest, { map: [theirs, ours] });
  const advice = `${knownColumns(options.columns)} To read it as one of them, add --map ${mapExample(theirs, ours)}; to ignore it, add --ignore-unknown.`;
  return lineFault('unknown_column', at, rest, advice);
}

/** The refusal of a `--map` for a column that is not in the file (`unknown_column`); names the columns that are. */
function unusedMapping(theirs: string, ours: string, names: readonly string[], name: string): StoreError {
  const found = names.filter((other) => other !== '');
  const rest = `has no column "${excerpt(theirs)}" to read as ${ours}${didYouMean(theirs, found)}`;
  return inputFault('unknown_column', name, rest, `Its columns are ${quotedNames(found)}.`);
}

function missingColumn(
  choices: readonly string[],
  { names, unknown }: Pick<Header, 'names' | 'unknown'>,
  { name, line }: InputLine,
  { columns }: ColumnOptions,
): StoreError {
  const [column = ''] = choices;
  const found = names.filter((other) => other !== '');
  const rest = `has no column ${choices.map((one) => `"${one}"`).join(' or ')}; its header (line ${line}) has ${quotedNames(found)}`;
  const similar = nearest(column, unknown);
  if (similar !== undefined && isShownWhole(similar)) return inputFault('missing_column', name, rest, { map: [similar, column] });
  const mayMatch = column === 'petId' && !columns.includes('name');
  const named = mayMatch ? nearest('name', found) : undefined;
  if (named !== undefined) {
    const mapped = named === 'name' ? '' : ` --map ${mapExample(named, 'name')}`;
    return inputFault('missing_column', name, rest, `The file names its pets: add --match name${mapped}.`);
  }
  const other = unknown[0] ?? theirColumn;
  const byName = mayMatch ? `; if it has names, add --match name --map ${mapExample(other, 'name')}` : '';
  const byOther = choices.slice(1).map((one) => ` or --map ${mapExample(other, one)}`);
  const example = `To read another column, add --map ${mapExample(other, column)}${byOther.join('')}${byName}.`;
  // A single column is more often an unusual delimiter than a file with one column.
  const advice = names.length === 1 ? 'If the separator is not ",", ";", "|" or a tab, give it with --delimiter.' : example;
  return inputFault('missing_column', name, rest, advice);
}

function refuseDuplicates(names: readonly string[], ours: readonly (string | undefined)[], at: InputLine): void {
  const indexes = new Map<string, number>();
  for (const [index, column] of ours.entries()) {
    if (column === undefined) continue;
    const before = indexes.get(column);
    if (before !== undefined) throw duplicateColumn(column, [names[before] ?? '', names[index] ?? ''], at);
    indexes.set(column, index);
  }
}

/** Refuses two columns or JSON keys that map to one column (duplicate_column). */
export function duplicateColumn(column: string, [first, second]: readonly [string, string], at: InputLine): StoreError {
  if (first === second) return lineFault('duplicate_column', at, `has the column "${excerpt(first)}" twice`);
  return lineFault('duplicate_column', at, `has two columns for ${column}: ${quotedNames([first, second])}`);
}

function isKnown(column: string | undefined, { columns, ignored }: ColumnOptions): boolean {
  return column === undefined || column === guardedColumn || columns.includes(column) || ignored.includes(column);
}

function knownColumns(columns: readonly string[]): string {
  return `The columns are ${joinItems(columns)}.`;
}

/** Whether a message can show a name unchanged: it is short and has no control characters. */
function isShownWhole(name: string): boolean {
  return name === excerpt(name) && !/\p{C}/u.test(name);
}

/** The value of a `--map` to paste into a shell. A placeholder replaces a name that is unknown, too long or has control characters. */
export function mapExample(theirs: string, ours = '<column>'): string {
  const value = `${isShownWhole(theirs) ? theirs : theirColumn}=${ours}`;
  return /["$`\\!]/.test(value) ? `'${value.replaceAll("'", `'\\''`)}'` : `"${value}"`;
}
