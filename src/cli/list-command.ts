import { actionNeededExitCode } from './exit-codes.js';
import type { ListOperation, Operation } from '../domain/operation.js';
import type { Page } from '../domain/values/pages.js';
import type { Call } from '../domain/call.js';
import type { TimeZone } from '../domain/values/time-zone.js';
import { guardedColumn, guardedMark } from '../formats/spreadsheet.js';
import { allPages, allRows, type PagedRequest } from './all-pages.js';
import type { Arguments, NoArguments } from './arguments.js';
import { type Command, type Context } from './command.js';
import { buildCommand, type CommandDeclaration, type CommandValues } from './declare-command.js';
import { watchable } from './watch/watchable.js';
import { flag, toggle, type Flags, type FlagValues, type NoFlags } from './flags.js';
import { rowCount } from './readers.js';
import type { Format } from '../settings/output-format.js';
import { chosenColumns, formatOfResult, writeIds, writeRows, writeTable, type Column, type Columns } from './output/view.js';

/** The rows that a terminal shows without --limit. */
export const terminalRows = 30;
/** The flag that guards CSV for a spreadsheet. */
export const spreadsheetFlag = { spreadsheet: toggle({ long: 'spreadsheet', summary: 'protect CSV cells that a spreadsheet would run as a formula' }) };

const listFlags = {
  ...spreadsheetFlag,
  limit: flag({ long: 'limit', short: 'L', value: 'n', summary: `show at most n rows (a terminal shows ${terminalRows}, a pipe all)`, read: rowCount }),
};
const exportFlags = {
  limit: flag({ long: 'limit', short: 'L', value: 'n', summary: 'write at most n rows', default: 'all', read: rowCount }),
  ...spreadsheetFlag,
};

/** The column that tells an import that the texts of a row are guarded. */
const guardedMarkColumn: Column<unknown> = { name: guardedColumn, heading: 'Guarded', value: () => guardedMark };

/** The names of the columns of a table; undefined for the default ones. */
type TableColumns = readonly string[] | undefined;

