import type { Call } from '../../../domain/call.js';
import { unlessRefused } from '../../../domain/errors.js';
import { getPetDetails } from '../../../domain/pets/get-pet-details.js';
import type { PetDetailsRow } from '../../../domain/pets/pet-details.js';
import { pluralize, shortened, joinItems } from '../../../domain/values/text.js';
import { argument, repeated } from '../../arguments.js';
import type { Command } from '../../command.js';
import { buildCommand } from '../../declare-command.js';
import { toggle, type FlagValues } from '../../flags.js';
import { changeEachCommand, namesSeveral, showRecords } from '../../record-command.js';
import { readPet, petArgument } from '../../shared-arguments.js';
import { codesCellText } from '../../../domain/codes/codes-cell.js';
import type { ImportOptions } from '../../../domain/imports/import-options.js';
import type { ImportReport } from '../../../domain/imports/import-report.js';
import { petRowColumns } from '../../../domain/imports/pet-row.js';
import { deletePet } from '../../../domain/pets/delete-pet.js';
import { holdPet } from '../../../domain/pets/hold-pet.js';
import { releasePet } from '../../../domain/pets/release-pet.js';
import { recordText } from '../../../domain/values/record-name.js';
import type { shownVersion } from '../../../domain/values/version.js';
import { type ImportTask, importCommand } from '../../import-command.js';
import { listCommand } from '../../list-command.js';
import { petResultsWriter } from '../../output/import-rows.js';
import { datedText } from '../../output/time-text.js';
import { type Columns, columnsOf } from '../../output/view.js';
import { petCreate, petEdit } from './create-edit.js';
import { withCodes, type CodedPet, listedPetColumns, petColumns, petRecordColumns, petListing } from './pet-fields.js';

/** The details of the pets that some texts name, in their order, and with `skipsMissing` the texts that name none. Refuses like `readPet`. */
async function namedPets(call: Call, texts: readonly string[], skipsMissing: boolean) {
  const [rows, missing]: [PetDetailsRow[], string[]] = [[], []];
  const ofMissing = skipsMissing ? (['pet_not_found', 'code_not_found'] as const) : [];
  for (const text of texts) {
    const petId = await unlessRefused(readPet(text, { call }), ...ofMissing);
    const found = petId && (await unlessRefused(call(getPetDetails, { petId }), ...ofMissing));
    if (found) rows.push(found);
    else missing.push(text);
  }
  return { rows, missing };
}

const petList = listCommand({
  ...petListing,
  columns: listedPetColumns,
  path: ['pet', 'list'],
  aliases: ['ls'],
  summary: 'list pets',
  examples: [
    'petstore pet list',
    'petstore pet list --status available --category Dogs',
    'petstore pet list --search zoe --sort name',
    'petstore pet list --format ids',
  ],
});

const { id: idColumn, name: nameColumn, ...otherColumns } = petRecordColumns;

/** A code, and the units of one that means several: "4006381333931", "10012345000017×20". */
const codeSummary = ({ code, units }: PetDetailsRow['codes'][number]): string => (units === 1 ? code : `${code}×${units}`);

const detailColumns = columnsOf<PetDetailsRow, keyof Omit<PetDetailsRow, 'inventory' | typeof shownVersion> | 'quantity' | 'reserved' | 'available'>(
  {
    id: idColumn,
    name: nameColumn,
    category: { heading: 'Category', least: 8, leaveOut: 1, value: ({ category }) => category.name },
    ...otherColumns,
    quantity: { heading: 'On hand', value: ({ inventory }) => inventory.quantity, numeric: true },
    reserved: { heading: 'Reserved', value: ({ inventory }) => inventory.reserved, numeric: true },
    available: { heading: 'Available', value: ({ inventory }) => inventory.available, numeric: true },
    hold: { heading: 'On hold' },
    lowAt: { heading: 'Low at', numeric: true },
    codes: { heading: 'Codes', value: ({ codes }) => codes.map(codeSummary).join(' ') },
    openOrders: { heading: 'Open orders', numeric: true },
    version: { heading: 'Version', numeric: true },
    createdAt: { heading: 'Created', text: ({ createdAt }, now, zone) => datedText(createdAt, now, zone) },
    updatedAt: { heading: 'Updated', text: ({ updatedAt }, now, zone) => datedText(updatedAt, now, zone) },
    lastCounted: {
      heading: 'Last counted',
      value: ({ lastCounted }) => lastCounted?.at,
      text: ({ lastCounted }, now, zone) => (lastCounted === undefined ? '' : `${datedText(lastCounted.at, now, zone)} by ${lastCounted.by}`),
    },
  },
  { shown: ['id', 'name', 'category', 'status', 'quantity'], json: Object.keys(petRecordColumns) },
);

function detailsRecord(row: PetDetailsRow): unknown {
  return Object.fromEntries(Object.entries(row).filter(([name]) => name !== 'hold' && name !== 'lowAt'));
}

const viewArguments = { id: repeated(argument({ ...petArgument, read: (text) => text })) };

