import type { JSX } from 'preact';
import type { Page } from '../../../domain/values/pages.js';
import { hrefWith } from '../../state/router.js';
import { countText } from '../text.js';

/** How many rows a page of a list has. */
export const pageSize = 50;

interface PagesProps {
  readonly page: Page<unknown>;
  /** What the list lists, such as "pet". */
  readonly noun: string;
}

/** Links to the next and the previous page of a list, which is kept in the address. */
export function Pages({ page: { items, next, previous, total }, noun }: PagesProps): JSX.Element | null {
  if (items.length === 0) return null;
  return (
    <nav class="pages" aria-label="Pages">
      {total !== undefined && <span>{countText(total, noun)}</span>}
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
