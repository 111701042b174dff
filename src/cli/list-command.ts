import { actionNeededExitCode } from './exit-codes.js';
import type { ListOperation } from '../domain/operation.js';
import type { Call } from '../domain/call.js';
import type { TimeZone } from '../domain/values/time-zone.js';
import { guardedColumn, guardedMark } from '../formats/spreadsheet.js';
import type { OutputFormat, WriterOptions } from '../formats/writer.js';
import { allPages, type PagedRequest } from '../domain/all-pages.js';
import type { Arguments, NoArguments } from './arguments.js';
import { type Command, type Context } from './command.js';
import { buildCommand, type CommandDeclaration, type CommandValues, watchable } from './declare-command.js';
import { flag, toggle, type Flags, type FlagValues, type NoFlags } from './flags.js';
import { countFromOne } from './readers.js';
import type { Format } from '../settings/output-format.js';
import { chosenColumns, formatOfResult, writeIds, writeRows, writeTable, type Column, type Columns } from './output/view.js';

/** The rows that a terminal shows without --limit. */
export const terminalRows = 30;
/** The flag that guards CSV for a spreadsheet. */
export const spreadsheetFlag = { spreadsheet: toggle({ long: 'spreadsheet', summary: 'protect CSV cells that a spreadsheet would run as a formula' }) };

const listFlags = {
  ...spreadsheetFlag,
  limit: flag({ long: 'limit', short: 'L', value: 'n', summary: `show at most n rows (a terminal shows ${terminalRows}, a pipe all)`, read: countFromOne }),
};
const exportFlags = {
  limit: flag({ long: 'limit', short: 'L', value: 'n', summary: 'write at most n rows', default: 'all', read: countFromOne }),
  ...spreadsheetFlag,
};

/** The column that tells an import that the texts of a row are guarded. */
const guardedMarkColumn: Column<unknown> = { name: guardedColumn, heading: 'Guarded', value: () => guardedMark };

/** The names of the columns of a table; undefined for the default ones. */
type TableColumns = readonly string[] | undefined;

interface Listing<Request, Input, Row, A extends Arguments, F extends Flags> {
  readonly operation: ListOperation<Request, Input, Row>;
  readonly columns: Columns<Row>;
  readonly input: (
    values: CommandValues<NoInfer<A>, F>,
    call: Call,
    context: Pick<Context, 'io' | 'settings' | 'zone'>,
  ) => Promise<NoInfer<Request>> | NoInfer<Request>;
  /** The request for the newest rows first; a terminal then shows the last rows of the list instead of the first. */
  readonly tail?: (request: Request) => NoInfer<Request>;
  /** Whether it has the flag --watch, unless it exports; true by default. */
  readonly watches?: boolean;
  /** Whether it writes a file to import: all rows with a header, as CSV unless the line itself gives a format. */
  readonly exports?: boolean;
  /** Whether the import reads its texts: those guarded for spreadsheets are then marked, to be restored. */
  readonly readsTexts?: boolean;
  /** The columns of a table for these flags and this request; undefined for the default ones. */
  readonly table?: (flags: FlagValues<F>, request: NoInfer<Request>, call: Call) => Promise<TableColumns> | TableColumns;
  /** What the rows of the operation lack, and whether these columns need it. */
  readonly added?: {
    readonly isNeeded: (shown: readonly string[]) => boolean;
    readonly add: (call: Call, rows: readonly Row[]) => Promise<readonly Row[]>;
  };
  /** The exit code of a list that is not empty; undefined for 0. */
  readonly exitCode?: (flags: FlagValues<F>) => number | undefined;
  /** What a terminal is told of an empty list; "Nothing found." by default. */
  readonly whenEmpty?: string;
}

