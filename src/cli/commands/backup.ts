import { commandForShop } from '../command-text.js';
import { HintedError } from '../../settings/hint.js';
import { argument } from '../arguments.js';
import { newFilePrompt } from '../prompts/shared-prompts.js';
import { fileArgument } from '../shared-arguments.js';
import type { BackupReport } from '../../domain/maintenance/maintenance.js';
import { command } from '../declare-command.js';
import type { Command, Context } from '../command.js';
import { grouped } from '../output/numbers.js';
import { toggle } from '../flags.js';
import { isJson, jsonText } from '../../settings/output-format.js';
import { sanitiseCell } from '../output/sanitise.js';
import { resolve } from 'node:path';
import { shopStateText } from '../output/shop-state-text.js';
import { commandLineText, writeText } from '../output/wrapped-text.js';

async function writeReport(context: Context, report: BackupReport): Promise<void> {
  const { io, settings, paint, zone } = context;
  const { file, bytes, sha256, schemaVersion } = report;
  const done = `${paint.green('✓')} Backed up ${sanitiseCell(settings.where)} to ${sanitiseCell(file)} (${grouped(bytes)} bytes)`;
  await writeText(io.stdout, `${done}: ${shopStateText(report, zone)}, schema ${schemaVersion}.\nsha256: ${sha256}\n`);
  const restoreCommand = sanitiseCell(commandForShop(['restore', file], context));
  await io.stdout.write(`${commandLineText('restore:', restoreCommand, io.stdout)}\n`);
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
    else await writeReport(context, report);
    if (report.unsound.length > 0)
      await note(`The backup contains the errors of the shop (${report.unsound.join(', ')}): ${commandForShop(['doctor'], context)}`);
  },
  examples: ['petstore backup backup.db', 'petstore backup nightly.db --force --json'],
});
