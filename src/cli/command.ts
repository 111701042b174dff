import type { AnyOperation } from '../domain/operations.js';
import { StoreError } from '../domain/errors.js';
import type { Operation, Page } from '../domain/operation.js';
import type { Call, CallOptions, Shop } from '../domain/shop.js';
import type { Settings } from '../settings.js';
import { flag, ledgerNote, rowCount, toggle, type Flag, type Flags, type FlagValues } from './flags.js';
import type { Format } from './formats.js';
import type { Io } from './io.js';
import type { Paint } from './paint.js';
import { sanitiseCell } from './sanitise.js';
import { chosen, writeIds, writeRecord, writeRows, writeTable, type Columns } from './view.js';

/** What a command works with. */
export interface Context {
  readonly io: Io;
  readonly settings: Settings;
  readonly shop: () => Promise<Shop>;
  /** The colours of standard output. */
  readonly paint: Paint;
  /** Says something beside the result, on standard error, unless --quiet. */
  readonly note: (line: string) => Promise<void>;
  /** Asks before something that cannot be taken back; refuses with `confirmation_required` where it cannot ask. */
  readonly confirm: (question: string, flags: { readonly yes: true | undefined; readonly dryRun: true | undefined }) => Promise<void>;
}

/** A command: the words people type, and what it does. */
export interface Command {
  /** As people type it: 'pet view <id...>'. */
  readonly words: string;
  readonly summary: string;
  /** The operations it asks. */
  readonly does: readonly AnyOperation[];
  readonly flags: Flags;
  /** The field names it can show. */
  readonly fields: readonly string[];
  readonly mutates: boolean;
  readonly examples: readonly string[];
  readonly run: (context: Context, args: readonly string[], flags: Readonly<Record<string, unknown>>) => Promise<number | void>;
}

/** The flags of every command that changes the shop. */
export const mutationFlags = {
  dryRun: toggle('-n, --dry-run', 'do everything but keep nothing'),
  yes: toggle('-y, --yes', 'do not ask for confirmation'),
  key: flag('--key <key>', 'idempotency key: a repeat changes nothing', keyText),
  note: flag('--note <text>', 'a note for the ledger', ledgerNote),
};

function keyText(value: string, name: string): string {
  if (/^[\x20-\x7e]{1,255}$/.test(value)) return value;
  throw new StoreError('usage', `${name} takes 1 to 255 printable ASCII characters.`);
}

/** What the flags of a mutation say about the request. */
export function callOptions(context: Context, { dryRun, key, note }: FlagValues<typeof mutationFlags>): CallOptions {
  return {
    dryRun,
    key,
    note,
    onReplay: () => void context.note(`Already done under the key "${key}"; nothing was changed.`),
  };
}

interface Spoken {
  readonly words: string;
  readonly summary: string;
  readonly examples: readonly string[];
}

/** Declares a command written by hand. */
export function command<F extends Flags>(
  spoken: Spoken & {
    readonly does?: readonly unknown[];
    readonly flags?: F;
    readonly fields?: readonly string[];
    readonly mutates?: boolean;
    readonly run: (context: Context, args: readonly string[], flags: FlagValues<F>) => Promise<number | void>;
  },
): Command {
  const { does = [], flags = {}, fields = [], mutates = false, run, ...words } = spoken;
  return { ...words, does: does as readonly AnyOperation[], flags, fields, mutates, run: run as Command['run'] };
}

const terminalRows = 30;
const streamedRows = 500;
/** Beyond so many matches a terminal only says "more than": counting further would keep people waiting. */
const listFlags = { limit: flag('-L, --limit <n>', `show at most n rows (a terminal shows ${terminalRows}, a pipe all)`, rowCount) };

interface Paged {
  readonly limit?: number | undefined;
  readonly cursor?: string | undefined;
  readonly count?: boolean | undefined;
}

