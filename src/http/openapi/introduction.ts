/** What the document says first: the rules that hold for every operation. */
export const introduction = `The operations of a pet shop: pets and their categories, orders, and stock that adds up.

**Records** are JSON. A list is a bare array. A field without a value is left out, never null. Unknown fields and unknown parameters are refused.

**Lists** come in pages of \`limit\` records. The \`Link\` header has the address of the next page; a walk neither skips nor repeats a record that stands throughout. \`count=true\` adds the total as \`X-Total-Count\`. Filters that take several values take them separated by commas.

**Errors** have the status of their code, and the body is always an Error.

**Retries**: send an \`Idempotency-Key\` with a change, and a repeat within 24 hours answers what the first request answered and changes nothing. A repeat with another body is refused. Imports keep their keys for ever, and answer a repeat with a new report.

**Concurrent changes**: a single record comes with an \`ETag\`. Send it as \`If-Match\`, and a change is refused when somebody else was faster; send it as \`If-None-Match\`, and a record you already have is not sent again.

**Stability**: operations are stable unless marked. \`x-stability-level: beta\` may still change, \`alpha\` is an experiment; answers of both, and of deprecated operations, carry \`Petstore-Stability\`. A deprecated operation answers with \`Deprecation\`, \`Sunset\` and the address of its successor.

HEAD goes with every GET, except for the event stream. Beside these operations a server answers \`/livez\` and \`/readyz\` for probes, \`/metrics\` for Prometheus, \`/openapi.json\` with this document, \`/docs\`, and \`/board/\`, the shop on a page. The document and the files of \`/docs\` come with an \`ETag\` for \`If-None-Match\`, and compressed where \`Accept-Encoding\` allows \`gzip\` or \`br\`.`;

/** What each group of operations is about. */
export const tagDescriptions: Readonly<Record<'Pets' | 'Store' | 'Session', string>> = {
  Pets: 'Pets and the categories they belong to.',
  Store: 'Orders, inventory, bulk imports, the ledger, and the figures of the shop.',
  Session: 'Signing in with a web page of the server.',
};

/** What the bearer token is. */
export const securityDescription =
  'An access token created by `petstore token create`, sent as `Authorization: Bearer pst_…`. Each operation lists the scope that it requires; `…:write` includes `…:read`, and `admin` includes everything. A server that only listens on its own machine requires no token until one is created.';
