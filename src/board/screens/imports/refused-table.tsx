import type { JSX } from 'preact';
import type { RowError } from '../../../domain/imports/row-error.js';
import { Name } from '../../parts/name.js';
import { Table, type Column } from '../../parts/table.js';
import { numberText, partText } from '../../parts/text.js';
import { shownRows } from '../../state/import-file.js';

const columns: readonly Column<RowError>[] = [
  { heading: 'Row', cell: ({ line }) => `Line ${numberText(line)}`, isHead: true },
  { heading: 'Column', cell: ({ column }) => column !== undefined && <Name of={column} /> },
  { heading: 'Value', cell: ({ value }) => value !== undefined && <Name of={value} /> },
  { heading: 'What is wrong', cell: ({ message }) => <Name of={message} /> },
];

/** The first refused rows of a file. */
export function RefusedTable({ errors, total }: { readonly errors: readonly RowError[]; readonly total: number }): JSX.Element | null {
  if (total === 0) return null;
  const rows = errors.slice(0, shownRows);
  return (
    <div class="refused-rows">
      <Table
        caption={partText(rows.length, total, 'refused row')}
        columns={columns}
        rows={rows}
        rowKey={({ line, column, code }) => `${line} ${column} ${code}`}
        empty={null}
      />
    </div>
  );
}
