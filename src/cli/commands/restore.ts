import { argument } from '../arguments.js';
import { filePrompt } from '../prompts/shared-prompts.js';
import { fileArgument } from '../shared-arguments.js';
import type { RestorePlan, RestoreReport, ShopState } from '../../domain/maintenance/maintenance.js';
import { joinItems } from '../../domain/values/text.js';
import { command } from '../declare-command.js';
import { mutationFlags } from '../mutation-flags.js';
import type { Command, Context } from '../command.js';
import { isJson, jsonText } from '../../settings/output-format.js';
import { grouped } from '../output/numbers.js';
import { sanitiseCell } from '../output/sanitise.js';
import { resolve } from 'node:path';

function stateText({ pets, newestEntry, newestAt }: ShopState): string {
  return `${grouped(pets)} pets, ${newestEntry === 0 ? 'an empty ledger' : `newest ledger entry ${newestEntry} of ${newestAt}`}`;
}

/** The question before the shop is replaced. */
function question({ store, file, backup, present }: RestorePlan): string {
  const becomes = `will be restored from ${file} (${stateText(backup)}).`;
  if (typeof present === 'object') return `The shop at ${store} (${stateText(present)}) ${becomes} Restore it?`;
  return (
    `${store} is damaged and cannot be read. It is kept under another name, and the shop ${becomes} Close every program that has it open first. ` +
    'All tokens of the backup are revoked, because tokens revoked since the backup cannot be determined. Restore it?'
  );
}

async function writeReport({ io, paint, note }: Context, { store, file, backup, restored, safety, checked, revoked }: RestoreReport): Promise<void> {
  const [mark, verb] = restored ? [paint.green('✓'), 'was'] : ['·', 'would be'];
  await io.stdout.write(`${mark} ${sanitiseCell(store)} ${verb} restored from ${sanitiseCell(file)}: ${stateText(backup)}.\n`);
  if (safety !== undefined) await io.stdout.write(`before: ${sanitiseCell(safety)}\n`);
  if (revoked.length > 0) {
    await io.stdout.write(`revoked: ${sanitiseCell(joinItems(revoked))}\n`);
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
    const report = await setup.housekeeping.restore(settings, {
      file: resolve(file),
      dryRun: dryRun === true,
      confirm: (plan) => context.confirm(question(plan), { yes, dryRun }),
    });
    if (isJson(settings.format)) return io.stdout.write(jsonText(report, settings.format));
    return writeReport(context, report);
  },
  examples: ['petstore restore backup.db --dry-run', 'petstore restore backup.db --yes', 'petstore restore backup.db --yes --json'],
});
