import { actionNeededExitCode, exitCodes } from './exit-codes.js';
import { rejectsWriter } from './output/rejects-writer.js';
import { categoryName } from '../domain/categories/category.js';
import { commandText, withShopFlags } from './command-text.js';
import { optional, type NoArguments } from './arguments.js';
import { StoreError } from '../domain/errors.js';
import type { ImportFile } from '../domain/imports/import-file.js';
import type { ImportOptions } from '../domain/imports/import-options.js';
import type { ImportReport } from '../domain/imports/import-report.js';
import type { RowError } from '../domain/imports/row-error.js';
import type { Shop } from '../domain/shop.js';
import type { Command, Path, Context } from './command.js';
import { buildCommand, type CommandDeclaration } from './declare-command.js';
import { mutationFlags } from './mutation-flags.js';
import { completeFiles } from './completion/completers.js';
import { fileArgument } from './shared-arguments.js';
import { grouped } from './output/numbers.js';
import { choice, flag, repeatedFlag, toggle, type Flags, type FlagValues } from './flags.js';
import { nameText, anyText, wholeNumber } from './readers.js';
import { isJson, jsonText } from '../settings/output-format.js';
import type { Io } from './io.js';
import { plain, type Paint } from './output/colours.js';
import { progressOf } from './output/progress.js';
import { filePrompt } from './prompts/shared-prompts.js';
import { sanitiseCell } from './output/sanitise.js';

/** The flags that every import takes. */
export const importFlags = {
  inputFormat: choice({
    long: 'input-format',
    value: 'format',
    summary: 'the format of the file, if its name does not tell',
    choices: ['csv', 'tsv', 'ndjson', 'json'],
  }),
  delimiter: flag({ long: 'delimiter', value: 'character', summary: 'the separator of a CSV file', read: anyText }),
  map: repeatedFlag({ long: 'map', value: 'theirs=ours', summary: 'read a column of the file under this name; may be repeated', read: mapping }),
  keepGoing: toggle({ long: 'keep-going', summary: 'apply the valid rows even if others are refused' }),
  maxErrors: flag({ long: 'max-errors', value: 'n', summary: 'with --keep-going: refuse the file if more rows than this are refused', read: wholeNumber }),
  rejects: flag({
    long: 'rejects',
    value: 'file',
    summary: 'write the refused rows to this file, to be corrected and imported again',
    read: nameText,
    complete: completeFiles,
  }),
  ...mutationFlags,
};

function mapping(value: string, name: string): readonly [string, string] {
  const at = value.lastIndexOf('=');
  if (at < 1 || at === value.length - 1) throw new StoreError('usage', `${name} takes their header and ours, such as "Animal's Name=name", not "${value}".`);
  return [value.slice(0, at), value.slice(at + 1)];
}

const shownErrors = 20;

function exitCodeOf({ applied, unchanged, alreadyApplied, rejected, conflictsOnly }: ImportReport): number {
  if (rejected === 0) return 0;
  if (applied + unchanged + alreadyApplied > 0) return exitCodes.partial_failure;
  return exitCodes[conflictsOnly === true ? 'stock_reserved' : 'import_refused'];
}

/**
 * One refused row as a person reads it; the column is left out where the code names it. `invalid_quantity` does not name
 * `expected`.
 */
function refusalLine(name: string, { line, code, column, value, message }: RowError): string {
  const isNamed = column !== undefined && value !== undefined && code !== 'validation_failed' && column !== 'expected';
  const said = isNamed && message.startsWith(`${column} `) ? message.slice(column.length + 1) : message;
  const isMissingName = code === 'unknown_category' && value !== undefined && categoryName(value) !== undefined;
  const advised = isMissingName ? `${said.replace(/\.$/, '')}, or use --create-categories.` : said;
  return sanitiseCell(`${name}:${line}: ${code} ${advised}`);
}

/** Tells the first refused rows of an import. */
export type TellRefusals = (refused: Pick<ImportReport, 'errors' | 'rejected'>) => Promise<void>;

