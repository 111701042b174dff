import type { Operation } from '../domain/operation.js';
import type { Call, CallOptions } from '../domain/call.js';
import { implausibleText, isPlausible } from '../domain/inventory/plausible-units.js';
import type { Shop } from '../domain/shop.js';
import { readsStdin, type Argument, type Arguments, type NoArguments } from './arguments.js';
import { buildCommand, type CommandDeclaration, type CommandValues } from './declare-command.js';
import { callOptions, mutationFlags, nothingChanged } from './mutation-flags.js';
import type { Command, Context } from './command.js';
import type { Versioned } from '../domain/values/version.js';
import type { TimeZone } from '../domain/values/time-zone.js';
import type { Flags, FlagValues, NoFlags } from './flags.js';
import { canAsk } from './prompts/prompt.js';
import { isJson, jsonText } from '../settings/output-format.js';
import { sanitiseCell } from './output/sanitise.js';
import { writeText } from './output/wrapped-text.js';
import { chosenColumns, formatOfResult, writeList, writeRecord, type Columns } from './output/view.js';

/**
 * Chooses between the forms of a verb: that of a change, that of a dry run ("Deleted", "Would delete"), and that for a record which
 * was so already ("Unchanged:").
 */
export type VerbForm = (changed: string, dryRun: string, unchanged?: string) => string;

/** Says in a sentence what a change did to a record, or would do. */
export type ChangeSentence<Row> = (row: Row, verb: VerbForm, zone: TimeZone) => string;

interface ShownRecords<Row> {
  readonly columns: Columns<Row>;
  readonly rows: readonly Row[];
  /** The record as JSON has it without --fields, where its columns do not show all of it. */
  readonly record?: (row: Row) => unknown;
  /** Whether they are a list, which is an array in JSON and a table at a terminal even if it has one row. */
  readonly isList?: boolean | undefined;
  /** What is said about each where no format is given, instead of showing it. */
  readonly sentence?: (row: Row) => string;
}

/** Shows records in the format of the settings; without one in sentences, or as a table at a terminal and TSV in a pipe. */
export async function showRecords<Row>(context: Context, { columns, record, rows, isList = false, sentence }: ShownRecords<Row>): Promise<void> {
  const { io, settings, paint } = context;
  if (settings.format === undefined && sentence !== undefined)
    return writeText(io.stdout, rows.map((row) => `${paint.green('✓')} ${sanitiseCell(sentence(row))}\n`).join(''));
  const format = formatOfResult(context);
  const shown = chosenColumns(columns, settings.fields, format);
  if (isJson(format)) {
    const records = rows.map((row) => (settings.fields === undefined && record ? record(row) : picked(shown, row)));
    return io.stdout.write(format === 'json' ? jsonText(isList ? records : records[0], format) : records.map((one) => jsonText(one, format)).join(''));
  }
  if (isList || format !== 'table') return writeList(context, format, columns, rows);
  for (const row of rows) await writeRecord(context, settings.fields ? shown : columns.all, row);
}

/** Shows a record with a new secret: the secret alone, for use in `$( )`, unless a format is given. */
export async function showSecret<Row>(context: Context, columns: Columns<Row>, row: Row, notes: readonly string[]): Promise<void> {
  const { settings } = context;
  await showRecords({ ...context, settings: { ...settings, format: settings.format ?? 'tsv' } }, { columns, rows: [row] });
  for (const note of notes) await context.note(note);
}

/** The form of a verb for a record after a change, or after a dry run of it. */
function verbFormOf(row: Versioned, isDryRun: true | undefined): VerbForm {
  return (changed, dryRun, unchanged = changed) => (row.unchanged === true ? unchanged : isDryRun === true ? dryRun : changed);
}

function picked<Row>(columns: readonly { readonly name: string; readonly value: (row: Row) => unknown }[], row: Row): unknown {
  return Object.fromEntries(columns.map(({ name, value }) => [name, value(row)] as const).filter(([, value]) => value !== undefined));
}

async function writeDryRun<Row extends object>({ io, zone }: Context, rows: readonly Row[], sentence: ChangeSentence<Row>): Promise<void> {
  const sentences = rows.map((row) => sanitiseCell(sentence(row, verbFormOf(row, true), zone)).replace(/\.?$/, '.'));
  const [only] = sentences;
  await writeText(io.stdout, only !== undefined && sentences.length === 1 ? `${only} ${nothingChanged}\n` : `${[...sentences, nothingChanged].join('\n')}\n`);
}

