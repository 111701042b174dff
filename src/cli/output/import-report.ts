import { clockText } from './time-text.js';
import type { ImportReport } from '../../domain/imports/import-report.js';
import { exitCodes } from '../exit-codes.js';
import type { RowError } from '../../domain/imports/row-error.js';
import { recordName } from '../../domain/values/record-name.js';
import { sanitiseCell } from './sanitise.js';
import { writeText } from './wrapped-text.js';
import type { Io } from '../io.js';
import { firstLines } from './line-problems.js';
import { grouped } from './numbers.js';
import { plain } from './colours.js';
import type { Context } from '../command.js';
import { commandForShop } from '../command-text.js';
import { nothingChanged } from '../mutation-flags.js';
import { isForPeople, isJson, jsonText } from '../../settings/output-format.js';

/** The exit code of an import: 0, partial failure, or refused, for the reserved stock or other reasons. */
export function importExitCode({ applied, unchanged, alreadyApplied, rejected, conflictsOnly }: ImportReport): number {
  if (rejected === 0) return 0;
  if (applied + unchanged + alreadyApplied > 0) return exitCodes.partial_failure;
  return exitCodes[conflictsOnly === true ? 'stock_reserved' : 'import_refused'];
}

/** The line of a refused row. The message does not repeat the column if the code names it; `invalid_quantity` does not name `expected`. */
function refusalLine(name: string, { line, code, column, value, message }: RowError): string {
  const isNamed = column !== undefined && value !== undefined && code !== 'validation_failed' && column !== 'expected';
  const said = isNamed && message.startsWith(`${column} `) ? message.slice(column.length + 1) : message;
  const isMissingName = code === 'unknown_category' && value !== undefined && recordName(value) !== undefined;
  const advised = isMissingName ? `${said.replace(/\.$/, '')}, or use --create-categories.` : said;
  return sanitiseCell(`${name}:${line}: ${code} ${advised}`);
}

/** Lines about the first refused rows; the rows of a category that is missing share one. */
function refusalLines(name: string, { errors, rejected }: Pick<ImportReport, 'errors' | 'rejected'>): readonly string[] {
  const groups = new Map<RowError | string, { readonly first: RowError; rows: number }>();
  for (const error of errors) {
    const key = error.code === 'unknown_category' ? error.message : error;
    const group = groups.get(key);
    if (group === undefined) groups.set(key, { first: error, rows: 1 });
    else group.rows += 1;
  }
  const omitted = rejected - errors.length;
  const lines = [...groups.values()].map(({ first, rows }) => {
    const line = refusalLine(name, first);
    return rows === 1 ? line : `${line} ${omitted > 0 ? 'At least ' : ''}${grouped(rows)} rows name it.`;
  });
  return firstLines(lines, lines.length + omitted);
}

/** Writes the first refused rows of an import to standard error. */
export type WriteRefusals = (refused: Pick<ImportReport, 'errors' | 'rejected'>) => Promise<void>;

/** Writes refused rows, but not a second time after they were shown before a question. */
export function refusalsWriter({ stderr }: Io, name: string): WriteRefusals {
  let written = '';
  return async (refused) => {
    const shown = refusalLines(name, refused)
      .map((line) => `${line}\n`)
      .join('');
    if (shown !== written) await writeText(stderr, shown);
    written = shown;
  };
}

/** Why nothing was imported: "2 rows are wrong." */
function refusedText({ rejected, alreadyApplied, conflictsOnly }: ImportReport): string {
  const isOne = rejected === 1;
  const problem = conflictsOnly === true ? (isOne ? 'conflicts with the shop' : 'conflict with the shop') : isOne ? 'is wrong' : 'are wrong';
  const already = alreadyApplied === 0 ? '' : `, ${grouped(alreadyApplied)} already applied`;
  return `${grouped(rejected)} ${isOne ? 'row' : 'rows'} ${problem}${already}.`;
}

/** How to import the correct rows when the refused ones kept them out. */
function retryAdvice({ mode, total, rejected, alreadyApplied }: ImportReport): string | undefined {
  const fine = total - rejected - alreadyApplied;
  if (fine === 0) return undefined;
  const [rows, them] = fine === 1 ? ['1 row is', 'it'] : [`${grouped(fine)} rows are`, 'them'];
  return `${rows} valid; use ${mode === 'atomic' ? '--keep-going' : 'a higher --max-errors'} to import ${them}.`;
}

/** What to check about rows that were not refused, a line for each. */
function warningLines({ warnings = [], warningsOmitted = 0 }: ImportReport): readonly string[] {
  const lines = warnings.map(({ line, message }) => `Line ${line}: ${sanitiseCell(message)}`);
  return firstLines(lines, warnings.length + warningsOmitted);
}

async function writeSummary(context: Context, report: ImportReport, undoable: boolean): Promise<void> {
  const { io, settings, note, zone } = context;
  // Changes written as rows are the result; the summary is then a note on standard error.
  const isNote = !isForPeople(settings.format);
  const writeLine = isNote ? note : (line: string): Promise<void> => writeText(io.stdout, `${line}\n`);
  const paint = isNote ? plain : context.paint;
  const { applied, unchanged, rejected, alreadyApplied, earlier, batch, dryRun } = report;
  if (earlier) {
    const undone = earlier.undone === true ? ' and undone since; to apply it again, use a new --key' : '';
    return writeLine(
      `${paint.green('✓')} Already applied on ${clockText(earlier.at, zone)} by ${sanitiseCell(earlier.actor)} as batch ${batch}${undone}; nothing was changed.`,
    );
  }
  if (rejected > 0 && applied + unchanged === 0) {
    await writeLine(`${paint.red('✗')} Nothing ${dryRun ? 'would be' : 'was'} imported: ${refusedText(report)}`);
    const advice = retryAdvice(report);
    if (advice !== undefined) await note(advice);
  } else {
    const counts = `${grouped(applied)} applied, ${grouped(unchanged)} unchanged, ${grouped(rejected)} rejected`;
    const already = alreadyApplied > 0 ? `, ${grouped(alreadyApplied)} already applied` : '';
    const batchText = batch === null ? '' : `   batch ${batch}`;
    const undoLine = sanitiseCell(commandForShop(['inventory', 'undo', String(batch)], context));
    const undo = undoable && applied > 0 && !dryRun ? `   undo: ${undoLine}` : '';
    await writeLine(`${paint.green('✓')} ${counts}${already}${batchText}${undo}`);
  }
  const { multiplied } = report;
  if (multiplied !== undefined) await note(`${multiplied === 1 ? '1 row was' : `${grouped(multiplied)} rows were`} multiplied by the units of the code.`);
  for (const line of warningLines(report)) await note(line);
  if (dryRun) await note(nothingChanged);
}

/** Writes the report of an import in the chosen format; `undoable` where its batch can be undone. */
export async function writeImportReport(context: Context, report: ImportReport, undoable: boolean, writeRefusals: WriteRefusals): Promise<void> {
  const { io, settings } = context;
  const { format } = settings;
  if (isJson(format)) {
    const shown = { ...(format === 'ndjson' && { type: 'summary' }), ...report, earlier: undefined, conflictsOnly: undefined };
    return io.stdout.write(jsonText(shown, format));
  }
  await writeRefusals(report);
  if (format === 'count') await io.stdout.write(`${report.applied}\n`);
  await writeSummary(context, report, undoable);
}