/** Tells refused rows as a person reads them; those that were told before a question are not told again after it. */
function refusalsTeller({ stderr }: Io, name: string): TellRefusals {
  let told = '';
  return async ({ errors, rejected }) => {
    const lines = errors.slice(0, shownErrors).map((error) => refusalLine(name, error));
    if (rejected > shownErrors) lines.push(`… and ${grouped(rejected - shownErrors)} more`);
    const shown = lines.map((line) => `${line}\n`).join('');
    if (shown !== told) await stderr.write(shown);
    told = shown;
  };
}

/** How the rows that nothing is wrong with come in where the others kept them out. */
function wayIn({ mode, total, rejected, alreadyApplied }: ImportReport): string | undefined {
  const fine = total - rejected - alreadyApplied;
  if (fine === 0) return undefined;
  const [rows, them] = fine === 1 ? ['row is', 'it'] : [`${grouped(fine)} rows are`, 'them'];
  return `The other ${rows} fine: ${mode === 'atomic' ? '--keep-going' : 'a higher --max-errors'} takes ${them}.`;
}

/** Which names were taken for a category of another name. */
function takenText({ takenFor = [], takenForOmitted = 0 }: ImportReport): string | undefined {
  if (takenFor.length === 0) return undefined;
  const shown = takenFor.slice(0, shownErrors).map(({ name, category }) => `"${sanitiseCell(name)}" as "${sanitiseCell(category)}"`);
  const more = takenFor.length - shown.length + takenForOmitted;
  return `Matched these categories by another spelling: ${shown.join(', ')}${more > 0 ? ` and ${grouped(more)} more` : ''}.`;
}

/** Says a line of what an import did; the marks have the colours of where it goes. */
interface Speech {
  readonly say: (line: string) => Promise<void>;
  readonly paint: Paint;
}

/** What an import did, as a person reads it. */
async function tell({ note, settings, globalFlags }: Context, { say, paint }: Speech, report: ImportReport, undoable: boolean): Promise<void> {
  const { applied, unchanged, rejected, alreadyApplied, earlier, batch, dryRun } = report;
  if (earlier) {
    const undone = earlier.undone === true ? ' and undone since; to apply it again, use a new --key' : '';
    return say(`${paint.green('✓')} Already applied on ${earlier.at} by ${sanitiseCell(earlier.actor)} as batch ${batch}${undone}; nothing was changed.`);
  }
  const counts = `${grouped(applied)} applied, ${grouped(unchanged)} unchanged, ${grouped(rejected)} rejected`;
  const nothing = rejected > 0 && applied + unchanged === 0;
  const already = alreadyApplied > 0 ? `, ${grouped(alreadyApplied)} already applied` : '';
  const undoLine = sanitiseCell(commandText(withShopFlags(['inventory', 'undo', String(batch)], globalFlags, settings)));
  const undo = undoable && applied > 0 && !dryRun ? `   undo: ${undoLine}` : '';
  await say(`${nothing ? paint.red('✗') : paint.green('✓')} ${counts}${already}${batch === null ? '' : `   batch ${batch}`}${undo}`);
  if (nothing) await say('Nothing was changed.');
  const way = nothing ? wayIn(report) : undefined;
  if (way !== undefined) await note(way);
  const taken = takenText(report);
  if (taken !== undefined) await note(taken);
  if (dryRun) await note('Dry run: nothing was changed.');
}

/** How an import command answers. */
interface Answering {
  /** Whether the batch can be taken back. */
  readonly undoable: boolean;
  /** Whether it can write what it changes as rows. */
  readonly lists: boolean;
}

