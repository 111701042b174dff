import type { Call } from '../../../domain/call.js';
import { StoreError } from '../../../domain/errors.js';
import { getPetDetails } from '../../../domain/pets/get-pet-details.js';
import type { PetDetailsRow } from '../../../domain/pets/pet-details.js';
import { pluralize, shortened } from '../../../domain/values/text.js';
import { argument, repeated } from '../../arguments.js';
import type { Command } from '../../command.js';
import { completeRecords } from '../../completion/completers.js';
import { buildCommand } from '../../declare-command.js';
import { toggle } from '../../flags.js';
import { type Shown, showRecords } from '../../record-command.js';
import { petPrompt } from '../../prompts/shared-prompts.js';
import { readPet } from '../../shared-arguments.js';

/** The details of the pets that some texts name, in their order, and the texts that name none. */
async function knownPets(call: Call, texts: readonly string[]): Promise<{ readonly rows: readonly PetDetailsRow[]; readonly missing: readonly string[] }> {
  const [rows, missing]: [PetDetailsRow[], string[]] = [[], []];
  for (const text of texts) {
    try {
      rows.push(await call(getPetDetails, { petId: await readPet(text, { call }) }));
    } catch (error) {
      if (!(error instanceof StoreError) || (error.code !== 'pet_not_found' && error.code !== 'code_not_found')) throw error;
      missing.push(text);
    }
  }
  return { rows, missing };
}

/** The command `pet view`, which shows records as `shown` says. */
export function petViewCommand(shown: Shown<PetDetailsRow>): Command {
  return buildCommand({
    path: ['pet', 'view'],
    aliases: ['show', 'get'],
    summary: 'show pets with their category, stock and version',
    arguments: { id: repeated(argument({ read: (text) => text, complete: completeRecords('pet'), dashReadsStdin: true, prompt: petPrompt('Which pet?') })) },
    flags: { skipMissing: toggle({ long: 'skip-missing', summary: 'show the pets that exist, and name the others on standard error' }) },
    operations: [getPetDetails],
    columns: shown.columns,
    run: async (context, { id: texts, skipMissing }: { readonly id: readonly string[]; readonly skipMissing: true | undefined }, words) => {
      const { call, callEach } = await context.shop();
      const isList = words.length > 1 || words.includes('-');
      const readAll = async () => {
        const inputs: { readonly petId: number }[] = [];
        for (const text of texts) inputs.push({ petId: await readPet(text, { call }) });
        return { rows: await callEach(getPetDetails, inputs), missing: [] };
      };
      const { rows, missing } = skipMissing === true ? await knownPets(call, texts) : await readAll();
      if (rows.length > 0 || isList) await showRecords(context, { ...shown, rows, isList });
      if (missing.length > 0) await context.note(`${pluralize(missing.length, 'pet')} not found: ${missing.map((text) => shortened(text)).join(', ')}.`);
    },
    examples: ['petstore pet view 7', 'petstore pet view 7 8 --json', 'petstore pet view - --skip-missing'],
  });
}
