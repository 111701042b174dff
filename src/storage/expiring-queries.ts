import type { Queries } from './queries.js';
import type { Sql } from './sql.js';

async function refuseLate(): Promise<never> {
  throw new Error('This transaction has ended; an operation forgot an await.');
}

/** Wraps queries so that they fail after `end`. `watch` is called with each query and its answer. */
export function expiringQueries(
  queries: Queries,
  watch: (query: Sql, answer: Promise<unknown>) => void = () => undefined,
): { readonly queries: Queries; readonly end: () => void } {
  let ended = false;
  const ask = <T>(query: Sql, send: (query: Sql) => Promise<T>): Promise<T> => {
    if (ended) return refuseLate();
    const answer = send(query);
    watch(query, answer);
    return answer;
  };
  return {
    queries: {
      all: (query) => ask(query, (sent) => queries.all(sent)),
      rows: (query) => ask(query, queries.rows),
      get: (query) => ask(query, (sent) => queries.get(sent)),
      run: (query) => ask(query, queries.run),
      runAndCount: (query) => ask(query, queries.runAndCount),
      newest: queries.newest,
    },
    end: () => {
      ended = true;
    },
  };
}
