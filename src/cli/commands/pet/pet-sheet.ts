import type { PetRow } from '../../../domain/pets/pet.js';
import { pluralize } from '../../../domain/values/text.js';
import { rowWriter } from '../../../formats/writer.js';
import { editedLines, type EditedLine, type LineProblem } from '../../edit/edit-file.js';
import { sanitiseCell } from '../../output/sanitise.js';
import { measure } from '../../output/text-width.js';

/** A pet as it was shown for editing. */
export type SheetPet = Pick<PetRow, 'id' | 'name' | 'category'>;

/** The new texts of a pet; undefined for those that were not edited. */
export interface PetEdit {
  readonly line: number;
  readonly pet: SheetPet;
  readonly name: string | undefined;
  readonly category: string | undefined;
}

/** What an edited sheet says. */
export interface EditedPets {
  readonly edits: readonly PetEdit[];
  readonly problems: readonly LineProblem[];
  /** The number of pets without a line. */
  readonly left: number;
}

/** The names and categories of pets as a text to edit. */
export interface PetSheet {
  readonly fileName: string;
  readonly text: string;
  readonly read: (edited: string) => EditedPets;
}

const advice = ['# Change names and categories, save and close. A pet without a line stays as it is.', '# A pet that was changed meanwhile is refused.'];

/** The cells of a line: id, name, category. */
type Cells = readonly [id: string, name: string, category: string];

/** How a format writes the lines of pets and reads one of them; undefined for a line of another form. */
interface SheetFormat {
  readonly fileName: string;
  readonly lines: (pets: readonly SheetPet[]) => readonly string[];
  readonly isHeader: (line: EditedLine) => boolean;
  readonly cellsOf: (text: string) => Cells | undefined;
  readonly form: string;
}

/** A text as a cell between bars; quoted where it could be read as something else. */
function barCell(text: string): string {
  const shown = sanitiseCell(text);
  return /^"|\s\|(\s|$)|^\||^\s|\s$/.test(shown) ? JSON.stringify(shown) : shown;
}

/** The text of a cell between bars. */
function cellText(cell: string): string {
  if (!/^".*"$/.test(cell)) return cell;
  try {
    return String(JSON.parse(cell));
  } catch {
    return cell;
  }
}

const barLine = /^\s*(\S+)\s+\|\s+("(?:[^"\\]|\\.)*"|.*?)\s+\|\s*("(?:[^"\\]|\\.)*"|.*?)\s*$/;

/** Padded with spaces to a width in cells. */
function padded(text: string, width: number): string {
  return text + ' '.repeat(Math.max(0, width - measure(text)));
}

const barFormat: SheetFormat = {
  fileName: 'pets.txt',
  lines: (pets) => {
    const names = pets.map(({ name }) => barCell(name));
    const [idWidth, nameWidth] = [Math.max(4, ...pets.map(({ id }) => String(id).length + 1)), Math.max(4, ...names.map(measure))];
    const rows = pets.map(({ id, category }, index) => `${String(id).padStart(idWidth)} | ${padded(names[index] ?? '', nameWidth)} | ${barCell(category)}`);
    return [`#${'id'.padStart(idWidth - 1)} | ${padded('name', nameWidth)} | category`, ...rows];
  },
  isHeader: () => false,
  cellsOf: (text) => {
    const [, id, name, category] = barLine.exec(text) ?? [];
    return id === undefined || name === undefined || category === undefined ? undefined : [id, cellText(name), cellText(category)];
  },
  form: 'id | name | category',
};

/** The cells of a line of CSV (RFC 4180); undefined for a line with an open quote. */
function csvCells(text: string): readonly string[] | undefined {
  const cells: string[] = [];
  const cell = /(?:"((?:[^"]|"")*)"|([^",]*))(,|$)/y;
  for (;;) {
    const [found, quoted, plain = '', end] = cell.exec(text) ?? [];
    if (found === undefined) return undefined;
    cells.push(quoted === undefined ? plain : quoted.replaceAll('""', '"'));
    if (end === '') return cells;
  }
}

const csvHeader = ['id', 'name', 'category'] as const;

const csvFormat: SheetFormat = {
  fileName: 'pets.csv',
  lines: (pets) => {
    const writer = rowWriter('csv', csvHeader);
    const text = `${writer.head()}${writer.rows(pets.map(({ id, name, category }) => [id, sanitiseCell(name), sanitiseCell(category)]))}${writer.tail()}`;
    return text.split(/\r?\n/).slice(0, -1);
  },
  isHeader: ({ text }) => text.trim() === csvHeader.join(','),
  cellsOf: (text) => {
    const [id, name, category, ...others] = csvCells(text) ?? [];
    return id === undefined || name === undefined || category === undefined || others.length > 0 ? undefined : [id, name, category];
  },
  form: csvHeader.join(','),
};

/** The new text of a cell; undefined if it was not edited. What was shown is compared, because the editor got no control characters. */
function editedText(cell: string, shown: string): string | undefined {
  return cell.trim() === sanitiseCell(shown).trim() ? undefined : cell;
}

/** The line of a pet, or why it is refused. `used` are the pets of the lines before. */
function readLine({ line, text }: EditedLine, { cellsOf, form }: SheetFormat, pets: ReadonlyMap<string, SheetPet>, used: Set<number>): PetEdit | LineProblem {
  const cells = cellsOf(text);
  if (cells === undefined) return { line, message: `This line is not of the form: ${form}` };
  const [id, name, category] = cells;
  const pet = pets.get(id.trim());
  if (pet === undefined) return { line, message: `Pet ${id.trim()} was not in this file: only the pets that were opened can be changed.` };
  if (used.has(pet.id)) return { line, message: `Pet ${pet.id} has more than one line.` };
  used.add(pet.id);
  return { line, pet, name: editedText(name, pet.name), category: editedText(category, pet.category) };
}

function readSheet(edited: string, format: SheetFormat, pets: ReadonlyMap<string, SheetPet>): EditedPets {
  const used = new Set<number>();
  const lines = editedLines(edited)
    .filter((line) => !format.isHeader(line))
    .map((line) => readLine(line, format, pets, used));
  return {
    edits: lines.flatMap((one) => ('pet' in one && (one.name ?? one.category) !== undefined ? [one] : [])),
    problems: lines.flatMap((one) => ('message' in one ? [one] : [])),
    left: pets.size - used.size,
  };
}

/** The names and categories of pets as aligned text, or as CSV. */
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