/** Declares a command that lists records. */
export function listCommand<Asked extends Paged, Input, Row, F extends Flags>(
  spoken: Spoken & {
    readonly does: Operation<Asked, Input, Page<Row>>;
    readonly columns: Columns<Row>;
    readonly flags: F;
    readonly input: (flags: FlagValues<F>, call: Call, args: readonly string[]) => Promise<Asked> | Asked;
    /** Where the newest rows matter, a terminal shows the last ones instead of the first. */
    readonly tail?: (asked: Asked) => Asked;
    readonly defaultFormat?: Format;
    /** Whether CSV cells are guarded against being run as formulas. */
    readonly spreadsheet?: (flags: FlagValues<F>) => boolean;
  },
): Command {
  const { does, columns, flags, input, tail, defaultFormat, spreadsheet, ...words } = spoken;
  return command({
    ...words,
    does: [does],
    flags: { ...flags, ...listFlags } as F & typeof listFlags,
    fields: columns.all.map(({ name }) => name),
    run: async (context, args, values) => {
      const { io, settings, shop } = context;
      const format = settings.format ?? defaultFormat ?? (io.stdout.isTerminal ? 'table' : 'tsv');
      const shown = chosen(columns, settings.fields, format);
      const { limit } = values as FlagValues<typeof listFlags>;
      await (
        await shop()
      ).snapshot(async (call) => {
        const given = await input(values, call, args);
        // The newest rows: by themselves in a terminal, and wherever only so many are asked for.
        const newest = tail !== undefined && (limit !== undefined || format === 'table');
        const asked = newest ? tail(given) : given;
        if (format === 'count') return writeCount(context, call, does, asked);
        if (format === 'table') return writePage(context, { does, asked, reversed: newest }, call, shown, limit);
        const walked = walk(call, does, asked, limit);
        const rows = newest ? turned(walked) : walked;
        if (format === 'ids') return writeIds(io.stdout, columns, rows);
        return writeRows(io.stdout, format, shown, rows, spreadsheet?.(values));
      });
    },
  });
}

/** The rows of a list the other way round. */
async function* turned<Row>(chunks: AsyncIterable<readonly Row[]>): AsyncGenerator<readonly Row[], void> {
  const rows: Row[] = [];
  for await (const chunk of chunks) rows.push(...chunk);
  yield rows.toReversed();
}

/** Every page of a list in turn, up to a number of rows. */
async function* walk<Asked extends Paged, Input, Row>(
  call: Call,
  operation: Operation<Asked, Input, Page<Row>>,
  asked: Asked,
  limit = Infinity,
): AsyncGenerator<readonly Row[], void> {
  let left = limit;
  let cursor: string | undefined;
  do {
    const page: Page<Row> = await call(operation, { ...asked, limit: Math.min(left, streamedRows), ...(cursor !== undefined && { cursor }) });
    yield page.items;
    left -= page.items.length;
    cursor = page.next;
  } while (cursor !== undefined && left > 0);
}

async function writeCount<Asked extends Paged, Input, Row>(
  { io }: Context,
  call: Call,
  operation: Operation<Asked, Input, Page<Row>>,
  asked: Asked,
): Promise<void> {
  const { total = 0 } = await call(operation, { ...asked, limit: 1, count: true });
  await io.stdout.write(`${total}\n`);
}

interface Asking<Asked, Input, Row> {
  readonly does: Operation<Asked, Input, Page<Row>>;
  readonly asked: Asked;
  readonly reversed: boolean;
}

async function writePage<Asked extends Paged, Input, Row>(
  context: Context,
  { does, asked, reversed }: Asking<Asked, Input, Row>,
  call: Call,
  columns: Parameters<typeof writeTable<Row>>[1],
  limit: number | undefined,
): Promise<void> {
  const { io, paint } = context;
  const rows: Row[] = [];
  for await (const part of walk(call, does, asked, limit ?? terminalRows)) rows.push(...part);
  if (reversed) rows.reverse();
  await writeTable(io.stdout, columns, rows, { paint, now: io.now() });
  if (rows.length === 0) return context.note('Nothing found.');
  if (limit !== undefined || rows.length < terminalRows) return;
  const { total = 0 } = await call(does, { ...asked, limit: 1, count: true });
  if (total > rows.length) await context.note(`Showing ${reversed ? 'the last ' : ''}${rows.length} of ${total}; -L <n> shows more.`);
}

