import type { Call } from '../../../domain/call.js';
import { listCodes } from '../../../domain/codes/list-codes.js';
import type { PetRow } from '../../../domain/pets/pet.js';
import { allRows } from '../../all-pages.js';
import { repeated } from '../../arguments.js';
import type { Command } from '../../command.js';
import { listCommand } from '../../list-command.js';
import { namePrompt } from '../../prompts/shared-prompts.js';
import { textArgument } from '../../shared-arguments.js';
import type { Column } from '../../output/view.js';
import { listedPetColumns } from '../pet/pet-fields.js';
import { petListing } from '../pet/pet-filter.js';

const { operation } = petListing;

const counterColumns = ['id', 'name', 'category', 'quantity', 'reserved', 'available', 'status'];

/** A pet with its codes, which are read for the rows that show them. */
interface FoundPet extends PetRow {
  readonly codes?: readonly string[];
}

const codesColumn: Column<FoundPet> = { name: 'codes', heading: 'Codes', value: ({ codes }) => codes, text: ({ codes = [] }) => codes.join(' ') };

/** The most pets whose codes one request names: their ids are in its address. */
const petsOfRequest = 100;

async function withCodes(call: Call, rows: readonly FoundPet[]): Promise<readonly FoundPet[]> {
  const codes = new Map<number, string[]>(rows.map(({ id }) => [id, []]));
  const ids = [...codes.keys()];
  for (let start = 0; start < ids.length; start += petsOfRequest)
    for (const { code, petId } of await allRows(call, listCodes, { petId: ids.slice(start, start + petsOfRequest) })) codes.get(petId)?.push(code);
  return rows.map((row) => ({ ...row, codes: codes.get(row.id) ?? [] }));
}

/** The command `find`. */
export const findCommand: Command = listCommand({
  path: ['find'],
  summary: 'find pets by part of their name or by a code, with their stock',
  arguments: { text: repeated({ ...textArgument, prompt: namePrompt('Part of the name, or a code:') }) },
  operation,
  columns: { ...listedPetColumns, all: [...listedPetColumns.all, codesColumn], shown: counterColumns, json: [...listedPetColumns.json, 'codes'] },
  added: { field: 'codes', add: withCodes },
  input: ({ text }) => ({ q: text.join(' '), sort: 'name' }),
  examples: ['petstore find tetra', 'petstore find neon tetra --json', 'petstore find 4006381333931'],
});
