import type { Engine } from '../../src/storage/engine.js';
import type { Queries } from '../../src/storage/queries.js';
import type { Sql } from '../../src/storage/sql.js';

/** An engine that reports every query it runs. */
export function observeQueries(engine: Engine, heard: (query: Sql) => void): Engine {
  const around = <Some extends Queries>(queries: Some): Some => ({
    ...queries,
    all: (query) => (heard(query), queries.all(query)),
    rows: (query) => (heard(query), queries.rows(query)),
    get: (query) => (heard(query), queries.get(query)),
    run: (query) => (heard(query), queries.run(query)),
  });
  return {
    ...engine,
    read: (work) => engine.read((queries) => work(around(queries))),
    write: (work, options) => engine.write((queries) => work(around(queries)), options),
  };
}