/** How the answer of a mutation or a view is shown. */
export interface Shown<Row> {
  readonly columns: Columns<Row>;
  /** The record as JSON has it when no fields were asked for. */
  readonly record?: (row: Row) => unknown;
}

async function* once<Row>(rows: readonly Row[]): AsyncGenerator<readonly Row[], void> {
  yield rows;
}

/** Shows records: one as an object and several as an array in JSON, and in a terminal line by line. */
export async function showRecords<Row>(
  context: Context,
  { columns, record }: Shown<Row>,
  rows: readonly Row[],
  several: boolean,
  sentence?: (row: Row) => string,
): Promise<void> {
  const { io, settings, paint } = context;
  const format = settings.format ?? (sentence ? undefined : io.stdout.isTerminal ? 'table' : 'tsv');
  if (format === undefined && sentence) return io.stdout.write(rows.map((row) => `${paint.green('✓')} ${sanitiseCell(sentence(row))}\n`).join(''));
  const shown = chosen(columns, settings.fields, format ?? 'tsv');
  if (format === 'ids') return writeIds(io.stdout, columns, once(rows));
  if (format === 'count') return io.stdout.write(`${rows.length}\n`);
  if (format === 'json') return io.stdout.write(jsonOf(rows, several, (row) => (settings.fields === undefined && record ? record(row) : picked(shown, row))));
  if (format === 'csv' || format === 'tsv' || format === 'ndjson') return writeRows(io.stdout, format, shown, once(rows));
  if (several) return writeTable(io.stdout, shown, rows, { paint, now: io.now() });
  for (const row of rows) await writeRecord(io.stdout, settings.fields ? shown : columns.all, row, { paint, now: io.now() });
}

function picked<Row>(columns: readonly { readonly name: string; readonly value: (row: Row) => unknown }[], row: Row): unknown {
  return Object.fromEntries(columns.map(({ name, value }) => [name, value(row)] as const).filter(([, value]) => value !== undefined));
}

function jsonOf<Row>(rows: readonly Row[], several: boolean, record: (row: Row) => unknown): string {
  const values = rows.map(record);
  return `${JSON.stringify(several ? values : values[0], null, 2)}\n`;
}

/** The ids a command was given; `-` stands for ids on standard input, one a line. */
export async function givenIds(
  io: Io,
  args: readonly string[],
  read: (word: string) => number,
): Promise<{ readonly ids: readonly number[]; readonly several: boolean }> {
  if (!args.includes('-')) return { ids: args.map((word) => read(word)), several: args.length > 1 };
  const chunks: Uint8Array[] = [];
  for await (const chunk of io.stdin.bytes()) chunks.push(chunk);
  const words = Buffer.concat(chunks)
    .toString('utf8')
    .split(/\s+/)
    .filter((word) => word !== '');
  const ids = args.flatMap((word) => (word === '-' ? words : [word])).map((word) => read(word));
  return { ids, several: true };
}

/** Declares a command that reads one or several records by id. */
export function viewCommand<Asked, Input, Row>(
  spoken: Spoken & Shown<Row> & { readonly does: Operation<Asked, Input, Row>; readonly id: (word: string) => number; readonly input: (id: number) => Asked },
): Command {
  const { does, id, input, columns, record, ...words } = spoken;
  return command({
    ...words,
    does: [does],
    fields: columns.all.map(({ name }) => name),
    run: async (context, args) => {
      chosen(columns, context.settings.fields, 'tsv');
      const { ids, several } = await givenIds(context.io, args, id);
      const rows = await (await context.shop()).callEach(does, ids.map(input));
      await showRecords(context, { columns, ...(record && { record }) }, rows, several);
    },
  });
}

