import type { Operation } from '../domain/operation.js';
import type { Call } from '../domain/call.js';
import type { Shop } from '../domain/shop.js';
import type { Argument, Arguments, NoArguments } from './arguments.js';
import { buildCommand, type CommandDeclaration, type CommandValues } from './declare-command.js';
import { callOptions, mutationFlags } from './mutation-flags.js';
import type { Command, Context } from './command.js';
import type { TimeZone } from '../domain/values/time-zone.js';
import type { Flags, FlagValues, NoFlags } from './flags.js';
import { isJson, jsonText } from '../settings/output-format.js';
import { sanitiseCell } from './output/sanitise.js';
import { writeText } from './output/wrapped-text.js';
import { chosen, writeIds, writeRecord, writeRows, writeTable, type Columns } from './output/view.js';

/** How a command shows records. */
export interface Shown<Row> {
  readonly columns: Columns<Row>;
  /** The record as JSON has it without --fields. */
  readonly record?: (row: Row) => unknown;
}

/** Chooses between the two forms of a verb: that of a change, and that of a dry run ("Deleted", "Would delete"). */
export type VerbForm = (changed: string, dryRun: string) => string;

/** Says in a sentence what a change did to a record, or would do. */
export type ChangeSentence<Row> = (row: Row, verb: VerbForm, zone: TimeZone) => string;

const changedForm: VerbForm = (changed) => changed;
const dryRunForm: VerbForm = (_, dryRun) => dryRun;
const nothingChanged = 'Dry run: nothing was changed.';

/** Rows that were read already, as a stream of one chunk. */
export async function* once<Row>(rows: readonly Row[]): AsyncGenerator<readonly Row[], void> {
  yield rows;
}

/** Shows records: in JSON one as an object and several as an array, in a terminal a `sentence` for each or a table. */
export async function showRecords<Row>(
  context: Context,
  { columns, record }: Shown<Row>,
  rows: readonly Row[],
  several: boolean,
  sentence?: (row: Row) => string,
): Promise<void> {
  const { io, settings, globalFlags, paint, zone, note } = context;
  const format = settings.format ?? (sentence ? undefined : io.stdout.isTerminal ? 'table' : 'tsv');
  if (format === undefined && sentence) return writeText(io.stdout, rows.map((row) => `${paint.green('✓')} ${sanitiseCell(sentence(row))}\n`).join(''));
  const shown = chosen(columns, settings.fields, format ?? 'tsv');
  if (format === 'ids') return writeIds(io.stdout, columns, once(rows));
  if (format === 'count') return io.stdout.write(`${rows.length}\n`);
  if (isJson(format)) {
    const records = rows.map((row) => (settings.fields === undefined && record ? record(row) : picked(shown, row)));
    return io.stdout.write(format === 'json' ? jsonText(several ? records : records[0], format) : records.map((one) => jsonText(one, format)).join(''));
  }
  if (format === 'csv' || format === 'tsv') return writeRows(io.stdout, format, shown, once(rows), { header: globalFlags.header });
  if (several) return writeTable(io.stdout, shown, rows, { paint, now: io.now(), zone, note });
  for (const row of rows) await writeRecord(io.stdout, settings.fields ? shown : columns.all, row, { paint, now: io.now(), zone });
}

function picked<Row>(columns: readonly { readonly name: string; readonly value: (row: Row) => unknown }[], row: Row): unknown {
  return Object.fromEntries(columns.map(({ name, value }) => [name, value(row)] as const).filter(([, value]) => value !== undefined));
}

/** Writes what a dry run would do, in a sentence for each record. */
async function writeDryRun<Row>({ io, zone }: Context, rows: readonly Row[], sentence: ChangeSentence<Row>): Promise<void> {
  const sentences = rows.map((row) => sanitiseCell(sentence(row, dryRunForm, zone)).replace(/\.?$/, '.'));
  const [only] = sentences;
  await writeText(io.stdout, only !== undefined && sentences.length === 1 ? `${only} ${nothingChanged}\n` : `${[...sentences, nothingChanged].join('\n')}\n`);
}

/** Shows what a change did, or would do. */
export async function showChange<Row>(
  context: Context,
  shown: Shown<Row>,
  rows: readonly Row[],
  several: boolean,
  sentence: ChangeSentence<Row>,
  dryRun: true | undefined,
): Promise<void> {
  if (dryRun === true && context.settings.format === undefined) return writeDryRun(context, rows, sentence);
  await showRecords(context, shown, rows, several, (row) => sentence(row, changedForm, context.zone));
  if (dryRun === true) await context.note(nothingChanged);
}

