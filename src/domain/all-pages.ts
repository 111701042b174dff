import type { Call } from './call.js';
import type { Operation } from './operation.js';
import { maximumPage, type Page } from './values/pages.js';

/** The request for a page of a list. */
export interface PagedRequest {
  readonly limit?: number | undefined;
  readonly cursor?: string | undefined;
  readonly count?: boolean | undefined;
}

/** All pages of a list, up to a number of rows. Refuses like the operation. */
export async function* allPages<Request extends PagedRequest, Input, Row>(
  call: Call,
  operation: Operation<Request, Input, Page<Row>>,
  asked: Request,
  limit = Infinity,
): AsyncGenerator<readonly Row[], void> {
  let left = limit;
  let cursor: string | undefined;
  do {
    const page: Page<Row> = await call(operation, { ...asked, limit: Math.min(left, maximumPage), ...(cursor !== undefined && { cursor }) });
    yield page.items;
    left -= page.items.length;
    cursor = page.next;
  } while (cursor !== undefined && left > 0);
}

/** The most pets that one request names: their ids are in its address. */
const petsOfRequest = 100;

/** The rows that a list has for some pets, asked for in parts. */
export async function rowsOfPets<Row>(petIds: readonly number[], read: (some: number[]) => Promise<readonly Row[]>): Promise<readonly Row[]> {
  const rows: Row[] = [];
  for (let start = 0; start < petIds.length; start += petsOfRequest) rows.push(...(await read(petIds.slice(start, start + petsOfRequest))));
  return rows;
}

/** The rows of all pages of a list, up to a number of rows. Refuses like the operation. */
export async function allRows<Request extends PagedRequest, Input, Row>(
  call: Call,
  operation: Operation<Request, Input, Page<Row>>,
  asked: Request,
  limit = Infinity,
): Promise<readonly Row[]> {
  const rows: Row[] = [];
  for await (const page of allPages(call, operation, asked, limit)) rows.push(...page);
  return rows;
}
