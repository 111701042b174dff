import { resolve } from 'node:path';
import type { BackupReport, RestorePlan, RestoreReport, ShopState, Check, DoctorReport } from '../../domain/maintenance/maintenance.js';
import { joinItems } from '../../domain/values/text.js';
import type { TimeZone } from '../../domain/values/time-zone.js';
import { HintedError } from '../../settings/hint.js';
import { isJson, jsonText, type Format } from '../../settings/output-format.js';
import { argument } from '../arguments.js';
import type { Command, Context } from '../command.js';
import { commandForShop } from '../command-text.js';
import { command } from '../declare-command.js';
import { toggle, requiredFlag, flag } from '../flags.js';
import { mutationFlags, nothingChanged } from '../mutation-flags.js';
import { grouped } from '../output/numbers.js';
import { sanitiseCell } from '../output/sanitise.js';
import { clockText } from '../output/time-text.js';
import { writeText, labelledText } from '../output/wrapped-text.js';
import { filePrompt, textPrompt } from '../prompts/shared-prompts.js';
import { fileArgument } from '../shared-arguments.js';
import { completeFiles } from '../completion/completers.js';
import type { CopyReport } from '../../domain/maintenance/copy.js';
import { nameText } from '../readers.js';
import { barOf } from '../output/progress.js';
import { columnsOf, formatOfResult, writeList } from '../output/view.js';

/** The state of a shop in words: "6 pets, newest ledger entry 25 of 2026-11-20 22:17". */
function shopStateText({ pets, newestEntry, newestAt }: ShopState, zone: TimeZone): string {
  return `${grouped(pets)} pets, ${newestAt === undefined ? 'an empty ledger' : `newest ledger entry ${newestEntry} of ${clockText(newestAt, zone)}`}`;
}

async function writeBackup(context: Context, report: BackupReport): Promise<void> {
  const { io, settings, paint, zone } = context;
  const { file, bytes, sha256, schemaVersion } = report;
  const done = `${paint.green('✓')} Backed up ${sanitiseCell(settings.where)} to ${sanitiseCell(file)} (${grouped(bytes)} bytes)`;
  await writeText(io.stdout, `${done}: ${shopStateText(report, zone)}, schema ${schemaVersion}.\nsha256: ${sha256}\n`);
  const restoreCommand = sanitiseCell(commandForShop(['restore', file], context));
  await io.stdout.write(`restore: ${restoreCommand}\n`);
}

/** The command `backup`. */
export const backupCommand: Command = command({
  path: ['backup'],
  summary: 'back up the shop to a file, with a SHA-256 file, while it stays in use',
  arguments: { file: argument({ ...fileArgument, prompt: textPrompt('File to back up to:') }) },
  flags: { force: toggle({ long: 'force', summary: 'replace an existing file' }) },
  exits: ['file_exists'],
  run: async (context, { file, force }) => {
    const { io, settings, note, setup } = context;
    if (file === '-') throw new HintedError('usage', 'A backup cannot be written to standard output.', { command: ['backup', '--help'] });
    const report = await setup.maintenance.backup(settings, { file: resolve(file), force: force === true });
    if (isJson(settings.format)) await io.stdout.write(jsonText(report, settings.format));
    else await writeBackup(context, report);
    if (report.unsound.length > 0)
      await note(`The backup contains the errors of the shop (${report.unsound.join(', ')}): ${commandForShop(['doctor'], context)}`);
  },
  examples: ['petstore backup backup.db', 'petstore backup nightly.db --force --json'],
});

/** The question before the shop is replaced. */
function question({ store, file, backup, present }: RestorePlan, zone: TimeZone): string {
  const source = `the backup ${file} (${shopStateText(backup, zone)})`;
  if (typeof present === 'object') return `Replace the shop at ${store} (${shopStateText(present, zone)}) with ${source}?`;
  return (
    `${store} is damaged and cannot be read. It is kept under another name; close every program that has it open first. ` +
    `All tokens of the backup are revoked, because tokens revoked since the backup cannot be determined. Restore the shop from ${source}?`
  );
}

