import type { Column } from '../../output/view.js';

/** A column of a report. */
export function reportColumn<Name extends string>(name: Name, heading: string): Column<{ readonly [Key in Name]?: unknown }> {
  return { name, heading, value: (row) => row[name] };
}

/** A figure; in a narrow terminal the column with the lowest `leaveOut` is left out first. */
export function figure<Name extends string>(name: Name, heading: string, leaveOut?: number): Column<{ readonly [Key in Name]?: unknown }> {
  return { ...reportColumn(name, heading), numeric: true, ...(leaveOut !== undefined && { leaveOut }) };
}

/** The column that names a category. */
export const categoryColumn = { ...reportColumn('category', 'Category'), least: 8 };

/** What a table shows as the name of its last row. */
export const totalText = 'Total';

/** A share in percent. */
export const percent = (share: number | undefined): string => (share === undefined ? '' : `${(share * 100).toFixed(1)} %`);
