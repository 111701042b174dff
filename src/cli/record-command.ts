import type { Operation } from '../domain/operation.js';
import type { Call } from '../domain/call.js';
import type { Shop } from '../domain/shop.js';
import { callOptions, command, mutationFlags, type Command, type Context, type Spoken } from './command.js';
import type { Flag, Flags, FlagValues } from './flags.js';
import { isJson, jsonText } from '../settings/output-format.js';
import type { Io } from './io.js';
import { sanitiseCell } from './output/sanitise.js';
import { chosen, writeIds, writeRecord, writeRows, writeTable, type Columns } from './output/view.js';

/** How the answer of a mutation or a view is shown. */
export interface Shown<Row> {
  readonly columns: Columns<Row>;
  /** The record as JSON has it when no fields were asked for. */
  readonly record?: (row: Row) => unknown;
}

/** Rows that are all there, for what takes them as they come. */
export async function* once<Row>(rows: readonly Row[]): AsyncGenerator<readonly Row[], void> {
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
  const { io, settings, paint, note } = context;
  const format = settings.format ?? (sentence ? undefined : io.stdout.isTerminal ? 'table' : 'tsv');
  if (format === undefined && sentence) return io.stdout.write(rows.map((row) => `${paint.green('✓')} ${sanitiseCell(sentence(row))}\n`).join(''));
  const shown = chosen(columns, settings.fields, format ?? 'tsv');
  if (format === 'ids') return writeIds(io.stdout, columns, once(rows));
  if (format === 'count') return io.stdout.write(`${rows.length}\n`);
  if (isJson(format)) {
    const records = rows.map((row) => (settings.fields === undefined && record ? record(row) : picked(shown, row)));
    return io.stdout.write(format === 'json' ? jsonText(several ? records : records[0], format) : records.map((one) => jsonText(one, format)).join(''));
  }
  if (format === 'csv' || format === 'tsv') return writeRows(io.stdout, format, shown, once(rows));
  if (several) return writeTable(io.stdout, shown, rows, { paint, now: io.now(), note });
  for (const row of rows) await writeRecord(io.stdout, settings.fields ? shown : columns.all, row, { paint, now: io.now() });
}

function picked<Row>(columns: readonly { readonly name: string; readonly value: (row: Row) => unknown }[], row: Row): unknown {
  return Object.fromEntries(columns.map(({ name, value }) => [name, value(row)] as const).filter(([, value]) => value !== undefined));
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
      readonly question?: (rows: readonly Row[]) => string;
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
      const shop = await context.shop();
      const inputs: Asked[] = [];
      for (const one of ids) inputs.push(await input(one, values, shop.call));
      if (question && !mutation.yes && !mutation.dryRun) {
        // What will be refused is refused before anybody is asked.
        await context.confirm(question(await shop.callEach(does, inputs, { dryRun: true, key: mutation.key })), mutation);
      }
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
