import type { Queries } from './queries.js';
import type { Sql } from './sql.js';

/** Refuses a query after the end of its transaction. */
export async function refuseLate(): Promise<never> {
  throw new Error('This transaction has ended; an operation forgot an await, or went on after an error.');
}

const selects = /^\s*SELECT\b/;

/** Whether a query is a SELECT, which changes nothing; others may. */
export function startsWithSelect({ text }: Sql): boolean {
  return selects.test(text);
}

/** Queries of which each passes through `ask`, which calls `send`. */
export function queriesThrough<Some extends Queries>(queries: Some, ask: <T>(query: Sql, send: (query: Sql) => Promise<T>) => Promise<T>): Some {
  return {
    ...queries,
    all: <Row>(query: Sql) => ask(query, queries.all<Row>),
    rows: (query) => ask(query, queries.rows),
    get: <Row>(query: Sql) => ask(query, queries.get<Row>),
    run: (query) => ask(query, queries.run),
    runAndCount: (query) => ask(query, queries.runAndCount),
  };
}

/** The queries of one read or write, which fail after `end`. */
export interface ExpiringQueries<Some extends Queries> {
  readonly queries: Some;
  readonly end: () => void;
  /** Whether a query may have changed something. */
  readonly hasChanged: () => boolean;
  /** Whether a query has failed. */
  readonly hasFailed: () => boolean;
}

/** Wraps queries so that they fail after `end`, and watches what they do. */
export function expiringQueries<Some extends Queries>(queries: Some): ExpiringQueries<Some> {
  let [hasEnded, hasChanged, hasFailed] = [false, false, false];
  const ask = <T>(query: Sql, send: (query: Sql) => Promise<T>): Promise<T> => {
    if (hasEnded) return refuseLate();
    const answer = send(query);
    answer.catch(() => (hasFailed = true));
    hasChanged ||= !startsWithSelect(query);
    return answer;
  };
  return {
    queries: queriesThrough(queries, ask),
    end: () => {
      hasEnded = true;
    },
    hasChanged: () => hasChanged,
    hasFailed: () => hasFailed,
  };
}
