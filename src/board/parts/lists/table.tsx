import type { ComponentChildren, JSX } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';

/** A column of a table. */
export interface Column<Row> {
  readonly heading: string;
  readonly cell: (row: Row) => ComponentChildren;
  readonly isNumber?: boolean;
  /** Whether the cell names its row. */
  readonly isHead?: boolean;
  /**
   * Where a card on a phone shows it: beside the name of the row (`corner`), below the name without its heading (`line`),
   * or not at all (`none`), because another column says nearly the same. By default below its heading.
   */
  readonly onPhone?: 'corner' | 'line' | 'none';
  /** Whether it has only controls, which are not printed. */
  readonly isControl?: boolean;
}

/** What a table shows. */
export interface TableProps<Row> {
  readonly caption: string;
  /** Whether the caption is only for screen readers: a heading above says the same. */
  readonly isCaptionHidden?: boolean;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly rowKey: (row: Row) => string | number;
  /** Shown when there are no rows. */
  readonly empty: ComponentChildren;
  /** The total of the rows, also of those on other pages. */
  readonly total?: Row | undefined;
  readonly onRowKey?: (row: Row, event: KeyboardEvent) => void;
}

function classOf<Row>({ isNumber, isControl, onPhone }: Column<Row>): string {
  return [isNumber === true && 'number', isControl === true && 'control', onPhone !== undefined && `phone-${onPhone}`]
    .filter((name) => name !== false)
    .join(' ');
}

function Cell<Row>({ column, row }: { readonly column: Column<Row>; readonly row: Row }): JSX.Element {
  const content = column.cell(row);
  if (column.isHead === true) {
    return (
      <th scope="row" role="rowheader" class={classOf(column)}>
        {content}
      </th>
    );
  }
  return (
    <td role="cell" class={classOf(column)} data-heading={column.heading}>
      {content}
    </td>
  );
}

/** The body of a table whose focused row or button left it: the focus goes to the row in its place, not to the top of the page. */
function useKeptFocus(): { readonly ref: { current: HTMLTableSectionElement | null }; readonly onFocusIn: (event: FocusEvent) => void } {
  const ref = useRef<HTMLTableSectionElement>(null);
  const last = useRef<{ readonly element: Element; readonly index: number } | undefined>(undefined);
  const onFocusIn = ({ target }: FocusEvent): void => {
    if (!(target instanceof Element)) return;
    last.current = { element: target, index: target.closest('tr')?.sectionRowIndex ?? 0 };
  };
  useLayoutEffect(() => {
    const { current } = last;
    if (current === undefined || current.element.isConnected || document.activeElement !== document.body) return;
    const rows = ref.current?.rows;
    rows?.[Math.min(current.index, rows.length - 1)]?.querySelector<HTMLElement>('a, button')?.focus();
  });
  return { ref, onFocusIn };
}

/** The total as a row of its own group, after all others. */
function TotalRow<Row>({ columns, of }: { readonly columns: readonly Column<Row>[]; readonly of: Row }): JSX.Element {
  return (
    <tbody role="rowgroup" class="total">
      <tr role="row">
        {columns.map((column) => (
          <Cell key={column.heading} column={column.isHead === true ? { ...column, cell: () => 'Total' } : column} row={of} />
        ))}
      </tr>
    </tbody>
  );
}

/** A table. Roles are written out, because on a phone its rows are laid out as cards, which browsers take for no table. */
export function Table<Row>({ caption, isCaptionHidden, columns, rows, rowKey, empty, total, onRowKey }: TableProps<Row>): JSX.Element {
  const body = useKeptFocus();
  if (rows.length === 0) return <p class="empty">{empty}</p>;
  return (
    <table role="table">
      <caption class={isCaptionHidden === true ? 'visually-hidden' : ''}>{caption}</caption>
      <thead role="rowgroup">
        <tr role="row">
          {columns.map((column) => (
            <th key={column.heading} scope="col" role="columnheader" class={classOf(column)}>
              {column.heading}
            </th>
          ))}
        </tr>
      </thead>
      <tbody role="rowgroup" {...body}>
        {rows.map((row) => (
          <tr key={rowKey(row)} role="row" onKeyDown={onRowKey && ((event) => onRowKey(row, event))}>
            {columns.map((column) => (
              <Cell key={column.heading} column={column} row={row} />
            ))}
          </tr>
        ))}
      </tbody>
      {total !== undefined && <TotalRow columns={columns} of={total} />}
    </table>
  );
}
