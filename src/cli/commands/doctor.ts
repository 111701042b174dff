import { HintedError } from '../../settings/hint.js';
import type { Check, DoctorReport } from '../../domain/maintenance/maintenance.js';
import { command } from '../declare-command.js';
import { mutationFlags } from '../mutation-flags.js';
import type { Command, Context } from '../command.js';
import { toggle } from '../flags.js';
import { isJson, jsonText, type Format } from '../../settings/output-format.js';
import { sanitiseCell } from '../output/sanitise.js';
import { columnsOf, formatOfResult, writeList } from '../output/view.js';
import { labelledText } from '../output/wrapped-text.js';

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
