import { argument } from '../arguments.js';
import { filePrompt } from '../prompts/shared-prompts.js';
import { fileArgument } from '../shared-arguments.js';
import type { RestorePlan, RestoreReport } from '../../domain/maintenance/maintenance.js';
import { joinItems } from '../../domain/values/text.js';
import { command } from '../declare-command.js';
import { mutationFlags } from '../mutation-flags.js';
import type { Command, Context } from '../command.js';
import { isJson, jsonText } from '../../settings/output-format.js';
import { sanitiseCell } from '../output/sanitise.js';
import { resolve } from 'node:path';
import type { TimeZone } from '../../domain/values/time-zone.js';
import { shopStateText } from '../output/shop-state-text.js';
import { writeText } from '../output/wrapped-text.js';

/** The question before the shop is replaced. */
function question({ store, file, backup, present }: RestorePlan, zone: TimeZone): string {
  const source = `the backup ${file} (${shopStateText(backup, zone)})`;
  if (typeof present === 'object') return `Replace the shop at ${store} (${shopStateText(present, zone)}) with ${source}?`;
  return (
    `${store} is damaged and cannot be read. It is kept under another name; close every program that has it open first. ` +
    `All tokens of the backup are revoked, because tokens revoked since the backup cannot be determined. Restore the shop from ${source}?`
  );
}

async function writeReport({ io, paint, note, zone }: Context, { store, file, backup, restored, safety, checked, revoked }: RestoreReport): Promise<void> {
  const verb = restored ? `${paint.green('✓')} Restored` : 'Would restore';
  await writeText(io.stdout, `${verb} ${sanitiseCell(store)} from ${sanitiseCell(file)}: ${shopStateText(backup, zone)}.\n`);
  if (safety !== undefined) await writeText(io.stdout, `before: ${sanitiseCell(safety)}\n`);
  if (revoked.length > 0) {
    await writeText(io.stdout, `revoked: ${sanitiseCell(joinItems(revoked))}\n`);
    await note('These tokens may have been revoked since the backup. To replace them: petstore token create');
  }
  if (!checked) await note('The backup has no SHA-256 file, so it was not compared.');
  if (!restored) await note('Dry run: nothing was changed.');
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
    return writeReport(context, report);
  },
  examples: ['petstore restore backup.db --dry-run', 'petstore restore backup.db --yes', 'petstore restore backup.db --yes --json'],
});
