import type { Page } from '../../domain/values/pages.js';

/** The header with the number of all records of a list. */
export const totalHeader = 'x-total-count';

/** The Link header of a page (RFC 8288); `address` is that of the same list with another cursor. */
export function pageLinks({ next, previous }: Page<unknown>, address: (cursor: string | undefined) => string): string {
  const links = [`<${address(undefined)}>; rel="first"`];
  if (next !== undefined) links.push(`<${address(next)}>; rel="next"`);
  if (previous !== undefined) links.push(`<${address(previous)}>; rel="prev"`);
  return links.join(', ');
}

function cursorIn(links: string, relation: 'next' | 'prev'): string | undefined {
  return new RegExp(`[?&]cursor=([\\w-]+)[^>]*>; rel="${relation}"`).exec(links)?.[1];
}

/** The page in an answer: its records, and the headers `Link` and `X-Total-Count`. */
export function pageOf<Row>(items: readonly Row[], links: string, total: string | undefined): Page<Row> {
  const next = cursorIn(links, 'next');
  const previous = cursorIn(links, 'prev');
  return {
    items,
    ...(next !== undefined && { next }),
    ...(previous !== undefined && { previous }),
    ...(total !== undefined && { total: Number(total) }),
  };
}
