import { expiringQueries } from '../expiring-queries.js';
import type { Queries } from '../queries.js';

const selects = /^\s*SELECT\b/;

/** The queries of one write, which fail after `end`. */
export interface ChangeWatch {
  readonly queries: Queries;
  readonly end: () => void;
  /** Whether a query may have changed something. */
  readonly hasChanged: () => boolean;
  /** Whether a query has failed. */
  readonly hasFailed: () => boolean;
}

/** Watches what the queries of one write do. */
export function changeWatch(queries: Queries): ChangeWatch {
  let hasChanged = false;
  let hasFailed = false;
  const scope = expiringQueries(queries, ({ text }, answer) => {
    answer.catch(() => (hasFailed = true));
    hasChanged ||= !selects.test(text);
  });
  return { ...scope, hasChanged: () => hasChanged, hasFailed: () => hasFailed };
}
