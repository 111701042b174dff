import type { Call } from '../../../domain/call.js';
import { addCode } from '../../../domain/codes/add-code.js';
import { code as codeRecord, type Code } from '../../../domain/codes/code.js';
import { codeDoubt } from '../../../domain/codes/gtin.js';
import { listCodes } from '../../../domain/codes/list-codes.js';
import { removeCode } from '../../../domain/codes/remove-code.js';
import { findPets } from '../../../domain/pets/find-pet.js';
import { codeRowColumns } from '../../../domain/imports/code-row.js';
import { pluralize } from '../../../domain/values/text.js';
import { argument, repeated } from '../../arguments.js';
import type { Command } from '../../command.js';
import { completeRecords } from '../../completion/completers.js';
import { command } from '../../declare-command.js';
import { flag, sortBy, recordsFlag } from '../../flags.js';
import { importCommand } from '../../import-command.js';
import { listCommand } from '../../list-command.js';
import { mutationFlags } from '../../mutation-flags.js';
import { unitCount } from '../../readers.js';
import { changeEachCommand, makeChange } from '../../record-command.js';
import { petArgument } from '../../shared-arguments.js';
import { namePrompt } from '../../prompts/shared-prompts.js';
import { columnsOf } from '../../output/view.js';

const codeColumns = columnsOf<Code, keyof Code>(
  {
    code: { heading: 'Code', least: 8 },
    petId: { heading: 'Pet', numeric: true },
    units: { heading: 'Units', numeric: true },
  },
  { json: Object.keys(codeRecord.entries) },
);

const codeArgument = argument({ read: (text) => text, prompt: namePrompt('Code:') });

/** A code in a sentence, with its units if it means several. */
const codeText = ({ code, units }: Code): string => (units === 1 ? `code ${code}` : `code ${code} (${pluralize(units, 'unit')})`);

const codeAdd: Command = command({
  path: ['code', 'add'],
  aliases: ['create', 'new'],
  summary: 'add codes to a pet, such as barcode numbers',
  arguments: { pet: petArgument, code: repeated(codeArgument) },
  flags: {
    units: flag({ long: 'units', value: 'n', summary: 'units that one scan means, such as 20 for a carton', default: '1', read: unitCount }),
    ...mutationFlags,
  },
  operations: [addCode],
  columns: codeColumns,
  mutates: true,
  run: async (context, { pet, code: codes, units, ...mutation }) => {
    const inputs = codes.map((code) => ({ petId: pet, body: { code, ...(units !== undefined && { units }) } }));
    const added = await makeChange(context, mutation, {
      columns: codeColumns,
      make: (options, { callEach }) => callEach(addCode, inputs, options),
      isList: codes.length > 1,
      sentence: (one, verb) => `${verb('Added', 'Would add')} ${codeText(one)} to pet ${one.petId}.`,
    });
    for (const { code } of added) {
      const doubt = codeDoubt(code, mutation.dryRun !== true);
      if (doubt !== undefined) await context.note(doubt);
    }
  },
  examples: ['petstore code add 7 4006381333931', 'petstore code add Guppy 10012345000017 --units 20'],
});

const petFlag = recordsFlag('pet', 'only codes of this pet; may be repeated');

/** The request for the codes of the pets that a list names. */
async function codeFilter({ pet }: { readonly pet?: readonly string[] | undefined }, call: Call): Promise<{ petId: number[] | undefined }> {
  return { petId: pet && (await findPets(call, pet)) };
}

const codeList: Command = listCommand({
  path: ['code', 'list'],
  aliases: ['ls'],
  summary: 'list the codes of pets',
  flags: {
    pet: petFlag,
    sort: sortBy(['code']),
  },
  operation: listCodes,
  input: async ({ sort, ...filter }, call) => ({ ...(await codeFilter(filter, call)), sort }),
  columns: codeColumns,
  examples: ['petstore code list', 'petstore code list --pet 7 --json'],
});

const codeRemove: Command = changeEachCommand({
  path: ['code', 'remove'],
  aliases: ['delete', 'rm'],
  summary: 'remove codes from their pets',
  arguments: { code: repeated({ ...codeArgument, complete: completeRecords('code') }) },
  operation: removeCode,
  input: ({ code }) => ({ code }),
  columns: codeColumns,
  sentence: (one, verb) => `${verb('Removed', 'Would remove')} ${codeText(one)} from pet ${one.petId}.`,
  examples: ['petstore code remove 4006381333931'],
});

const codeImport: Command = importCommand({
  path: ['code', 'import'],
  summary: 'add the codes of a CSV, TSV, NDJSON or JSON file to pets, or of standard input with -',
  flags: {},
  fileColumns: codeRowColumns,
  undoable: true,
  run: ({ shop, file }, options) => shop.importCodes(file, options),
  examples: ['petstore code import codes.csv --dry-run', 'petstore code import codes.csv', 'petstore code import codes.csv --keep-going --rejects bad.csv'],
});

const codeExport: Command = listCommand({
  path: ['code', 'export'],
  summary: 'write all codes as CSV for "code import", or in another --format',
  flags: { pet: petFlag },
  operation: listCodes,
  input: codeFilter,
  columns: { ...codeColumns, shown: ['petId', 'code', 'units'] },
  exports: true,
  readsTexts: true,
  examples: ['petstore code export', 'petstore code export --pet 7 --format ndjson'],
});

/** The commands of codes. */
export const codeCommands: readonly Command[] = [codeAdd, codeList, codeRemove, codeImport, codeExport];
