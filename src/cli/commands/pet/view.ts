import type { Call } from '../../../domain/call.js';
import { StoreError } from '../../../domain/errors.js';
import { getPetDetails } from '../../../domain/pets/get-pet-details.js';
import { listPets } from '../../../domain/pets/list-pets.js';
import type { PetDetailsRow } from '../../../domain/pets/pet-details.js';
import { pluralize, shortened } from '../../../domain/values/text.js';
import { allRows, rowsOfPets } from '../../all-pages.js';
import { argument, repeated } from '../../arguments.js';
import type { Command } from '../../command.js';
import { completeRecords } from '../../completion/completers.js';
import { buildCommand } from '../../declare-command.js';
import { toggle } from '../../flags.js';
import { type Shown, showRecords } from '../../record-command.js';
import { petPrompt } from '../../prompts/shared-prompts.js';
import { readPet } from '../../shared-arguments.js';

/** The pet that a text names; undefined for none. */
async function knownPet(call: Call, text: string): Promise<number | undefined> {
  try {
    return await readPet(text, { call });
  } catch (error) {
    if (error instanceof StoreError && (error.code === 'pet_not_found' || error.code === 'code_not_found')) return undefined;
    throw error;
  }
}

/** The ids of the pets that some texts name, in their order, and the texts that name none. */
async function knownPets(call: Call, texts: readonly string[]): Promise<{ readonly ids: readonly number[]; readonly missing: readonly string[] }> {
  const named: (readonly [text: string, petId: number | undefined])[] = [];
  for (const text of texts) named.push([text, await knownPet(call, text)]);
  const wanted = [...new Set(named.flatMap(([, petId]) => (petId === undefined ? [] : [petId])))];
  const live = new Set((await rowsOfPets(wanted, (id) => allRows(call, listPets, { id }))).map(({ id }) => id));
  const isLive = (petId: number | undefined): petId is number => petId !== undefined && live.has(petId);
  return { ids: named.flatMap(([, petId]) => (isLive(petId) ? [petId] : [])), missing: named.filter(([, petId]) => !isLive(petId)).map(([text]) => text) };
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
      let petIds: readonly number[];
      let missing: readonly string[] = [];
      if (skipMissing === true) ({ ids: petIds, missing } = await knownPets(call, texts));
      else petIds = await Promise.all(texts.map((text) => readPet(text, { call })));
      const rows = await callEach(
        getPetDetails,
        petIds.map((petId) => ({ petId })),
      );
      if (rows.length > 0 || isList) await showRecords(context, { ...shown, rows, isList });
      if (missing.length > 0) await context.note(`${pluralize(missing.length, 'pet')} not found: ${missing.map((text) => shortened(text)).join(', ')}.`);
    },
    examples: ['petstore pet view 7', 'petstore pet view 7 8 --json', 'petstore pet view - --skip-missing'],
  });
}
