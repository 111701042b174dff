import { resolve } from 'node:path';
import type { BackupReport, RestorePlan, RestoreReport, ShopState } from '../../domain/maintenance/maintenance.js';
import { joinItems } from '../../domain/values/text.js';
import type { TimeZone } from '../../domain/values/time-zone.js';
import { HintedError } from '../../settings/hint.js';
import { isJson, jsonText } from '../../settings/output-format.js';
import { argument } from '../arguments.js';
import type { Command, Context } from '../command.js';
import { commandForShop } from '../command-text.js';
import { command } from '../declare-command.js';
import { toggle } from '../flags.js';
import { mutationFlags } from '../mutation-flags.js';
import { grouped } from '../output/numbers.js';
import { sanitiseCell } from '../output/sanitise.js';
import { clockText } from '../output/time-text.js';
import { writeText } from '../output/wrapped-text.js';
import { filePrompt, newFilePrompt } from '../prompts/shared-prompts.js';
import { fileArgument } from '../shared-arguments.js';

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
  arguments: { file: argument({ ...fileArgument, prompt: newFilePrompt('File to back up to:') }) },
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
    return writeRestore(context, report);
  },
  examples: ['petstore restore backup.db --dry-run', 'petstore restore backup.db --yes', 'petstore restore backup.db --yes --json'],
});
