import type { JSX } from 'preact';
import type { RowError } from '../../../domain/imports/row-error.js';
import { Table, type Column } from '../../parts/lists/table.js';
import { Name } from '../../parts/name.js';
import { numberText, partText } from '../../parts/text.js';
import { shownRows } from '../../state/imports/send-import.js';

const line: Column<RowError> = { heading: 'Row', cell: ({ line: number }) => <span class="unbroken">Line {numberText(number)}</span>, isHead: true };
const cells: readonly Column<RowError>[] = [
  { heading: 'Column', cell: ({ column }) => column !== undefined && <Name of={column} /> },
  { heading: 'Value', cell: ({ value }) => value !== undefined && value !== '' && <Name of={value} /> },
];
const message: Column<RowError> = { heading: 'What is wrong', cell: ({ message: text }) => <Name of={text} />, onPhone: 'line' };

/** The first refused rows of a file. */
export function RefusedTable({ errors, total }: { readonly errors: readonly RowError[]; readonly total: number }): JSX.Element | null {
  if (total === 0) return null;
  const rows = errors.slice(0, shownRows);
  const columns = [line, ...(rows.some(({ column }) => column !== undefined) ? cells : []), message];
  return (
    <Table
      caption={partText(rows.length, total, 'refused row')}
      columns={columns}
      rows={rows}
      rowKey={(row) => `${row.line} ${row.column} ${row.code}`}
      empty={null}
    />
  );
}