/** Declares a command that changes one or several records by id, all of them or none. */
export function changeCommand<Asked, Input, Row, F extends Flags = Readonly<Record<never, Flag<unknown>>>>(
  spoken: Spoken &
    Shown<Row> & {
      readonly does: Operation<Asked, Input, Row>;
      readonly flags?: F;
      readonly id: (word: string) => number;
      readonly input: (id: number, flags: FlagValues<F>, call: Call) => Promise<Asked> | Asked;
      readonly sentence: (row: Row) => string;
      /** The question to ask first, where the change cannot be taken back. */
      readonly question?: (ids: readonly number[]) => string;
    },
): Command {
  const { does, flags, id, input, columns, record, sentence, question, ...words } = spoken;
  return command({
    ...words,
    does: [does],
    flags: { ...flags, ...mutationFlags } as unknown as F & typeof mutationFlags,
    fields: columns.all.map(({ name }) => name),
    mutates: true,
    run: async (context, args, values) => {
      const mutation: FlagValues<typeof mutationFlags> = values;
      chosen(columns, context.settings.fields, 'tsv');
      const { ids, several } = await givenIds(context.io, args, id);
      if (question) await context.confirm(question(ids), mutation);
      const shop = await context.shop();
      const inputs: Asked[] = [];
      for (const one of ids) inputs.push(await input(one, values, shop.call));
      const rows = await shop.callEach(does, inputs, callOptions(context, mutation));
      await showChange(context, { columns, ...(record && { record }) }, rows, several, sentence, mutation.dryRun);
    },
  });
}

/** Shows what a change did, or would do. */
export async function showChange<Row>(
  context: Context,
  shown: Shown<Row>,
  rows: readonly Row[],
  several: boolean,
  sentence: (row: Row) => string,
  dryRun: true | undefined,
): Promise<void> {
  await showRecords(context, shown, rows, several, sentence);
  if (dryRun === true) await context.note('Dry run: nothing was written.');
}

/** Declares a command that makes one change from its flags and arguments. */
export function makeCommand<Asked, Input, Row, F extends Flags>(
  spoken: Spoken &
    Shown<Row> & {
      readonly does: Operation<Asked, Input, Row>;
      readonly flags: F;
      readonly input: (args: readonly string[], flags: FlagValues<F>, call: Call) => Promise<Asked> | Asked;
      readonly sentence: (row: Row) => string;
    },
): Command {
  const { does, flags, input, columns, record, sentence, ...words } = spoken;
  return command({
    ...words,
    does: [does],
    flags: { ...flags, ...mutationFlags } as F & typeof mutationFlags,
    fields: columns.all.map(({ name }) => name),
    mutates: true,
    run: async (context, args, values) => {
      const mutation: FlagValues<typeof mutationFlags> = values;
      chosen(columns, context.settings.fields, 'tsv');
      // The shop is opened only when the words make sense: a usage error never waits for a lock.
      let opened: Shop | undefined;
      const call: Call = async (...asked) => (opened ??= await context.shop()).call(...asked);
      const asked = await input(args, values, call);
      const row = await call(does, asked, callOptions(context, mutation));
      await showChange(context, { columns, ...(record && { record }) }, [row], false, sentence, mutation.dryRun);
    },
  });
}

/** Refuses an edit that names nothing to change. */
export function something(values: readonly unknown[], flagNames: string): void {
  if (values.some((value) => value !== undefined)) return;
  throw new StoreError('input_required', `There is nothing to change: give ${flagNames}.`);
}

/** The value of a flag that a command cannot do without; refuses with `input_required`, naming the flag. */
export function required<T>(value: T | undefined, flagName: string): T {
  if (value === undefined) throw new StoreError('input_required', `${flagName} is missing.`, `Give it with ${flagName} <value>.`);
  return value;
}
