import type { Cell, Engine } from '../engine.js';
import { numbersText, textsText } from './staging.js';

/** Puts rows into a table with one statement; a column travels as the text of an array. */
export const insertRows: Engine['insertRows'] = async (queries, { name, columns }, rows) => {
  if (rows.length === 0) return;
  const cells = (index: number): readonly Cell[] => rows.map((row) => row[index] ?? null);
  const kinds = Object.values(columns);
  const arrays = kinds.map((kind) => `CAST(? AS ${kind === 'number' ? 'BIGINT' : 'TEXT'}[])`);
  const values = kinds.map((kind, index) =>
    kind === 'number' ? numbersText(cells(index) as readonly (number | null)[]) : textsText(cells(index) as readonly (string | null)[]),
  );
  const names = Object.keys(columns).map((column) => `"${column}"`);
  await queries.run({ text: `INSERT INTO ${name} (${names.join(', ')}) SELECT * FROM unnest(${arrays.join(', ')})`, values });
};