/** Whether a command was called for several records. Ids on standard input count as several: JSON is then always an array. */
function namesSeveral(all: Arguments, words: readonly string[]): boolean {
  const [one] = Object.values(all);
  return words.length > 1 || (one?.dashReadsStdin === true && words.includes('-'));
}

/** The only argument of a command that reads or changes several records: it names one or more of them. */
type RecordArgument<Name extends string, T> = Readonly<Record<Name, Argument<readonly T[]>>>;

/** The values for one of the records: the argument holds one value instead of the list. */
type OneRecord<Name extends string, T> = Readonly<Record<Name, T>>;

/** The values of a command, once for each record that its argument names. */
function eachRecord(all: Arguments, values: Readonly<Record<string, unknown>>): readonly unknown[] {
  const [name = ''] = Object.keys(all);
  return (values[name] as readonly unknown[]).map((one) => ({ ...values, [name]: one }));
}

/** Declares a command that shows one or more records. */
export function viewCommand<Name extends string, T, Request, Input, Row>(
  declaration: CommandDeclaration<RecordArgument<Name, T>, NoFlags> &
    Shown<Row> & {
      readonly arguments: RecordArgument<Name, T>;
      readonly operation: Operation<Request, Input, Row>;
      readonly input: (values: OneRecord<Name, T>, call: Call) => Promise<NoInfer<Request>> | NoInfer<Request>;
    },
): Command {
  const { operation, input } = declaration;
  return buildCommand({
    ...declaration,
    operations: [operation],
    run: async (context, values: Readonly<Record<string, unknown>>, words) => {
      const { call, callEach } = await context.shop();
      const inputs: Request[] = [];
      for (const one of eachRecord(declaration.arguments, values)) inputs.push(await input(one as OneRecord<Name, T>, call));
      await showRecords(context, declaration, await callEach(operation, inputs), namesSeveral(declaration.arguments, words));
    },
  });
}

/** Declares a command that changes one or more records, all of them or none. */
export function changeEachCommand<Name extends string, T, Request, Input, Row, F extends Flags = NoFlags>(
  declaration: CommandDeclaration<RecordArgument<Name, T>, F> &
    Shown<Row> & {
      readonly arguments: RecordArgument<Name, T>;
      readonly operation: Operation<Request, Input, Row>;
      readonly input: (values: OneRecord<Name, T> & FlagValues<F>, call: Call) => Promise<NoInfer<Request>> | NoInfer<Request>;
      readonly sentence: ChangeSentence<Row>;
      /** The question to confirm, where the change cannot be undone. */
      readonly question?: (rows: readonly Row[]) => string;
    },
): Command {
  const { operation, flags, input, sentence, question } = declaration;
  return buildCommand({
    ...declaration,
    operations: [operation],
    flags: { ...flags, ...mutationFlags },
    mutates: true,
    run: async (context, values: FlagValues<typeof mutationFlags>, words) => {
      const shop = await context.shop();
      const inputs: Request[] = [];
      for (const one of eachRecord(declaration.arguments, values)) inputs.push(await input(one as OneRecord<Name, T> & FlagValues<F>, shop.call));
      if (question && !values.yes && !values.dryRun) {
        // A dry run first: a change that will be refused needs no confirmation.
        await context.confirm(question(await shop.callEach(operation, inputs, { dryRun: true, key: values.key })), values);
      }
      const rows = await shop.callEach(operation, inputs, callOptions(context, values));
      await showChange(context, declaration, rows, namesSeveral(declaration.arguments, words), sentence, values.dryRun);
    },
  });
}

/** Declares a command that makes one change. */
export function changeCommand<Request, Input, Row, A extends Arguments = NoArguments, F extends Flags = NoFlags>(
  declaration: CommandDeclaration<A, F> &
    Shown<Row> & {
      readonly operation: Operation<Request, Input, Row>;
      readonly input: (values: CommandValues<A, F>, call: Call) => Promise<NoInfer<Request>> | NoInfer<Request>;
      readonly sentence: (row: Row, verb: VerbForm, values: CommandValues<A, F>, zone: TimeZone) => string;
    },
): Command {
  const { operation, flags, input, sentence } = declaration;
  return buildCommand({
    ...declaration,
    operations: [operation],
    flags: { ...flags, ...mutationFlags },
    mutates: true,
    run: async (context, values: CommandValues<A, F> & FlagValues<typeof mutationFlags>) => {
      // Opens the shop only when the input is valid: a usage error does not wait for a lock.
      let opened: Shop | undefined;
      const call: Call = async (...request) => (opened ??= await context.shop()).call(...request);
      const asked = await input(values, call);
      const row = await call(operation, asked, callOptions(context, values));
      await showChange(context, declaration, [row], false, (changed, verb, zone) => sentence(changed, verb, values, zone), values.dryRun);
    },
  });
}