async function writeRestore({ io, paint, note, zone }: Context, { store, file, backup, restored, safety, checked, revoked }: RestoreReport): Promise<void> {
  const verb = restored ? `${paint.green('✓')} Restored` : 'Would restore';
  await writeText(io.stdout, `${verb} ${sanitiseCell(store)} from ${sanitiseCell(file)}: ${shopStateText(backup, zone)}.\n`);
  if (safety !== undefined) await writeText(io.stdout, `before: ${sanitiseCell(safety)}\n`);
  if (revoked.length > 0) {
    await writeText(io.stdout, `revoked: ${sanitiseCell(joinItems(revoked))}\n`);
    await note('These tokens may have been revoked since the backup. To replace them: petstore token create');
  }
  if (!checked) await note('The backup has no SHA-256 file, so it was not compared.');
  if (!restored) await note(nothingChanged);
}

/** The command `restore`. */
export const restoreCommand: Command = command({
  path: ['restore'],
  summary: 'restore the shop from a backup; the present shop is kept in another file',
  arguments: { file: argument({ ...fileArgument, prompt: filePrompt('Which backup?') }) },
  flags: { dryRun: mutationFlags.dryRun, yes: mutationFlags.yes },
  mutates: true,
  run: async (context, { file, dryRun, yes }) => {
    const { io, settings, setup } = context;
    const report = await setup.maintenance.restore(settings, {
      file: resolve(file),
      dryRun: dryRun === true,
      confirm: (plan) => context.confirm(question(plan, context.zone), { yes, dryRun }),
    });
    if (isJson(settings.format)) return io.stdout.write(jsonText(report, settings.format));
    return writeRestore(context, report);
  },
  examples: ['petstore restore backup.db --dry-run', 'petstore restore backup.db --yes', 'petstore restore backup.db --yes --json'],
});

const shownDigits = 12;

async function writeCopy({ io, paint }: Context, { from, to, tables, verified }: CopyReport): Promise<void> {
  const counts = tables.map(({ rows }) => grouped(rows));
  const widths = [tables.map(({ name }) => name), counts].map((cells) => Math.max(...cells.map((cell) => cell.length)));
  const lines = tables.map(
    ({ name, sha256 }, index) => `${name.padEnd(widths[0] ?? 0)}  ${counts[index]?.padStart(widths[1] ?? 0)}  ${sha256.slice(0, shownDigits)}\n`,
  );
  const rows = grouped(tables.reduce((sum, table) => sum + table.rows, 0));
  const places = `from ${sanitiseCell(from)} to ${sanitiseCell(to)}`;
  const outcome = verified ? `${paint.green('✓')} Copied ${rows} rows ${places} and compared them.` : `Would copy ${rows} rows ${places}.`;
  await writeText(io.stdout, `${lines.join('')}${outcome}\n`);
}

/** The command `copy`. */
export const copyCommand: Command = command({
  path: ['copy'],
  summary: 'copy a whole shop to a new file or an empty database',
  flags: {
    from: requiredFlag(
      flag({
        long: 'from',
        value: 'shop',
        summary: 'the file or PostgreSQL database to copy; not the address of a server',
        takesWord: true,
        read: nameText,
        complete: completeFiles,
        prompt: textPrompt('Copy from (a file or a database):'),
      }),
      { question: 'Copy which shop?', example: 'shop.db' },
    ),
    to: requiredFlag(
      flag({
        long: 'to',
        value: 'shop',
        summary: 'a new file, or an empty PostgreSQL database, to copy to',
        takesWord: true,
        read: nameText,
        complete: completeFiles,
        prompt: textPrompt('Copy to (a file or a database):'),
      }),
      { question: 'Copy to where? The shop given is the one to copy.', example: 'copy.db' },
    ),
    dryRun: mutationFlags.dryRun,
  },
  mutates: true,
  exits: ['store_not_empty'],
  run: async (context, { from, to, dryRun }) => {
    const { io, settings, note, setup } = context;
    const bar = await barOf(context, 'copying');
    const report = await setup.copy(settings, { from, to, dryRun: dryRun === true, onProgress: bar?.show }).finally(() => bar?.stop());
    if (isJson(settings.format)) await io.stdout.write(jsonText(report, settings.format));
    else await writeCopy(context, report);
    await note(dryRun === true ? nothingChanged : 'To use the copy, name it with --store or PETSTORE_STORE.');
  },
  examples: ['petstore copy --from shop.db --to new.db', 'petstore copy --from shop.db --to new.db --dry-run --json'],
});

