import { petFields, type PetFields } from '../../../domain/pets/pet.js';
import { pluralize } from '../../../domain/values/text.js';
import { lineCells } from '../../../formats/delimited.js';
import { rowWriter } from '../../../formats/writer.js';
import { editedLines, type EditedLine } from '../../edit/edit-file.js';
import type { LineProblem } from '../../output/line-problems.js';
import { sanitiseCell } from '../../output/sanitise.js';
import { measure } from '../../output/text-width.js';

/** A column of a sheet: a field of a pet, or its category by name. */
type SheetColumn = keyof Omit<PetFields, 'categoryId'> | 'category';

/** The texts of a pet by column. */
export type SheetTexts = Readonly<Record<SheetColumn, string>>;

/** A pet as it was shown for editing. */
interface SheetPet {
  readonly id: number;
  readonly texts: SheetTexts;
}

/** The new texts of a pet: those that were edited. */
export interface PetEdit {
  readonly line: number;
  readonly pet: SheetPet;
  readonly texts: Partial<SheetTexts>;
}

/** What an edited sheet says. */
interface EditedPets {
  readonly edits: readonly PetEdit[];
  readonly problems: readonly LineProblem[];
  /** The number of pets without a line. */
  readonly left: number;
}

/** The fields of pets as a text to edit. */
interface PetSheet {
  readonly fileName: string;
  readonly text: string;
  readonly read: (edited: string) => EditedPets;
}

const advice = ['# Change names and categories, save and close. A pet without a line stays as it is.', '# A pet that was changed meanwhile is refused.'];

const columns = Object.keys(petFields).map((field) => (field === 'categoryId' ? 'category' : field)) as readonly SheetColumn[];

/** The texts of a pet as they are shown for editing; empty for a field that it does not have. */
export function sheetTexts(pet: PetFields, category: string): SheetTexts {
  const values: Readonly<Record<string, unknown>> = { ...pet, category };
  return Object.fromEntries(columns.map((column) => [column, String(values[column] ?? '')])) as SheetTexts;
}

/** The cells of a line: the id and the texts in the order of `columns`. */
type Cells = readonly string[];

const header = ['id', ...columns] as const;

/** How a format writes the lines of pets and reads one of them; a line of another form has another number of cells. */
interface SheetFormat {
  readonly fileName: string;
  readonly lines: (pets: readonly SheetPet[]) => readonly string[];
  readonly isHeader: (line: EditedLine) => boolean;
  readonly delimiter: string;
  readonly form: string;
}

/** A text as a cell between bars; quoted where it could be read as something else. */
function barCell(text: string): string {
  const shown = sanitiseCell(text);
  return /["|]|^\s|\s$/.test(shown) ? `"${shown.replaceAll('"', '""')}"` : shown;
}

/** Padded with spaces to a width in cells. */
function padEnd(text: string, width: number): string {
  return text + ' '.repeat(Math.max(0, width - measure(text)));
}

const barFormat: SheetFormat = {
  fileName: 'pets.txt',
  lines: (pets) => {
    const rows = [header, ...pets.map(({ id, texts }) => [String(id), ...columns.map((column) => barCell(texts[column]))])];
    const widths = header.map((_, index) => Math.max(index === 0 ? 3 : 4, ...rows.map((cells) => measure(cells[index] ?? ''))));
    return rows.map(([id = '', ...cells], row) => {
      const mark = row === 0 ? '#' : ' ';
      const padded = cells.map((cell, index) => (index === cells.length - 1 ? cell : padEnd(cell, widths[index + 1] ?? 0)));
      return [`${mark}${id.padStart(widths[0] ?? 0)}`, ...padded].join(' | ').trimEnd();
    });
  },
  isHeader: () => false,
  delimiter: '|',
  form: header.join(' | '),
};

const csvFormat: SheetFormat = {
  fileName: 'pets.csv',
  lines: (pets) => {
    const writer = rowWriter('csv', header);
    const rows = pets.map(({ id, texts }) => [id, ...columns.map((column) => sanitiseCell(texts[column]))]);
    return `${writer.head()}${writer.rows(rows)}${writer.tail()}`.split(/\r?\n/).slice(0, -1);
  },
  isHeader: ({ text }) => text.trim() === header.join(','),
  delimiter: ',',
  form: header.join(','),
};

/** The texts of cells that were edited. What was shown is compared, because the editor got no control characters. */
function editedTexts(cells: Cells, shown: SheetTexts): Partial<SheetTexts> {
  const edited = columns.map((column, index) => [column, cells[index] ?? ''] as const);
  return Object.fromEntries(edited.filter(([column, cell]) => cell.trim() !== sanitiseCell(shown[column]).trim()));
}

/** The line of a pet, or why it is refused. `used` are the pets of the lines before. */
function readLine({ line, text }: EditedLine, { delimiter, form }: SheetFormat, pets: ReadonlyMap<string, SheetPet>, used: Set<number>): PetEdit | LineProblem {
  const cells = lineCells(text, delimiter) ?? [];
  if (cells.length !== header.length) return { line, message: `This line is not of the form: ${form}` };
  const [id = '', ...texts] = cells;
  const pet = pets.get(id.trim());
  if (pet === undefined) return { line, message: `Pet ${id.trim()} was not in this file: only the pets that were opened can be changed.` };
  if (used.has(pet.id)) return { line, message: `Pet ${pet.id} has more than one line.` };
  used.add(pet.id);
  return { line, pet, texts: editedTexts(texts, pet.texts) };
}

function readSheet(edited: string, format: SheetFormat, pets: ReadonlyMap<string, SheetPet>): EditedPets {
  const used = new Set<number>();
  const lines = editedLines(edited)
    .filter((line) => !format.isHeader(line))
    .map((line) => readLine(line, format, pets, used));
  return {
    edits: lines.flatMap((one) => ('pet' in one && Object.keys(one.texts).length > 0 ? [one] : [])),
    problems: lines.flatMap((one) => ('message' in one ? [one] : [])),
    left: pets.size - used.size,
  };
}

/** The fields of pets as aligned text, or as CSV. */
export function petSheet(pets: readonly SheetPet[], format: 'text' | 'csv'): PetSheet {
  const chosen = format === 'csv' ? csvFormat : barFormat;
  const byId = new Map(pets.map((pet) => [String(pet.id), pet]));
  return {
    fileName: chosen.fileName,
    text: [...advice, ...chosen.lines(pets), ''].join('\n'),
    read: (edited) => readSheet(edited, chosen, byId),
  };
}

/** What is said of pets without a line. */
export function leftNote(left: number): string {
  return `${pluralize(left, 'pet')} without a line ${left === 1 ? 'stays as it is' : 'stay as they are'}.`;
}