/** Records after a change, or as they would be after it. */
interface ShownChange<Row> extends Omit<ShownRecords<Row>, 'sentence'> {
  readonly sentence: ChangeSentence<Row>;
  readonly dryRun: true | undefined;
}

/** Shows what a change did, or would do. */
export async function showChange<Row extends object>(context: Context, { sentence, dryRun, ...shown }: ShownChange<Row>): Promise<void> {
  if (dryRun === true && context.settings.format === undefined) return writeDryRun(context, shown.rows, sentence);
  await showRecords(context, { ...shown, sentence: (row) => sentence(row, verbFormOf(row, dryRun), context.zone) });
  if (dryRun === true) await context.note(nothingChanged);
}

/** Whether a command was called for several records. Ids on standard input count as several: JSON is then always an array. */
export function namesSeveral(all: Arguments, words: readonly string[]): boolean {
  return words.length > 1 || readsStdin(all, words);
}

/** The only argument of a command that reads or changes several records: it names one or more of them. */
type RecordArgument<Name extends string, T> = Readonly<Record<Name, Argument<readonly T[]>>>;

/** The values for one of the records: the argument holds one value instead of the list. */
type OneRecord<Name extends string, T> = Readonly<Record<Name, T>>;

/** The requests of a command, one for each record that its argument names. */
async function requestsOf<Values, Request>(all: Arguments, values: object, input: (one: Values) => Promise<Request> | Request): Promise<readonly Request[]> {
  const [name = ''] = Object.keys(all);
  const requests: Request[] = [];
  for (const one of values[name as never] as readonly unknown[]) requests.push(await input({ ...values, [name]: one } as Values));
  return requests;
}

type Mutation = Partial<FlagValues<typeof mutationFlags>>;

/** Makes a change, or tries it in a dry run. */
type Make<Answer> = (options: CallOptions, shop: Shop) => Promise<Answer>;

/** Makes a change, after a confirmation where there is a question about what a dry run of it answers. */
export async function makeConfirmed<Answer>(
  context: Context,
  mutation: Mutation,
  make: Make<Answer>,
  question: ((tried: Answer) => string) | undefined,
): Promise<Answer> {
  const { yes, dryRun, key } = mutation;
  const shop = await context.shop();
  // A dry run first: a change that will be refused needs no confirmation.
  if (question && yes !== true && dryRun !== true) await context.confirm(question(await make({ dryRun: true, key }, shop)), { yes, dryRun });
  return make(callOptions(context, mutation), shop);
}

/** What is said about a change that is probably a mistake, and the question that follows it at a terminal. */
interface Doubt {
  readonly said: string;
  readonly question: string;
  /** Whether it is refused without --yes where nothing can be asked; otherwise it is said after the change. */
  readonly needsYes?: true;
}

/** The doubt about a number of units that is more likely a code which was scanned into it. */
export function unitsDoubt(units: number): Doubt | undefined {
  return isPlausible(units) ? undefined : { said: implausibleText(units), question: 'Take it as units?', needsYes: true };
}

/** A change that a command makes, and how it shows it. */
export interface CommandChange<Row> extends Omit<ShownChange<Row>, 'rows' | 'dryRun'> {
  readonly make: Make<Row | readonly Row[]>;
  /** The question to confirm, where the change cannot be undone; `rows` are those of a dry run. */
  readonly question?: ((rows: readonly Row[]) => string) | undefined;
  readonly doubt?: Doubt | undefined;
}

const rowsOf = <Row>(made: Row | readonly Row[]): readonly Row[] => [made].flat() as readonly Row[];

/** Makes a change, after a confirmation where it needs one, and shows what it did; answers the records after it. */
export async function makeChange<Row extends object>(
  context: Context,
  mutation: Mutation,
  { make, question, doubt, ...shown }: CommandChange<Row>,
): Promise<readonly Row[]> {
  const { yes, dryRun } = mutation;
  // Only where there is a doubt: looking at standard input loads modules.
  const asksDoubt = doubt !== undefined && (doubt.needsYes === true || (yes !== true && dryRun !== true && canAsk(context.io, context.settings)));
  const asked = asksDoubt ? () => `${doubt.said} ${doubt.question}` : question && ((tried: Row | readonly Row[]) => question(rowsOf(tried)));
  const rows = rowsOf(await makeConfirmed(context, mutation, make, asked));
  await showChange(context, { ...shown, rows, dryRun });
  // After the change: a refusal is the only output on standard error. A dry run asks nothing.
  if (doubt !== undefined && (!asksDoubt || dryRun === true)) await context.note(doubt.said);
  return rows;
}