/** What a list reads and shows. */
interface Listing<Request, Input, Row, A extends Arguments, F extends Flags> {
  readonly operation: ListOperation<Request, Input, Row>;
  readonly columns: Columns<Row>;
  readonly input: (
    values: CommandValues<NoInfer<A>, F>,
    call: Call,
    context: Pick<Context, 'settings' | 'zone'>,
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
  /** Adds the names that a table shows for ids. */
  readonly withNames?: (call: Call, rows: readonly Row[]) => Promise<readonly Row[]>;
  /** The exit code of a list that is not empty; undefined for 0. */
  readonly exitCode?: (flags: FlagValues<F>) => number | undefined;
  /** What a terminal is told of an empty list; "Nothing found." by default. */
  readonly whenEmpty?: string;
}

/** Declares a command that lists records. */
export function listCommand<Request extends PagedRequest, Input, Row, F extends Flags = NoFlags, A extends Arguments = NoArguments>(
  declaration: CommandDeclaration<A, F> & Listing<Request, Input, Row, A, F>,
): Command {
  const {
    operation,
    columns,
    flags,
    input,
    tail,
    watches = true,
    exports = false,
    readsTexts = false,
    table,
    withNames,
    exitCode,
    whenEmpty = 'Nothing found.',
    ...others
  } = declaration;
  const listing = buildCommand({
    ...others,
    operations: [operation],
    flags: { ...flags, ...(exports ? exportFlags : listFlags) },
    fields: columns.all.map(({ name }) => name),
    exits: exitCode === undefined ? [] : [actionNeededExitCode],
    run: async (context, values: CommandValues<A, F> & Partial<FlagValues<typeof exportFlags>>) => {
      const { io, settings, shop, globalFlags } = context;
      const format = exports ? exportFormat(context) : formatOfResult(context);
      const shown = chosenColumns(columns, settings.fields, format);
      const header = globalFlags.header ?? (exports ? true : undefined);
      const { limit = exports ? Infinity : undefined, spreadsheet } = values;
      const written = spreadsheet === true && readsTexts && format === 'csv' ? [...shown, guardedMarkColumn] : shown;
      // A table is written after the snapshot, which must not stay open while people read it in a pager.
      const listed = await (
        await shop()
      ).snapshot(async (call) => {
        const request = await input(values, call, context);
        const newest = tail !== undefined && (limit !== undefined || format === 'table');
        const asked = newest ? tail(request) : request;
        if (format === 'count') return writeCount(context, call, operation, asked);
        if (format === 'table') return readPage({ operation, asked, reversed: newest, withNames, table: await table?.(values, asked, call) }, call, limit);
        const read = allPages(call, operation, asked, limit);
        let count = 0;
        const rows = countRows(newest ? reversedRows(read) : read, (length) => (count += length));
        if (format === 'ids') await writeIds(io.stdout, columns, rows);
        else await writeRows(io.stdout, format, written, rows, { spreadsheet, header });
        return count;
      });
      if (typeof listed !== 'number') await writePage(context, listed, columns, whenEmpty);
      const count = typeof listed === 'number' ? listed : listed.rows.length;
      if (count > 0) return exitCode?.(values);
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

/** The rows in reverse order; reads them all first. */
async function* reversedRows<Row>(chunks: AsyncIterable<readonly Row[]>): AsyncGenerator<readonly Row[], void> {
  const rows: Row[] = [];
  for await (const chunk of chunks) rows.push(...chunk);
  yield rows.toReversed();
}

/** The same rows; `passed` gets the number of rows of each chunk. */
async function* countRows<Row>(chunks: AsyncIterable<readonly Row[]>, passed: (count: number) => void): AsyncGenerator<readonly Row[], void> {
  for await (const chunk of chunks) {
    passed(chunk.length);
    yield chunk;
  }
}

/** Writes the total number of rows, and returns it. */
async function writeCount<Request extends PagedRequest, Input, Row>(
  { io }: Context,
  call: Call,
  operation: Operation<Request, Input, Page<Row>>,
  asked: Request,
): Promise<number> {
  const { total = 0 } = await call(operation, { ...asked, limit: 1, count: true });
  await io.stdout.write(`${total}\n`);
  return total;
}

interface PageRequest<Request, Input, Row> {
  readonly operation: Operation<Request, Input, Page<Row>>;
  readonly asked: Request;
  readonly reversed: boolean;
  readonly withNames: ((call: Call, rows: readonly Row[]) => Promise<readonly Row[]>) | undefined;
  readonly table: TableColumns;
}

/** The rows that a terminal shows, the total number of rows of the list, and the columns of the table. */
interface ShownPage<Row> {
  readonly rows: readonly Row[];
  readonly total: number;
  readonly reversed: boolean;
  readonly table: TableColumns;
}

async function readPage<Request extends PagedRequest, Input, Row>(
  { operation, asked, reversed, withNames, table }: PageRequest<Request, Input, Row>,
  call: Call,
  limit: number | undefined,
): Promise<ShownPage<Row>> {
  const read = await allRows(call, operation, asked, limit ?? terminalRows);
  const found = reversed ? read.toReversed() : read;
  const rows = withNames === undefined ? found : await withNames(call, found);
  if (limit !== undefined || rows.length < terminalRows) return { rows, total: rows.length, reversed, table };
  const { total = 0 } = await call(operation, { ...asked, limit: 1, count: true });
  return { rows, total, reversed, table };
}

async function writePage<Row>(context: Context, page: ShownPage<Row>, columns: Columns<Row>, whenEmpty: string): Promise<void> {
  const { settings, note } = context;
  const { rows, total, reversed, table = columns.table ?? columns.shown } = page;
  await writeTable(context, chosenColumns({ ...columns, table }, settings.fields, 'table'), rows);
  if (rows.length === 0) return note(whenEmpty);
  if (total > rows.length) await note(`Showing ${reversed ? 'the last ' : ''}${rows.length} of ${total}; use -L <n> to show more.`);
}
