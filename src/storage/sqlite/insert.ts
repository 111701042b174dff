import type { Engine } from '../engine.js';

/** Rows per statement: fewer rows mean more calls, more rows mean more time to compile the statement. */
const rowsPerInsert = 40;

/** Inserts rows with a few statements of many rows. */
export const insertRows: Engine['insertRows'] = async (queries, { name, columns }, rows) => {
  const names = Object.keys(columns);
  const insert = `INSERT INTO ${name} (${names.map((column) => `"${column}"`).join(', ')}) VALUES`;
  const row = `(${names.map(() => '?').join(',')})`;
  for (let from = 0; from < rows.length; from += rowsPerInsert) {
    const some = rows.slice(from, from + rowsPerInsert);
    await queries.run({ text: `${insert} ${some.map(() => row).join(',')}`, values: some.flat() });
  }
};
