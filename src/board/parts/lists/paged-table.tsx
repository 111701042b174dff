import type { JSX } from 'preact';
import { useEffect } from 'preact/hooks';
import type { Page } from '../../../domain/values/pages.js';
import type { Loaded } from '../../state/live/loaded.js';
import { Shown } from '../shown.js';
import { isLeavingSearch } from './filters.js';
import { Pages } from './pages.js';
import { Table, type TableProps } from './table.js';

interface PagedTableProps<Row> extends Omit<TableProps<Row>, 'rows' | 'isCaptionHidden'> {
  readonly of: Loaded<Page<Row>>;
  /** The noun of a row, such as "pet". */
  readonly noun: string;
}

/** A page of a list as a table, with links to the next and the previous page. The heading above it says what the caption says. */
export function PagedTable<Row>({ of, noun, ...table }: PagedTableProps<Row>): JSX.Element {
  const isNext = isLeavingSearch.value && !of.isOutdated && of.refusal === undefined;
  useEffect(() => {
    if (!isNext) return;
    isLeavingSearch.value = false;
    document.querySelector<HTMLElement>('main tbody :is(a, button)')?.focus();
  }, [isNext]);
  return (
    <Shown of={of}>
      {(page) => (
        <>
          <Table {...table} isCaptionHidden rows={page.items} />
          <Pages page={page} noun={noun} />
        </>
      )}
    </Shown>
  );
}
