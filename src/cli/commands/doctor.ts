import type { Check, DoctorReport } from '../../domain/maintenance.js';
import { command, mutationFlags, type Command, type Context } from '../command.js';
import { toggle } from '../flags.js';
import { isJson, jsonText } from '../formats.js';
import type { Housekeeping } from '../groups.js';
import { sanitiseCell } from '../sanitise.js';

const colours = { pass: 'green', warn: 'yellow', fail: 'red' } as const;

function count(checks: readonly Check[], wanted: Check['status']): number {
  return checks.filter(({ status }) => status === wanted).length;
}

async function tell({ io, paint }: Context, { checks, repaired }: DoctorReport, dryRun: boolean): Promise<void> {
  const width = Math.max(...checks.map(({ name }) => name.length));
  const lines = checks.map(({ name, status, message }) => `${paint[colours[status]](status.toUpperCase())}  ${name.padEnd(width)}  ${sanitiseCell(message)}\n`);
  const mends = (repaired ?? []).map((mend) => `${dryRun ? 'would mend' : 'mended'}: ${sanitiseCell(mend)}\n`);
  const nothing = repaired?.length === 0 ? 'There is nothing that could be mended.\n' : '';
  const [passed, warned, failed] = [count(checks, 'pass'), count(checks, 'warn'), count(checks, 'fail')];
  await io.stdout.write(`${lines.join('')}${mends.join('')}${nothing}${passed} passed, ${warned} warned, ${failed} failed.\n`);
}

/** The command that looks a shop through. */
export function doctorCommands({ doctor }: Housekeeping): readonly Command[] {
  return [
    command({
      words: 'doctor',
      summary: 'look the shop through: figures, ledger, file and disk; exit code 1 when a check fails',
      examples: ['petstore doctor', 'petstore doctor --json', 'petstore doctor --repair --yes'],
      flags: {
        repair: toggle('--repair', 'set stock to what the ledger says, make triggers and indexes again, and let only the owner read the file'),
        dryRun: mutationFlags.dryRun,
        yes: mutationFlags.yes,
      },
      mutates: true,
      run: async (context, _, { repair, dryRun, yes }) => {
        const { io, settings } = context;
        const report = await doctor(settings, {
          repair: repair === true,
          dryRun: dryRun === true,
          confirm: (mends) => context.confirm(`${mends.join(' ')} Mend the shop at ${settings.where}?`, { yes, dryRun }),
        });
        if (isJson(settings.format)) await io.stdout.write(jsonText(report, settings.format));
        else await tell(context, report, dryRun === true);
        return report.ok ? 0 : 1;
      },
    }),
  ];
}
