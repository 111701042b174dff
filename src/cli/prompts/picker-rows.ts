import type { StoreError } from '../../domain/errors.js';
import { plain } from '../output/colours.js';
import { sanitiseCell } from '../output/sanitise.js';
import type { Dialogue } from './prompt.js';
import type { Choice, Found } from './prompter.js';

/** The cells of a row; a number is aligned to the right. */
export type Row = readonly (string | number)[];

/** The width in cells below which only the first three cells of a row are shown. */
const fullWidth = 60;

/** Rows as choices in aligned columns, cut to the width of the terminal. */
export async function choicesOf<T>(rows: readonly T[], columns: number, row: (of: T) => Row): Promise<readonly Choice<T>[]> {
  const { tableText } = await import('../output/table.js');
  const all = rows.map(row);
  const cells = all.map((one) => one.slice(0, columns < fullWidth ? 3 : undefined).map((cell) => ({ text: sanitiseCell(String(cell)), colour: undefined })));
  const heads = (cells[0] ?? []).map((_, index) => ({ heading: '', ...(typeof all[0]?.[index] === 'number' ? { numeric: true } : { least: 6 }) }));
  // Three cells are left for the marker of the selected choice.
  const [, ...lines] = tableText(heads, cells, { columns: columns - 3, paint: plain }).split('\n');
  return rows.map((value, index) => ({ value, name: lines[index] ?? '' }));
}

/** Lets people pick from the results of a search; throws `none` if there is nothing to pick. */
export async function pickFound<T>(dialogue: Dialogue, message: string, source: (term: string) => Promise<Found<T>>, none: StoreError): Promise<T> {
  if ((await source('')).choices.length === 0) throw none;
  return dialogue.pick(message, (term) => source(term.trim()));
}