const colours = { pass: 'green', warn: 'yellow', fail: 'red' } as const;

const columns = columnsOf<Check, keyof Check>({
  name: { heading: 'Check' },
  status: { heading: 'Result', dot: true, colour: ({ status }) => colours[status] },
  message: { heading: 'Message', least: 16, wraps: true },
});

function count(checks: readonly Check[], wanted: Check['status']): number {
  return checks.filter(({ status }) => status === wanted).length;
}

function repairLines({ repaired }: DoctorReport, dryRun: boolean): readonly string[] {
  if (repaired?.length === 0) return ['Nothing can be repaired.'];
  return (repaired ?? []).map((repair) => `${dryRun ? 'would repair' : 'repaired'}: ${sanitiseCell(repair)}`);
}

async function writeReport({ io, paint }: Context, report: DoctorReport, dryRun: boolean): Promise<void> {
  const { checks } = report;
  const width = Math.max(...checks.map(({ name }) => name.length));
  const lines = checks.map(({ name, status, message }) => {
    const label = `${paint[colours[status]](status.toUpperCase())}  ${name.padEnd(width)}  `;
    return `${labelledText(label, sanitiseCell(message), io.stdout)}\n`;
  });
  const repairs = repairLines(report, dryRun).map((line) => `${line}\n`);
  const [passed, warned, failed] = [count(checks, 'pass'), count(checks, 'warn'), count(checks, 'fail')];
  await io.stdout.write(`${lines.join('')}${repairs.join('')}${passed} passed, ${warned} warned, ${failed} failed.\n`);
}

/** The format of the checks as rows; undefined for the whole report, as text or one JSON object. */
function rowFormat(context: Context): Format | undefined {
  const { format, fields } = context.settings;
  if (format === 'ids' || format === 'count') throw new HintedError('usage', `doctor has no format ${format}.`, { command: ['doctor', '--format', 'tsv'] });
  if (fields !== undefined) return formatOfResult(context);
  return isJson(format) ? undefined : format;
}

/** The command `doctor`. */
export const doctorCommand: Command = command({
  path: ['doctor'],
  summary: 'check figures, ledger, file and disk of the shop; exit code 1 if a check fails',
  flags: {
    repair: toggle({
      long: 'repair',
      summary: 'set stock and reserved units to what ledger and orders say, recreate triggers and indexes, and make the file private',
    }),
    dryRun: mutationFlags.dryRun,
    yes: mutationFlags.yes,
  },
  mutates: true,
  columns,
  run: async (context, { repair, dryRun, yes }) => {
    const { io, settings, setup } = context;
    const format = rowFormat(context);
    const report = await setup.maintenance.doctor(settings, {
      repair: repair === true,
      dryRun: dryRun === true,
      confirm: (repairs) => context.confirm(`${repairs.join(' ')} Repair the shop at ${settings.where}?`, { yes, dryRun }),
    });
    if (format !== undefined) {
      await writeList(context, format, columns, report.checks);
      for (const line of repairLines(report, dryRun === true)) await context.note(line);
    } else if (isJson(settings.format)) await io.stdout.write(jsonText(report, settings.format));
    else await writeReport(context, report, dryRun === true);
    return report.ok ? 0 : 1;
  },
  examples: ['petstore doctor', 'petstore doctor --json', 'petstore doctor --repair --yes'],
});