const petView = buildCommand({
  path: ['pet', 'view'],
  aliases: ['show', 'get'],
  summary: 'show pets with their category, stock and version',
  arguments: viewArguments,
  flags: { skipMissing: toggle({ long: 'skip-missing', summary: 'show the pets that exist, and name the others on standard error' }) },
  operations: [getPetDetails],
  columns: detailColumns,
  run: async (context, { id: texts, skipMissing }: { readonly id: readonly string[]; readonly skipMissing: true | undefined }, words) => {
    const { snapshot } = await context.shop();
    const isList = namesSeveral(viewArguments, words);
    const { rows, missing } = await snapshot((call) => namedPets(call, texts, skipMissing === true));
    if (rows.length > 0 || isList) await showRecords(context, { columns: detailColumns, record: detailsRecord, rows, isList });
    if (missing.length > 0) await context.note(`${pluralize(missing.length, 'pet')} not found: ${missing.map((text) => shortened(text)).join(', ')}.`);
  },
  examples: ['petstore pet view 7', 'petstore pet view 7 8 --json', 'petstore pet view - --skip-missing'],
});

const petHold = changeEachCommand({
  path: ['pet', 'hold'],
  summary: 'take pets off sale',
  arguments: { id: repeated(petArgument) },
  operation: holdPet,
  input: ({ id }) => ({ petId: id }),
  columns: petColumns,
  sentence: ({ id, name }, verb) => `${verb('Put', 'Would put', 'Unchanged:')} pet ${id} (${name})${verb('', '', ' is')} on hold.`,
  examples: ['petstore pet hold 7 --note "at the vet"'],
});

const petRelease = changeEachCommand({
  path: ['pet', 'release'],
  summary: 'put held pets back on sale',
  arguments: { id: repeated(petArgument) },
  operation: releasePet,
  input: ({ id }) => ({ petId: id }),
  columns: petColumns,
  sentence: ({ id, name, status }, verb) => `${verb('Released', 'Would release', 'Unchanged:')} pet ${id} (${name}): ${status}.`,
  examples: ['petstore pet release 7'],
});

const petDelete = changeEachCommand({
  path: ['pet', 'delete'],
  aliases: ['rm', 'remove'],
  summary: 'delete pets; their last unit is written off',
  arguments: { id: repeated(petArgument) },
  operation: deletePet,
  input: ({ id }) => ({ petId: id }),
  columns: petColumns,
  question: (rows) => {
    const named = rows.map(({ id, name }) => `${id} (${name})`);
    return `Delete ${rows.length === 1 ? 'pet' : `${rows.length} pets:`} ${joinItems(named)}?`;
  },
  sentence: ({ id, name }, verb) => `${verb('Deleted', 'Would delete')} pet ${id} (${name}).`,
  examples: ['petstore pet delete 7 --yes', 'petstore pet delete 7 8 --dry-run'],
});

const ownFlags = { createCategories: toggle({ long: 'create-categories', summary: 'create categories that do not exist yet' }) };

async function importPets(
  { context, shop, file }: ImportTask,
  options: ImportOptions,
  { createCategories }: FlagValues<typeof ownFlags>,
): Promise<ImportReport> {
  const { io, settings } = context;
  const results = petResultsWriter(io.stdout, settings.format);
  const report = await shop.importPets(file, {
    ...options,
    createCategories: createCategories === true,
    onRow: results && ((result) => results.write([result])),
  });
  await results?.end();
  return report;
}

const petImport = importCommand({
  path: ['pet', 'import'],
  summary: 'create pets from a CSV, TSV, NDJSON or JSON file, or from standard input with -',
  flags: ownFlags,
  fileColumns: petRowColumns,
  undoable: false,
  run: importPets,
  examples: [
    'petstore pet import pets.csv',
    `petstore pet import pets.csv --map "Animal's Name=name" --map "Primary Breed=category" --create-categories`,
    'petstore pet import pets.csv --keep-going --rejects bad.csv',
    'petstore pet import pets.csv --format ids',
  ],
});

/** The columns that an import reads: categories by an unambiguous name, and in JSON also category and quantity. */
const exportColumns: Columns<CodedPet> = {
  ...petColumns,
  all: [
    ...petColumns.all.map((column) => (column.name === 'category' ? { ...column, value: ({ category }: CodedPet) => recordText(category) } : column)),
    { name: 'codes', heading: 'Codes', value: ({ codes = [] }) => codesCellText(codes) || undefined },
  ],
  shown: [...new Set([...petColumns.shown, ...petRowColumns])],
  json: [...new Set([...petColumns.json, ...petRowColumns])],
};

const petExport = listCommand({
  ...petListing,
  path: ['pet', 'export'],
  summary: 'write all pets as CSV for "pet import", or in another --format',
  columns: exportColumns,
  added: { isNeeded: (shown) => shown.includes('codes'), add: withCodes },
  exports: true,
  readsTexts: true,
  examples: ['petstore pet export', 'petstore pet export --spreadsheet', 'petstore pet export --category Dogs --format ndjson'],
});

/** The commands of pets. */
export const petCommands: readonly Command[] = [petList, petView, petCreate, petEdit, petDelete, petHold, petRelease, petImport, petExport];