/** Declares a command that lists records. */
export function listCommand<Request extends PagedRequest, Input, Row, F extends Flags = NoFlags, A extends Arguments = NoArguments>(
  declaration: CommandDeclaration<A, F> & Listing<Request, Input, Row, A, F>,
): Command {
  const { operation, columns, flags, input, tail, watches = true, exports = false, readsTexts = false, table, ...others } = declaration;
  const { added, exitCode, whenEmpty = 'Nothing found.', ...texts } = others;
  const listing = buildCommand({
    ...texts,
    operations: [operation],
    flags: { ...flags, ...(exports ? exportFlags : listFlags) },
    fields: columns.all.map(({ name }) => name),
    exits: exitCode === undefined ? [] : [actionNeededExitCode],
    run: async (context, values: CommandValues<A, F> & Partial<FlagValues<typeof exportFlags>>) => {
      const { settings, shop, globalFlags } = context;
      const format = exports ? exportFormat(context) : formatOfResult(context);
      const shown = chosenColumns(columns, settings.fields, format);
      const { limit = exports ? Infinity : undefined, spreadsheet } = values;
      const isMarked = spreadsheet === true && readsTexts && format === 'csv';
      const { snapshot } = await shop();
      // The rows that were read, or their number where only that is asked for.
      let found = 0;
      const after = await snapshot(async (call) => {
        const request = await input(values, call, context);
        const isReversed = tail !== undefined && (limit !== undefined || format === 'table');
        const asked = isReversed ? tail(request) : request;
        const names = shown.map(({ name }) => name);
        const add = added?.isNeeded(names) === true ? added.add : undefined;
        const complete = async (rows: readonly Row[]): Promise<readonly Row[]> => {
          found += rows.length;
          return add === undefined ? rows : add(call, rows);
        };
        return writers[format]({
          context,
          columns,
          written: isMarked ? [...shown, guardedMarkColumn] : shown,
          options: { spreadsheet, header: globalFlags.header ?? (exports ? true : undefined) },
          whenEmpty,
          isReversed,
          limit,
          read: (most) => rowsOf(allPages(call, operation, asked, most), complete, isReversed),
          total: async () => (found = (await call(operation, { ...asked, limit: 1, count: true })).total ?? 0),
          table: async () => table?.(values, asked, call),
        });
      });
      await after?.();
      if (found > 0) return exitCode?.(values);
    },
  });
  return watches && !exports ? watchable(listing) : listing;
}

/** The zone of a request for a range with two ends, because a refusal of a reversed range names local days. It is not looked up for others: that takes longer than a list. */
export function zoneOfRange(from: string | undefined, to: string | undefined, zone: TimeZone): { readonly tz?: string } {
  return from === undefined || to === undefined ? {} : { tz: zone.name };
}

/** The format of an export. The config file does not change it: other programs read the file. */
function exportFormat({ globalFlags: { format, json, jq }, settings }: Context): Format {
  return (format === undefined && json === undefined && jq === undefined ? undefined : settings.format) ?? 'csv';
}

/** The rows of pages after they were completed; reversed ones are all read first. */
async function* rowsOf<Row>(
  pages: AsyncIterable<readonly Row[]>,
  complete: (rows: readonly Row[]) => Promise<readonly Row[]>,
  isReversed: boolean,
): AsyncGenerator<readonly Row[], void> {
  const kept: Row[] = [];
  for await (const page of pages) {
    const rows = await complete(page);
    if (isReversed) kept.push(...rows);
    else yield rows;
  }
  if (isReversed) yield kept.toReversed();
}

/** A list that was asked for: its rows in one snapshot of the shop, and how they are shown. */
interface OpenList<Row> {
  readonly context: Context;
  readonly columns: Columns<Row>;
  /** The columns of a format for programs. */
  readonly written: readonly Column<Row>[];
  readonly options: WriterOptions;
  readonly whenEmpty: string;
  /** Whether its last rows are shown instead of its first. */
  readonly isReversed: boolean;
  readonly limit: number | undefined;
  /** Reads rows page by page, at most so many. */
  readonly read: (most: number | undefined) => AsyncIterable<readonly Row[]>;
  /** The number of its rows without a limit. */
  readonly total: () => Promise<number>;
  readonly table: () => Promise<TableColumns>;
}

/** Writes a list in one format; answers what is written after the snapshot. */
type ListWriter = <Row>(list: OpenList<Row>) => Promise<(() => Promise<void>) | void>;

function rowsIn(format: OutputFormat): ListWriter {
  return ({ context, written, options, read, limit }) => writeRows(context.io.stdout, format, written, read(limit), options);
}

/** Writes a table of the rows that a terminal shows, and says how many more there are. */
const tableWriter: ListWriter = async <Row>({ context, columns, whenEmpty, isReversed, limit, read, total, table }: OpenList<Row>) => {
  const { settings, note } = context;
  const rows: Row[] = [];
  for await (const page of read(limit ?? terminalRows)) rows.push(...page);
  const all = limit !== undefined || rows.length < terminalRows ? rows.length : await total();
  const { table: byDefault = columns.shown } = columns;
  const shown = chosenColumns({ ...columns, table: (await table()) ?? byDefault }, settings.fields, 'table');
  // After the snapshot, which must not stay open while people read the table in a pager.
  const after = async (): Promise<void> => {
    await writeTable(context, shown, rows);
    if (rows.length === 0) return note(whenEmpty);
    if (all > rows.length) await note(`Showing ${isReversed ? 'the last ' : ''}${rows.length} of ${all}; use -L <n> to show more.`);
  };
  return after;
};

const writers: Readonly<Record<Format, ListWriter>> = {
  table: tableWriter,
  tsv: rowsIn('tsv'),
  csv: rowsIn('csv'),
  json: rowsIn('json'),
  ndjson: rowsIn('ndjson'),
  ids: ({ context, columns, read, limit }) => writeIds(context.io.stdout, columns, read(limit)),
  count: async ({ context, total }) => context.io.stdout.write(`${await total()}\n`),
};