/** Answers with the report of an import in the format asked for. */
async function answer(context: Context, report: ImportReport, { undoable, lists }: Answering, tellRefusals: TellRefusals): Promise<void> {
  const { io, settings, note, paint } = context;
  const { format } = settings;
  if (isJson(format)) {
    const shown = { ...(format === 'ndjson' && { type: 'summary' }), ...report, earlier: undefined, conflictsOnly: undefined };
    return io.stdout.write(jsonText(shown, format));
  }
  await tellRefusals(report);
  if (lists && format === 'count') await io.stdout.write(`${report.applied}\n`);
  // Where the changes are the result, what is said of them is not.
  const aside = lists && format !== undefined && format !== 'table';
  const say = aside ? note : (line: string): Promise<void> => io.stdout.write(`${line}\n`);
  await tell(context, { say, paint: aside ? plain : paint }, report, undoable);
}

/** What an import command does with its file. */
interface Importing<F extends Flags> extends Answering {
  /** Whether it changes nothing, and ends with exit code 8 if the file would change something. */
  readonly previewOnly?: boolean;
  readonly run: (task: Task, options: ImportOptions, flags: FlagValues<typeof importFlags> & FlagValues<NoInfer<F>>) => Promise<ImportReport>;
}

/** What an import command works with. */
export interface Task {
  readonly context: Context;
  readonly shop: Shop;
  readonly file: ImportFile;
  readonly tellRefusals: TellRefusals;
}

async function fileOf(io: Io, path: string, commandPath: Path, { inputFormat, delimiter, map }: FlagValues<typeof importFlags>): Promise<ImportFile> {
  const source = { format: inputFormat, delimiter, map: new Map(map) };
  if (path !== '-') return { ...source, bytes: io.readFile(path), name: path };
  if (!io.stdin.isTerminal) return { ...source, bytes: io.stdin.bytes() };
  throw new StoreError('input_required', 'No file to import.', {
    advice: `Name a file, or pipe one in; see: petstore ${commandPath.join(' ')} --help`,
  });
}

/** Declares a command that imports a file, with the flags of every import and its own. */
export function importCommand<F extends Flags>({
  flags,
  run,
  undoable,
  lists,
  previewOnly = false,
  ...texts
}: Omit<CommandDeclaration<NoArguments, F>, 'arguments'> & Importing<F>): Command {
  return buildCommand({
    ...texts,
    arguments: { file: optional({ ...fileArgument, prompt: filePrompt('Which file?') }) },
    flags: { ...importFlags, ...flags },
    mutates: !previewOnly,
    exits: ['partial_failure', 'stock_reserved', 'unauthenticated', ...(previewOnly ? [actionNeededExitCode] : [])],
    run: async (context, values: FlagValues<typeof importFlags> & FlagValues<F> & { readonly file: string | undefined }) => {
      const { io } = context;
      const { file: path = '-' } = values;
      const file = await fileOf(io, path, texts.path, values);
      const rejects = values.rejects === undefined ? undefined : rejectsWriter(context, values.rejects, path);
      const shop = await context.shop();
      const { progress, stop } = await progressOf(context, path === '-' ? undefined : io.sizeOf(path));
      const options: ImportOptions = {
        mode: values.keepGoing === true ? 'keep-going' : 'atomic',
        dryRun: previewOnly || values.dryRun === true,
        maxErrors: values.maxErrors,
        key: values.key,
        note: values.note,
        onRejected: rejects?.add,
        onIgnored: (columns) => void context.note(`Ignored: ${columns.join(', ')}.`),
      };
      const tellRefusals = refusalsTeller(io, path === '-' ? 'standard input' : path);
      const task = { context, shop, file: { ...file, bytes: progress(file.bytes) }, tellRefusals };
      const importAndAnswer = async (): Promise<ImportReport> => {
        const done = await run(task, options, values).finally(stop);
        await answer(context, done, { undoable, lists }, tellRefusals);
        return done;
      };
      const report = await importAndAnswer().catch(async (error: unknown) => {
        // The refused rows known so far are kept; a failure to write them must not hide this error.
        await rejects?.close().catch(() => undefined);
        throw error;
      });
      // After the answer, which a failure to write the refused rows must not hide.
      await rejects?.close();
      const exitCode = exitCodeOf(report);
      return exitCode === 0 && previewOnly && report.applied > 0 ? actionNeededExitCode : exitCode;
    },
  });
}
