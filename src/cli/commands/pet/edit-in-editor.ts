import { findCategoryToFilter } from '../../../domain/categories/find-category.js';
import { checkInput } from '../../../domain/check-input.js';
import type { Call } from '../../../domain/call.js';
import { StoreError } from '../../../domain/errors.js';
import { getPetDetails } from '../../../domain/pets/get-pet-details.js';
import { listPets } from '../../../domain/pets/list-pets.js';
import type { PetDetailsRow } from '../../../domain/pets/pet-details.js';
import type { PetFields, PetRow } from '../../../domain/pets/pet.js';
import { updatePet } from '../../../domain/pets/update-pet.js';
import type { PetStatus } from '../../../domain/pets/pet-status.js';
import type { Patch } from '../../../domain/values/fields.js';
import { isForPeople, isJson } from '../../../settings/output-format.js';
import { allRows } from '../../all-pages.js';
import type { Context } from '../../command.js';
import { editAndApply } from '../../edit/edit-file.js';
import type { LineProblem } from '../../output/line-problems.js';
import type { FlagValues } from '../../flags.js';
import { callOptions, type mutationFlags } from '../../mutation-flags.js';
import { grouped } from '../../output/numbers.js';
import { writeTable, type Column } from '../../output/view.js';
import { canAsk } from '../../prompts/prompter.js';
import { showChange, type ChangeSentence } from '../../record-command.js';
import { type PetFlagValues, petChange, petColumns, petFlags } from './pet-fields.js';
import { leftNote, petSheet, sheetTexts, type PetEdit, type SheetTexts } from './pet-sheet.js';

/** The most pets that are edited at once. */
const maximumPets = 1000;

/** Which pets to edit. */
interface EditedSelection extends FlagValues<typeof mutationFlags> {
  readonly id: readonly number[];
  readonly status: PetStatus | undefined;
  readonly category: string | undefined;
  readonly search: string | undefined;
}

/** The pets that the line selects, by id. Refuses with `pet_not_found` an id without a pet, with `usage` too many pets. */
async function selected(call: Call, { id, status, category, search }: EditedSelection): Promise<readonly PetRow[]> {
  const filter = {
    ...(id.length > 0 && { id: [...new Set(id)] }),
    ...(status !== undefined && { status: [status] }),
    ...(category !== undefined && { categoryId: [await findCategoryToFilter(call, category)] }),
    q: search,
  };
  for (const petId of filter.id ?? []) await call(getPetDetails, { petId });
  const { total = 0 } = await call(listPets, { ...filter, limit: 1, count: true });
  if (total > maximumPets)
    throw new StoreError('usage', `${grouped(total)} pets are too many to edit at once; at most ${grouped(maximumPets)} can be edited.`, {
      advice: 'Narrow them with a filter such as --category or --search.',
    });
  return allRows(call, listPets, filter, maximumPets);
}

/** A change to make: the line that asks for it, the fields to change, and the pet as it is now. */
interface PetChange {
  readonly edit: PetEdit;
  readonly fields: Patch<PetFields>;
  readonly now: PetDetailsRow;
}

/** The result of work on a line, or the problem of the line: the refusal of the work. */
async function orProblem<T>({ line }: PetEdit, work: () => Promise<T>): Promise<T | LineProblem> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof StoreError) || error.status < 400 || error.status >= 500 || error.code === 'cancelled') throw error;
    return { line, message: error.message, code: error.code };
  }
}

const fieldFlags = petFlags('the new');

/** The new values of a line, read as their flags are. Refuses with `usage`, `validation_failed`, `unknown_category` and `ambiguous_category`. */
async function fieldsOf({ pet, texts }: PetEdit, call: Call): Promise<PetChange['fields']> {
  const read = Object.entries(texts).map(([column, text]) => [column, fieldFlags[column as keyof SheetTexts].read(text, column)]);
  const { category, ...values } = Object.fromEntries(read) as Partial<PetFlagValues>;
  const categoryId = category === undefined ? undefined : await findCategoryToFilter(call, category);
  return checkInput(updatePet, { petId: pet.id, body: petChange(values, categoryId) }).body;
}

/** What a pet is called: "Max" in Cats. */
function described({ name, category, ...others }: SheetTexts): string {
  return [`"${name}" in ${category}`, ...Object.values(others)].join(', ');
}

const presentTexts = (pet: PetDetailsRow): SheetTexts => sheetTexts(pet, pet.category.name);
const textList = (texts: SheetTexts): string => Object.values(texts).join(', ');

const columns: readonly Column<PetChange>[] = [
  { name: 'id', heading: 'ID', value: ({ now }) => now.id, numeric: true },
  { name: 'before', heading: 'Before', least: 12, value: ({ now }) => textList(presentTexts(now)) },
  { name: 'after', heading: 'After', least: 12, value: ({ edit, now }) => textList({ ...presentTexts(now), ...edit.texts }) },
];

const maximumShown = 20;

