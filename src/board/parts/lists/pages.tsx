import type { JSX } from 'preact';
import type { Page } from '../../../domain/values/pages.js';
import { hrefWith, queryValue } from '../../state/router.js';
import { countText, numberText } from '../text.js';

/** How many rows a page of a list has. */
export const pageSize = 50;

/** The input that asks a list for the page of the address, and for the number of all rows. */
export function pageInput(): { readonly limit: number; readonly count: true; readonly cursor: string | undefined } {
  return { limit: pageSize, count: true, cursor: queryValue('cursor') };
}

interface PagesProps {
  readonly page: Page<unknown>;
  /** What the list lists, such as "pet". */
  readonly noun: string;
}

/** How many rows are shown, of how many: a page that was printed must not be taken for the whole list. */
function countOf({ items, next, previous, total }: Page<unknown>, noun: string): string {
  if (total === undefined) return next === undefined && previous === undefined ? '' : `${countText(items.length, noun)} on this page`;
  return items.length < total ? `${numberText(items.length)} of ${countText(total, noun)}` : countText(total, noun);
}

/** Links to the next and the previous page of a list, which is kept in the address. */
export function Pages({ page, noun }: PagesProps): JSX.Element | null {
  const { items, next, previous } = page;
  if (items.length === 0) return null;
  return (
    <nav class="pages" aria-label="Pages">
      <span>{countOf(page, noun)}</span>
      {previous !== undefined && (
        <a class="button" rel="prev" href={hrefWith({ cursor: previous })}>
          Previous
        </a>
      )}
      {next !== undefined && (
        <a class="button" rel="next" href={hrefWith({ cursor: next })}>
          Next
        </a>
      )}
    </nav>
  );
}
