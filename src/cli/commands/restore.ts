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

/** What is asked before anything is replaced. */
function question({ store, file, backup, present }: RestorePlan): string {
  const becomes = `becomes what it was in ${file} (${stateText(backup)}).`;
  if (typeof present === 'object') return `The shop at ${store} (${stateText(present)}) ${becomes} Restore it?`;
  return (
    `${store} is damaged and cannot be read; it is kept under another name, and the shop ${becomes} End every program that has it open first. ` +
    'Every token of the backup is revoked, because the shop cannot say which were revoked since. Restore it?'
  );
}

async function tell({ io, paint, note }: Context, { store, file, backup, restored, safety, checked, revoked }: RestoreReport): Promise<void> {
  const [mark, verb] = restored ? [paint.green('✓'), 'is'] : ['·', 'would be'];
  await io.stdout.write(`${mark} ${sanitiseCell(store)} ${verb} what it was in ${sanitiseCell(file)}: ${stateText(backup)}.\n`);
  if (safety !== undefined) await io.stdout.write(`before: ${sanitiseCell(safety)}\n`);
  if (revoked.length > 0) {
    await io.stdout.write(`revoked: ${sanitiseCell(joinItems(revoked))}\n`);
    await note('Whether these tokens were revoked since the backup cannot be known. Replace them with: petstore token create');
  }
  if (!checked) await note('There is no SHA-256 beside the backup to compare it with.');
  if (!restored) await note('Dry run: nothing was written.');
}

/** The command `restore`. */
export const restoreCommand: Command = command({
  path: ['restore'],
  arguments: { file: fileArgument },
  summary: 'make the shop what it was at a backup; what it is now is kept beside it',
  examples: ['petstore restore backup.db --dry-run', 'petstore restore backup.db --yes', 'petstore restore backup.db --yes --json'],
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
    return tell(context, report);
  },
});
