import { Buffer } from 'node:buffer';
import { StoreError } from '../../../domain/errors.js';
import { listInventory } from '../../../domain/inventory/list-inventory.js';
import type { InventoryRow } from '../../../domain/inventory/inventory-item.js';
import type { ImportReport } from '../../../domain/imports/import-report.js';
import type { Shop } from '../../../domain/shop.js';
import { allRows } from '../../../domain/all-pages.js';
import type { Command, Context } from '../../command.js';
import { command } from '../../declare-command.js';
import type { LineProblem } from '../../output/line-problems.js';
import type { FlagValues } from '../../flags.js';
import { allowShortage, mutationFlags } from '../../mutation-flags.js';
import { grouped } from '../../output/numbers.js';
import { writeImportReport } from '../../output/import-report.js';
import { stockFilterFlags, stockFilterInput } from '../pet/pet-fields.js';
import { importStock } from './import-commands.js';

/** The most pets that are edited at once; a file is the better way for more. */
const maximumPets = 5000;

const flags = {
  ...stockFilterFlags,
  allowShortage,
  ...mutationFlags,
};

type EditFlags = FlagValues<typeof flags>;

function tooManyPets(count: number): StoreError {
  return new StoreError('usage', `${grouped(count)} pets are too many to edit at once; at most ${grouped(maximumPets)} can be edited.`, {
    advice: 'Narrow them with a filter such as --category, or export them to a file.',
  });
}

/** The stock of the pets that the flags select, by id. */
async function selected({ call }: Shop, flagValues: EditFlags): Promise<readonly InventoryRow[]> {
  const filter = await stockFilterInput(flagValues, call);
  const { total = 0 } = await call(listInventory, { ...filter, limit: 1, count: true });
  if (total > maximumPets) throw tooManyPets(total);
  return allRows(call, listInventory, filter, maximumPets);
}

async function* bytesOf(text: string): AsyncGenerator<Uint8Array, void> {
  yield Buffer.from(text);
}

/** Imports the figures of an edited file; at a terminal they are shown and confirmed first. */
async function importEdited(
  context: Context,
  shop: Shop,
  csv: string,
  { dryRun, key, note, yes, allowShortage: allows }: EditFlags & { readonly key: string },
): Promise<ImportReport> {
  const file = { bytes: bytesOf(csv), name: 'the edited file', format: 'csv' as const, map: new Map<string, string>() };
  // What is refused is written into the edited file.
  const task = { context, shop, file, writeRefusals: async () => undefined };
  try {
    return await importStock(task, { mode: 'atomic', dryRun: dryRun === true, key, note }, { allowShortage: allows, yes });
  } catch (error) {
    if (!(error instanceof StoreError) || error.details.reason !== 'outcome_unknown') throw error;
    // There is no file of the user that could be imported again.
    throw new StoreError('store_unreachable', `The connection to ${shop.where} was lost; it is unknown whether the edited figures were applied.`, {
      details: error.details,
      cause: error,
    });
  }
}

/** Why a line is refused. The lines of the imported file, and after comments are added those of the sheet, have other numbers. */
function reasonOf({ code, petId, message }: ImportReport['errors'][number]): string {
  return code === 'duplicate_row' && petId !== undefined ? `Pet ${petId} has more than one line.` : message;
}

/** The command `inventory edit`. */
export const inventoryEdit: Command = command({
  path: ['inventory', 'edit'],
  summary: 'change the quantities of pets in your editor',
  flags,
  mutates: true,
  exits: ['import_refused', 'stock_changed', 'input_required', 'cancelled', 'output_failed'],
  run: async (given, values) => {
    const isCsv = given.settings.format === 'csv';
    // The format is that of the file to edit, not that of the answer.
    const context: Context = isCsv ? { ...given, settings: { ...given.settings, format: undefined } } : given;
    const shop = await context.shop();
    const rows = await selected(shop, values);
    if (rows.length === 0) return context.note('Nothing found.');
    const [{ editAndApply }, { stockSheet }, { randomUUID }] = await Promise.all([import('./edit-file.js'), import('./stock-sheet.js'), import('node:crypto')]);
    const sheet = stockSheet(rows, isCsv ? 'csv' : 'text');
    await editAndApply(context, {
      ...sheet,
      apply: async (edited) => {
        const { csv, lineOf, problems } = sheet.read(edited);
        if (problems.length > 0) return problems;
        const report = await importEdited(context, shop, csv, {
          ...values,
          // A new key: an edit with the same figures as an earlier one is another edit.
          key: values.key ?? randomUUID(),
        });
        const refused = report.errors.map((error): LineProblem => ({ line: lineOf(error.line), message: reasonOf(error), code: error.code }));
        if (refused.length === 0) await writeImportReport(context, report, true, async () => undefined);
        return refused;
      },
    });
  },
  examples: ['petstore inventory edit --category Fish', 'petstore inventory edit --low --dry-run', 'petstore inventory edit --search guppy --format csv'],
});
