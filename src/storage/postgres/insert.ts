import type { Engine } from '../engine.js';
import { arrayOf, elementType } from './arrays.js';

/** Inserts rows with one statement; each column is sent as the text of an array. */
export const insertRows: Engine['insertRows'] = async (queries, { name, columns }, rows) => {
  if (rows.length === 0) return;
  const types = Object.values(columns);
  const arrays = types.map((type) => `CAST(? AS ${elementType[type]}[])`);
  const values = types.map((type, index) =>
    arrayOf(
      type,
      rows.map((row) => row[index]),
    ),
  );
  const names = Object.keys(columns).map((column) => `"${column}"`);
  await queries.run({ text: `INSERT INTO ${name} (${names.join(', ')}) SELECT * FROM unnest(${arrays.join(', ')})`, values });
};
