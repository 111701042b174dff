import type { InventoryRow } from '../../../domain/inventory/inventory-item.js';
import { rowWriter } from '../../../formats/writer.js';
import { editedLines } from './edit-file.js';
import type { LineProblem } from '../../output/line-problems.js';
import { sanitiseCell } from '../../output/sanitise.js';

/** The stock of pets as a text to edit, and the edited text as a CSV file to import. */
interface StockSheet {
  readonly fileName: string;
  readonly text: string;
  readonly read: (edited: string) => EditedStock;
}

interface EditedStock {
  readonly csv: string;
  /** The line of the sheet for each line of the file. */
  readonly lineOf: (csvLine: number) => number;
  readonly problems: readonly LineProblem[];
}

const advice = [
  '# Change the quantities, save and close. A pet without a line stays as it is.',
  '# A pet whose stock is no longer the expected one is refused.',
];

const columns = ['petId', 'expected', 'quantity'] as const;

function csvOf(records: readonly (readonly unknown[])[], header: readonly string[]): string {
  const writer = rowWriter('csv', header);
  return `${writer.head()}${writer.rows(records)}${writer.tail()}`;
}

/** Comments are empty lines of the CSV file, whose lines have the numbers of the sheet. */
function csvSheet(rows: readonly InventoryRow[]): StockSheet {
  const records = rows.map(({ petId, name, quantity }) => [petId, sanitiseCell(name ?? ''), quantity, quantity]);
  return {
    fileName: 'stock.csv',
    text: `${advice.join('\n')}\n${csvOf(records, ['petId', 'name', 'expected', 'quantity'])}`,
    read: (edited) => {
      const filled = editedLines(edited);
      const lines = Array.from({ length: filled.at(-1)?.line ?? 0 }, () => '');
      for (const { line, text } of filled) lines[line - 1] = text;
      return { csv: `${lines.join('\n')}\n`, lineOf: (csvLine) => csvLine, problems: [] };
    },
  };
}

/** The mark of a pet without an expected quantity. */
const none = '-';

const columnWidth = 8;

/** The cells of `columns` right-aligned, then the name. */
function alignedLine(cells: readonly (string | number)[], name: string): string {
  return `${cells.map((cell) => String(cell).padStart(columnWidth)).join('  ')}  ${name}`;
}

/** Aligned columns: id, expected quantity, new quantity and name. */
function textSheet(rows: readonly InventoryRow[]): StockSheet {
  const lines = rows.map(({ petId, name, quantity }) => alignedLine([petId, quantity, quantity], sanitiseCell(name ?? '')));
  return {
    fileName: 'stock.txt',
    // The header begins with a space, which becomes the mark of a comment.
    text: [...advice, `#${alignedLine(columns, 'name').slice(1)}`, ...lines, ''].join('\n'),
    read: (edited) => {
      const all = editedLines(edited).map(({ line, text }) => ({ line, cells: text.trim().split(/\s+/).slice(0, columns.length) }));
      const whole = all.filter(({ cells }) => cells.length === columns.length);
      const problems = all
        .filter(({ cells }) => cells.length < columns.length)
        .map(({ line }) => ({ line, message: `This line needs the id of a pet, the expected quantity or ${none}, and the new quantity.` }));
      const csv = csvOf(
        whole.map(({ cells: [petId, expected, quantity] }) => [petId, expected === none ? '' : expected, quantity]),
        columns,
      );
      return { csv, lineOf: (csvLine) => whole[csvLine - 2]?.line ?? 1, problems };
    },
  };
}

/** The stock of pets as aligned text, or as CSV. */
export function stockSheet(rows: readonly InventoryRow[], format: 'text' | 'csv'): StockSheet {
  return format === 'csv' ? csvSheet(rows) : textSheet(rows);
}