/** How often a change is tried again after another change of the same pets came between reading and writing. */
const maximumTries = 5;

/** The fields that the user knows of each pet: those in the file, or those in the refusal of its line. */
type Known = Map<number, string>;

/** The change of a line. A pet that was changed meanwhile is refused, and its present values are known from then on. */
async function changeOf(edit: PetEdit, call: Call, known: Known): Promise<PetChange> {
  const fields = await fieldsOf(edit, call);
  const now = await call(getPetDetails, { petId: edit.pet.id });
  const present = described(presentTexts(now));
  const before = known.get(now.id);
  known.set(now.id, present);
  if (before === present) return { edit, fields, now };
  throw new StoreError('precondition_failed', `Pet ${now.id} was changed meanwhile: it is ${present} now. Remove this line to leave it so.`);
}

/** The changes of an edited file, and the problems of its lines. */
async function changesOf(edits: readonly PetEdit[], call: Call, known: Known) {
  const changes: PetChange[] = [];
  const problems: LineProblem[] = [];
  for (const edit of edits) {
    const found = await orProblem(edit, () => changeOf(edit, call, known));
    if ('line' in found) problems.push(found);
    else changes.push(found);
  }
  return { changes, problems };
}

/** Shows changes and asks for confirmation at a terminal, for people. */
async function confirmChanges(context: Context, changes: readonly PetChange[], { yes, dryRun }: FlagValues<typeof mutationFlags>): Promise<void> {
  const { io, settings, note, confirm } = context;
  if (yes === true || dryRun === true || !isForPeople(settings.format) || !canAsk(io, settings)) return;
  await writeTable(context, columns, changes.slice(0, maximumShown));
  if (changes.length > maximumShown) await note(`… and ${changes.length - maximumShown} more.`);
  await confirm(`Change ${changes.length === 1 ? 'this pet' : `these ${grouped(changes.length)} pets`}?`, { yes, dryRun });
}

/** Writes the changes in one transaction; undefined if one of the pets was changed after it was read. */
async function write(context: Context, changes: readonly PetChange[], flags: FlagValues<typeof mutationFlags>): Promise<readonly PetRow[] | undefined> {
  const inputs = changes.map(({ fields, now }) => ({ petId: now.id, body: fields }));
  // Versions are ids of ledger entries: no other pet can have the one of this pet.
  const ifMatch = changes.map(({ now }) => now.version);
  try {
    return (await (await context.shop()).callEach(updatePet, inputs, { ...callOptions(context, flags), ifMatch })) as readonly PetRow[];
  } catch (error) {
    if (error instanceof StoreError && error.code === 'precondition_failed') return undefined;
    throw error;
  }
}

/** How edits are applied. */
interface Applying {
  readonly known: Known;
  readonly flags: FlagValues<typeof mutationFlags>;
  readonly sentence: ChangeSentence<PetRow>;
}

/** Applies the edits in one transaction; answers the lines that cannot be applied. */
async function applyEdits(context: Context, edits: readonly PetEdit[], { known, flags, sentence }: Applying) {
  const { call } = await context.shop();
  if (edits.length === 0) {
    await context.note('Nothing was edited; nothing was changed.');
    return [];
  }
  for (let tries = 1; tries <= maximumTries; tries += 1) {
    const { changes, problems } = await changesOf(edits, call, known);
    if (problems.length > 0) return problems;
    if (tries === 1) await confirmChanges(context, changes, flags);
    const rows = await write(context, changes, flags);
    if (rows === undefined) continue;
    await showChange(context, { columns: petColumns, rows, isList: true, sentence, dryRun: flags.dryRun });
    return [];
  }
  throw new StoreError('store_busy', 'Other changes of the same pets came in between; nothing was changed.');
}

/** Opens the fields of pets in the editor, and applies what was edited in one transaction. */
export async function editPetsInEditor(given: Context, selection: EditedSelection, sentence: ChangeSentence<PetRow>): Promise<void> {
  const isCsv = given.settings.format === 'csv';
  // The format is that of the file to edit, not that of the answer.
  const context: Context = isCsv ? { ...given, settings: { ...given.settings, format: undefined } } : given;
  const found = await selected((await context.shop()).call, selection);
  if (found.length === 0) return context.note('Nothing found.');
  const pets = found.map((pet) => ({ id: pet.id, texts: sheetTexts(pet, pet.category) }));
  const sheet = petSheet(pets, isCsv ? 'csv' : 'text');
  const known: Known = new Map(pets.map(({ id, texts }) => [id, described(texts)]));
  await editAndApply(context, {
    ...sheet,
    apply: async (text) => {
      const { edits, problems, left } = sheet.read(text);
      if (problems.length > 0) return problems;
      // Before a refusal for JSON, which is one object.
      if (left > 0 && !isJson(context.settings.format)) await context.note(leftNote(left));
      return applyEdits(context, edits, { known, flags: selection, sentence });
    },
  });
}
