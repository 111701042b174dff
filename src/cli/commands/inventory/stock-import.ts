import { refusesAll, type ImportOptions } from '../../../domain/imports/import-options.js';
import type { ImportReport, RowResult } from '../../../domain/imports/import-report.js';
import { petMatches } from '../../../domain/imports/match-name.js';
import { stalePolicies } from '../../../domain/imports/stock-figure.js';
import type { StockImportOptions } from '../../../domain/imports/import-inventory.js';
import { isForPeople } from '../../../settings/output-format.js';
import { choice, toggle, type FlagValues } from '../../flags.js';
import { importFlags, type ImportTask } from '../../import-command.js';
import { canAsk } from '../../prompts/prompter.js';
import { changesWriter, showPreview } from '../../output/stock-changes.js';
import { allowShortage } from './inventory-arguments.js';

/** The flags of commands that read a file of stock figures. */
export const stockFlags = {
  onStale: choice({
    long: 'on-stale',
    value: 'policy',
    summary: 'what to do with a row whose expected quantity is not on hand',
    choices: stalePolicies,
  }),
  match: choice({ long: 'match', value: 'by', summary: 'find the pet of a row by petId or by its unique name', choices: petMatches, default: 'id' }),
  ignoreUnknown: toggle({ long: 'ignore-unknown', summary: 'ignore unknown columns instead of refusing the file' }),
  allowShortage,
};

/** Shows the changes at a terminal and asks for confirmation; undefined in a script, which needs none. */
function previewOf({ context, writeRefusals }: ImportTask, options: ImportOptions, yes: true | undefined): StockImportOptions['onPreview'] {
  const { dryRun } = options;
  const { io, settings, confirm } = context;
  const asks = yes !== true && dryRun !== true && canAsk(io, settings);
  if (!isForPeople(settings.format) || !(asks || (dryRun === true && (io.stdout.isTerminal || settings.format === 'table')))) return undefined;
  return async (preview) => {
    const { total, rejected } = preview;
    // Nothing will be applied: no preview and no question. The report names the refused rows.
    if (refusesAll(options, rejected)) return;
    await showPreview(context, preview);
    if (!asks || total === 0) return;
    await writeRefusals(preview);
    await confirm(`Apply ${total === 1 ? 'this change' : `these ${total} changes`}?`, { yes: undefined, dryRun: undefined });
  };
}

function resultLine({ line, petId, outcome, before, after, error }: RowResult): string {
  return `${JSON.stringify({ type: 'row', line, petId, outcome, before, after, code: error?.code, message: error?.message })}\n`;
}

type StockFlagValues = Partial<FlagValues<typeof stockFlags & Pick<typeof importFlags, 'yes'>>>;

/** Imports a file of stock figures; at a terminal the changes are shown and confirmed first. */
export async function importStock(task: ImportTask, options: ImportOptions, flags: StockFlagValues): Promise<ImportReport> {
  const { context, shop, file } = task;
  const { io, settings } = context;
  const rows = changesWriter(io, settings.format);
  const report = await shop.importStock(file, {
    ...options,
    allowShortage: flags.allowShortage === true,
    onStale: flags.onStale ?? 'fail',
    match: flags.match,
    ignoreUnknown: flags.ignoreUnknown === true,
    onPreview: previewOf(task, options, flags.yes),
    onRow: settings.format === 'ndjson' ? (result) => io.stdout.write(resultLine(result)) : undefined,
    onChanges: rows?.write,
  });
  await rows?.end();
  return report;
}
