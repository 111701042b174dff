import { codeText, codeUnits, exampleCode, maximumUnits, roundedProblem, type Code } from '../codes/code.js';
import { codeDoubt } from '../codes/gtin.js';
import { idNumber } from '../values/ids.js';
import { field, optional } from '../values/schemas.js';
import { cellError, integerIn, isLeftOut, malformedRow, type FileRow } from './cells.js';
import type { ImportOptions } from './import-options.js';
import type { PetCells, ReadPet } from './pet-cell.js';
import type { RowError, RowWarning } from './row-error.js';
import * as v from 'valibot';

/** The most rows of a file of codes, which are held in memory. */
export const maximumCodeRows = 1_000_000;

/** One row of a file of codes, for the OpenAPI document; `checkCodeRow` checks the cells. */
export const codeRow = v.pipe(
  v.object({
    petId: optional(idNumber, 'ID of the animal. A row without one has a `name`.'),
    name: optional(v.string(), 'The name of the animal, which must be the name of one only.'),
    code: field(codeText, 'The code to add.'),
    units: optional(codeUnits, 'Units that one scan of the code means. Default: 1.'),
  }),
  v.metadata({ record: 'CodeRow' }),
  v.description('One row of a file of codes.'),
);

/** The columns of a file of codes, in the order of the cells that `checkCodeRow` expects. */
export const codeRowColumns = Object.keys(codeRow.entries) as readonly (keyof typeof codeRow.entries)[];

/** The cells of these columns that name the pet. */
export const codePetCells: PetCells = [
  ['id', 0],
  ['name', 1],
];

/** The rows in the examples of the OpenAPI document. */
export const exampleCodeRows = [
  { petId: exampleCode.petId, code: exampleCode.code },
  { petId: exampleCode.petId, code: '10012345000017', units: 20 },
];

/** A row of a file of codes. */
export interface CodeDraft extends Code {
  readonly line: number;
}

/** The code in a cell, in the form in which it is stored, or why it is none; JSON may have it as a number. */
export function codeInCell(cell: unknown): { readonly code: string } | { readonly problem: string } {
  const parsed = v.safeParse(codeText, typeof cell === 'number' && Number.isSafeInteger(cell) ? String(cell) : (cell ?? ''));
  if (parsed.success) return { code: parsed.output };
  const rounded = typeof cell === 'string' ? roundedProblem(cell.trim()) : undefined;
  return { problem: rounded === undefined ? parsed.issues[0].message : `is no code: ${rounded}` };
}

/** Checks one row of a file of codes, of which `readPet` reads the pet. Returns the code, or the error of the row; undefined for a row without a code. */
export function checkCodeRow(row: FileRow, readPet: ReadPet): CodeDraft | RowError | undefined {
  const { line, cells, problem } = row;
  if (problem !== undefined) return malformedRow(line, problem);
  const [, , codeCell, unitsCell] = cells;
  // A list of articles has rows without a barcode, or without a carton.
  if (isLeftOut(codeCell, row)) return undefined;
  const pet = readPet(row);
  if ('message' in pet) return pet;
  const { petId } = pet;
  const found = codeInCell(codeCell);
  if ('problem' in found) return { ...cellError({ line, column: 'code', cell: codeCell }, 'validation_failed', found.problem), petId };
  const units = v.safeParse(codeUnits, isLeftOut(unitsCell, row) ? 1 : integerIn(unitsCell));
  if (!units.success) return { ...cellError({ line, column: 'units', cell: unitsCell }, 'invalid_quantity', `is not between 1 and ${maximumUnits}`), petId };
  return { line, petId, code: found.code, units: units.output };
}

/** What to check about the code of a row; undefined for one without a doubt. */
export function codeWarning({ line, code }: CodeDraft, { dryRun }: Pick<ImportOptions, 'dryRun'>): RowWarning | undefined {
  const message = codeDoubt(code, dryRun !== true);
  return message === undefined ? undefined : { line, value: code, message };
}
