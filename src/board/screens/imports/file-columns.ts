import type { Columns } from '../../state/imports/send-import.js';
import type { InputOf } from '../../state/server/contract.js';

/** As much of a file as its first line may take. */
const headBytes = 64 * 1024;

/** The cells of a line of CSV whose separator is a comma, a semicolon or a tab. */
function cellsOf(line: string): readonly string[] {
  const unquoted = line.replaceAll(/"(?:[^"]|"")*"/g, '');
  const counts = [',', ';', '\t'].map((separator) => ({ separator, count: unquoted.split(separator).length }));
  const { separator } = counts.reduce((most, one) => (one.count > most.count ? one : most));
  const cells = line.match(new RegExp(`(?:"(?:[^"]|"")*"|[^${separator}])+`, 'g')) ?? [];
  return cells
    .map((cell) =>
      cell
        .trim()
        .replace(/^"(.*)"$/, '$1')
        .replaceAll('""', '"'),
    )
    .filter((cell) => cell !== '');
}

/** The names of the columns of a file of CSV; none of a file that was compressed, or has records with names. */
export async function columnsOf(file: File, encoding: NonNullable<InputOf<'importPets'>['encoding']>): Promise<readonly string[]> {
  const bytes = await file.slice(0, headBytes).arrayBuffer();
  const text = new TextDecoder(encoding).decode(bytes);
  const [first = ''] = text.split(/\r\n|\n|\r/);
  return ['{', '[', '\u001f'].includes(first.trim()[0] ?? '') ? [] : cellsOf(first);
}

/** A column of a file, and what it holds. */
export interface ChosenColumn {
  /** The column of the shop, such as `quantity`. */
  readonly ours: string;
  /** Its name in the file. */
  readonly theirs: string;
}

/** The columns that have another name in the file, as an import takes them. */
export function renamed(chosen: readonly (ChosenColumn | undefined)[]): Columns {
  return chosen.flatMap((column) => (column === undefined || column.ours === column.theirs ? [] : [[column.theirs, column.ours] as const]));
}