/** Declares a command that shows one or more records. */
export function viewCommand<Name extends string, T, Request, Input, Row>(
  declaration: CommandDeclaration<RecordArgument<Name, T>, NoFlags> & {
    readonly arguments: RecordArgument<Name, T>;
    readonly operation: Operation<Request, Input, Row>;
    readonly input: (values: OneRecord<Name, T>, call: Call) => Promise<NoInfer<Request>> | NoInfer<Request>;
    readonly columns: Columns<Row>;
  },
): Command {
  const { operation, input, columns } = declaration;
  return buildCommand({
    ...declaration,
    operations: [operation],
    run: async (context, values: object, words) => {
      const { call, callEach } = await context.shop();
      const rows = await callEach(operation, await requestsOf(declaration.arguments, values, (one: OneRecord<Name, T>) => input(one, call)));
      await showRecords(context, { columns, rows, isList: namesSeveral(declaration.arguments, words) });
    },
  });
}

/** Declares a command that changes one or more records, all of them or none. */
export function changeEachCommand<Name extends string, T, Request, Input, Row extends object, F extends Flags = NoFlags>(
  declaration: CommandDeclaration<RecordArgument<Name, T>, F> & {
    readonly arguments: RecordArgument<Name, T>;
    readonly operation: Operation<Request, Input, Row>;
    readonly input: (values: OneRecord<Name, T> & FlagValues<F>, call: Call) => Promise<NoInfer<Request>> | NoInfer<Request>;
    readonly columns: Columns<Row>;
    readonly sentence: ChangeSentence<Row>;
    readonly question?: CommandChange<Row>['question'];
  },
): Command {
  const { columns, operation, flags, input, sentence, question } = declaration;
  return buildCommand({
    ...declaration,
    operations: [operation],
    flags: { ...flags, ...mutationFlags },
    mutates: true,
    run: async (context, values: FlagValues<typeof mutationFlags>, words) => {
      const { call, callEach } = await context.shop();
      const inputs = await requestsOf(declaration.arguments, values, (one: OneRecord<Name, T> & FlagValues<F>) => input(one, call));
      const make = (options: CallOptions) => callEach(operation, inputs, options);
      const isList = namesSeveral(declaration.arguments, words);
      await makeChange(context, values, { columns, make, isList, sentence, question });
    },
  });
}

/** Declares a command that makes one change. */
export function changeCommand<Request, Input, Row extends object, A extends Arguments = NoArguments, F extends Flags = NoFlags>(
  declaration: CommandDeclaration<A, F> & {
    readonly operation: Operation<Request, Input, Row>;
    readonly input: (values: CommandValues<A, F>, call: Call) => Promise<NoInfer<Request>> | NoInfer<Request>;
    readonly columns: Columns<Row>;
    readonly sentence: (row: Row, verb: VerbForm, values: CommandValues<A, F>, zone: TimeZone) => string;
    readonly doubt?: (
      request: NoInfer<Request>,
      call: Call,
      values: CommandValues<A, F> & FlagValues<typeof mutationFlags>,
    ) => Promise<Doubt | undefined> | Doubt | undefined;
    /** The question to confirm, where the change cannot be undone. */
    readonly question?: (values: CommandValues<A, F>) => string;
  },
): Command {
  const { columns, operation, flags, input, sentence, doubt, question } = declaration;
  return buildCommand({
    ...declaration,
    operations: [operation],
    flags: { ...flags, ...mutationFlags },
    mutates: true,
    run: async (context, values: CommandValues<A, F> & FlagValues<typeof mutationFlags>) => {
      const { call } = context;
      // The shop is opened only when the input is valid: a usage error does not wait for a lock.
      const request = await input(values, call);
      await makeChange(context, values, {
        columns,
        make: (options) => call(operation, request, options),
        question: question && (() => question(values)),
        doubt: await doubt?.(request, call, values),
        sentence: (changed, verb, zone) => sentence(changed, verb, values, zone),
      });
    },
  });
}
