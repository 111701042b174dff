import { StoreError, meaningOf } from '../domain/errors.js';
import type { ImportFile, ImportOptions, ImportReport, OriginalRow, RowError } from '../domain/imports.js';
import type { Shop } from '../domain/shop.js';
import { rowWriter } from '../formats/writer.js';
import { command, mutationFlags, type Command, type Context } from './command.js';
import { choice, flag, repeatedFlag, text, toggle, wholeNumber, type Flags, type FlagValues } from './flags.js';
import type { FileOutput } from './io.js';
import { sanitiseCell } from './sanitise.js';

/** The flags that every import takes. */
export const importFlags = {
  inputFormat: choice('--input-format <format>', 'what the file is, when its name does not say', ['csv', 'tsv', 'ndjson', 'json']),
  delimiter: flag('--delimiter <character>', 'what stands between the cells of a CSV file', text),
  map: repeatedFlag('--map <theirs=ours>', 'what one of their headers is called here; may be repeated', mapping),
  keepGoing: toggle('--keep-going', 'apply the good rows even when some are refused'),
  maxErrors: flag('--max-errors <n>', 'with --keep-going: refuse everything beyond so many refused rows', wholeNumber),
  rejects: flag('--rejects <file>', 'write the refused rows there, ready to be mended and imported', text),
  ...mutationFlags,
};

function mapping(value: string, name: string): readonly [string, string] {
  const at = value.lastIndexOf('=');
  if (at < 1 || at === value.length - 1) throw new StoreError('usage', `${name} takes their header and ours, such as "Animal's Name=name", not "${value}".`);
  return [value.slice(0, at), value.slice(at + 1)];
}

const shownErrors = 20;

/** Writes refused rows back in their own format with `_line`, `_code` and `_message`. */
function rejectsWriter(
  context: Context,
  path: string,
): { readonly add: (error: RowError, row: OriginalRow | undefined) => void; readonly close: () => Promise<void> } {
  const refused: { readonly error: RowError; readonly row: OriginalRow }[] = [];
  return {
    add: (error, row) => {
      if (row) refused.push({ error, row });
    },
    close: async () => {
      const [first] = refused;
      if (first === undefined) return;
      const file: FileOutput = context.io.writeFile(path, true);
      const isRecord = !Array.isArray(first.row.original);
      const columns = isRecord ? [...new Set(refused.flatMap(({ row }) => Object.keys(row.original)))] : first.row.header;
      const { format } = first.row;
      const writer = rowWriter(format, [...columns, '_line', '_code', '_message'], { header: true });
      const cells = ({ original }: OriginalRow): readonly unknown[] =>
        Array.isArray(original)
          ? columns.map((_, index) => (original as readonly string[])[index] ?? '')
          : columns.map((name) => (original as Record<string, unknown>)[name]);
      await file.write(writer.head() + writer.rows(refused.map(({ error, row }) => [...cells(row), error.line, error.code, error.message])) + writer.tail());
      await file.close();
    },
  };
}

function exitCodeOf({ applied, unchanged, alreadyApplied, rejected, errors }: ImportReport): number {
  if (rejected === 0) return 0;
  if (applied + unchanged + alreadyApplied > 0) return meaningOf('partial_failure').exitCode;
  const conflict = meaningOf('stock_promised').exitCode;
  return errors.every(({ code }) => meaningOf(code).exitCode === conflict) ? conflict : meaningOf('import_refused').exitCode;
}

const grouped = (count: number): string => String(count).replaceAll(/\B(?=(\d{3})+$)/g, ',');

/** What an import did, as a person reads it. */
async function tell(context: Context, report: ImportReport, name: string): Promise<void> {
  const { io, paint } = context;
  for (const { line, message } of report.errors.slice(0, shownErrors)) {
    await io.stderr.write(`${sanitiseCell(`${name}:${line}: ${message.replace(/^Line \d+: /, '')}`)}\n`);
  }
  if (report.rejected > shownErrors) await io.stderr.write(`… and ${grouped(report.rejected - shownErrors)} more\n`);
  if (report.earlier) {
    await io.stdout.write(
      `${paint.green('✓')} Already applied on ${report.earlier.at} by ${sanitiseCell(report.earlier.actor)} as batch ${report.batch}; nothing was changed.\n`,
    );
    return;
  }
  const counts = `${grouped(report.applied)} applied, ${grouped(report.unchanged)} unchanged, ${grouped(report.rejected)} rejected`;
  const nothing = report.rejected > 0 && report.applied + report.unchanged === 0;
  const already = report.alreadyApplied > 0 ? `, ${grouped(report.alreadyApplied)} already applied` : '';
  const mark = nothing ? paint.red('✗') : paint.green('✓');
  await io.stdout.write(`${mark} ${counts}${already}${report.batch === null ? '' : `   batch ${report.batch}`}\n`);
  if (nothing) await io.stdout.write('Nothing was changed.\n');
  if (report.dryRun) await context.note('Dry run: nothing was written.');
}

interface Importing<F extends Flags> {
  readonly words: string;
  readonly summary: string;
  readonly examples: readonly string[];
  readonly flags: F & typeof importFlags;
  readonly run: (shop: Shop, file: ImportFile, options: ImportOptions, flags: FlagValues<F>) => Promise<ImportReport>;
}

/** Declares a command that imports a file. */
export function importCommand<F extends Flags>({ flags, run, ...words }: Importing<F>): Command {
  return command({
    ...words,
    flags: flags as Flags,
    mutates: true,
    run: async (context, [path = '-'], given) => {
      const values = given as FlagValues<typeof importFlags> & FlagValues<F>;
      const { io, settings } = context;
      if (path === '-' && io.stdin.isTerminal)
        throw new StoreError('input_required', 'There is no file to import.', `Name a file, or pipe one in: petstore ${words.words.split(' [')[0]} <file>`);
      const rejects = values.rejects === undefined ? undefined : rejectsWriter(context, values.rejects);
      const file: ImportFile = {
        bytes: path === '-' ? io.stdin.bytes() : io.readFile(path),
        name: path === '-' ? undefined : path,
        format: values.inputFormat,
        delimiter: values.delimiter,
        map: new Map(values.map),
      };
      const options: ImportOptions = {
        mode: values.keepGoing === true ? 'keep-going' : 'atomic',
        dryRun: values.dryRun === true,
        maxErrors: values.maxErrors,
        key: values.key,
        note: values.note,
        onRejected: rejects?.add,
        onIgnored: (columns) => void context.note(`Ignored: ${columns.join(', ')}.`),
      };
      const report = await run(await context.shop(), file, options, values);
      // What was done is told also where the refused rows could not be written.
      const written = rejects?.close();
      written?.catch(() => undefined);
      if (settings.format === 'json' || settings.format === 'ndjson') {
        await io.stdout.write(`${JSON.stringify({ ...report, earlier: undefined }, null, settings.format === 'json' ? 2 : undefined)}\n`);
      } else await tell(context, report, path === '-' ? 'standard input' : path);
      await written;
      return exitCodeOf(report);
    },
  });
}
