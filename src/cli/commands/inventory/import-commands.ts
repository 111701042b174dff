import type { StockImportOptions } from '../../../domain/imports/import-inventory.js';
import { type ImportOptions, refusesAll } from '../../../domain/imports/import-options.js';
import type { ImportReport } from '../../../domain/imports/import-report.js';
import { petMatches } from '../../../domain/imports/pet-cell.js';
import { stalePolicies } from '../../../domain/imports/stock-change.js';
import type { InventoryRow } from '../../../domain/inventory/inventory-item.js';
import { listInventory } from '../../../domain/inventory/list-inventory.js';
import { isForPeople } from '../../../settings/output-format.js';
import type { Command } from '../../command.js';
import { type FlagValues, choice, toggle } from '../../flags.js';
import { type ImportTask, importCommand, importFlags } from '../../import-command.js';
import { listCommand } from '../../list-command.js';
import { changesWriter, resultLinesWriter, showPreview } from '../../output/import-rows.js';
import { columnsOf } from '../../output/view.js';
import { canAsk } from '../../prompts/prompt.js';
import { petFilterFlags, petFilterInput } from '../pet/pet-fields.js';
import { allowShortage } from '../../mutation-flags.js';

const stockFlags = {
  onStale: choice({
    long: 'on-stale',
    value: 'policy',
    summary: 'what to do with a row whose expected quantity is not on hand',
    choices: stalePolicies,
  }),
  match: choice({
    long: 'match',
    value: 'by',
    summary: 'find the pet of a row by petId (or its code, where it has none), its unique name or a code',
    choices: petMatches,
    default: 'id',
  }),
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

type StockFlagValues = Partial<FlagValues<typeof stockFlags & Pick<typeof importFlags, 'yes'>>>;

/** Imports a stock file; at a terminal the changes are shown and confirmed first. */
export async function importStock(task: ImportTask, options: ImportOptions, flags: StockFlagValues): Promise<ImportReport> {
  const { context, shop, file } = task;
  const { io, settings } = context;
  const changes = changesWriter(io.stdout, settings.format);
  const results = resultLinesWriter(io.stdout, settings.format);
  const report = await shop.importStock(file, {
    ...options,
    allowShortage: flags.allowShortage === true,
    onStale: flags.onStale ?? 'fail',
    match: flags.match,
    ignoreUnknown: flags.ignoreUnknown === true,
    onPreview: previewOf(task, options, flags.yes),
    onRow: results && ((result) => results.write([result])),
    onChanges: changes?.write,
  });
  await (changes ?? results)?.end();
  return report;
}

/** The command `inventory import`. */
export const inventoryImport: Command = importCommand({
  path: ['inventory', 'import'],
  summary: 'apply a file of counted quantities or changes, or standard input with -',
  flags: stockFlags,
  undoable: true,
  run: importStock,
  examples: [
    'petstore inventory import recount.csv',
    'petstore inventory import recount.csv --dry-run',
    'petstore inventory import delivery.csv --key "invoice 4711"',
    'petstore inventory import recount.csv --on-stale keep-difference',
    'petstore inventory import delivery.csv --keep-going --rejects bad.csv',
  ],
});

/** The command `inventory diff`. */
export const inventoryDiff: Command = importCommand({
  path: ['inventory', 'diff'],
  summary: 'show what a file would change; exit code 8 if there are changes',
  flags: stockFlags,
  undoable: false,
  previewOnly: true,
  run: importStock,
  examples: ['petstore inventory diff recount.csv', 'petstore inventory diff recount.csv --format csv', 'petstore inventory diff recount.csv --json'],
});

// `expected` is the exported quantity: an import of the edited file finds pets whose stock has changed since.
const exportColumns = columnsOf<InventoryRow>({
  petId: { heading: 'ID', numeric: true },
  name: { heading: 'Name', least: 8 },
  category: { heading: 'Category', least: 8, leaveOut: 1 },
  status: { heading: 'Status', leaveOut: 2 },
  reserved: { heading: 'Reserved', leaveOut: 3, numeric: true },
  expected: { heading: 'Expected', value: ({ quantity }) => quantity, numeric: true },
  quantity: { heading: 'On hand', numeric: true },
});

/** The command `inventory export`. */
export const inventoryExport: Command = listCommand({
  path: ['inventory', 'export'],
  summary: 'write the stock as CSV for editing and importing',
  flags: petFilterFlags,
  operation: listInventory,
  input: ({ status, category }, call) => petFilterInput({ status, category }, call),
  columns: exportColumns,
  exports: true,
  examples: ['petstore inventory export', 'petstore inventory export --category Fish --spreadsheet', 'petstore inventory export --format ndjson'],
});
