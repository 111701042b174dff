import { contract, type ContractOperation } from '../../domain/operations.js';
import { completeType } from '../contract/media-types.js';

const day = (instant: number): string => new Date(instant).toISOString().slice(0, 10);

const deprecations = contract.flatMap(({ method, path, deprecated }) => {
  if (deprecated === undefined) return [];
  const { since, sunset, successor } = deprecated;
  return [`\n- \`${method} ${path}\`: deprecated since ${day(since)}, sunset ${day(sunset)}, successor \`${method} ${successor}\``];
});

/** The description of the API: the rules of every operation. */
export const introduction = `The operations of a pet shop: pets and their categories, orders, and stock that adds up.

**Records** are JSON. A list is a bare array. A field without a value is left out, never null. Unknown fields and unknown parameters are refused.

**Complete records** (beta): a client whose \`Accept\` is \`${completeType}\` gets records with all fields that the command line shows, such as the name of the category and the version, and errors with details and advice. Deleting a record returns it. Responses without another description are the same.

**Lists** come in pages of \`limit\` records. The \`Link\` header has the address of the next page; following it from page to page neither skips nor repeats a record that exists the whole time. \`count=true\` adds the total as \`X-Total-Count\`. Filters that take several values take them separated by commas.

**Errors**: the HTTP status is that of the error code, and the body is always an Error.

**Retries**: send an \`Idempotency-Key\` with a change. The same request with the same key within 24 hours returns the first response and changes nothing; with another body it is refused. The keys of imports never expire, and a repeated import returns a new report.

**Concurrent changes**: a single record comes with an \`ETag\`. Send it as \`If-Match\`, and a change is refused if the record has changed since; send it as \`If-None-Match\`, and a record that has not changed is not sent again. A change whose path names no record, such as creating one, refuses an \`If-Match\` other than \`*\`.

**Stability**: operations are stable unless marked. \`x-stability-level: beta\` may still change, \`alpha\` is experimental; responses of both, and of deprecated operations, have the header \`Petstore-Stability\`.

**Deprecations**: a deprecated operation works until its sunset, and its successor can do everything it did. Its responses have \`Deprecation\` (RFC 9745), \`Sunset\` (RFC 8594) and a \`Link\` to the successor. This version of the program answers it after the sunset as well; a later one may not.
${deprecations.join('')}

HEAD is supported wherever GET is, except by the event stream. Besides these operations, a server has \`/livez\` and \`/readyz\` for probes, \`/metrics\` for Prometheus, \`/openapi.json\` with this document, \`/docs\`, and \`/board/\`, the shop in a browser. The document and the files of \`/docs\` have an \`ETag\` for \`If-None-Match\`, and are compressed if \`Accept-Encoding\` allows \`gzip\` or \`br\`.`;

/** What each group of operations is about. */
export const tagDescriptions: Readonly<Record<ContractOperation['tag'], string>> = {
  Pets: 'Pets and the categories they belong to.',
  Codes: 'Barcodes and other codes of pets.',
  Store: 'Orders, inventory, bulk imports, the ledger, and the figures of the shop.',
  Session: 'Signing in with a web page of the server.',
};

/** What the bearer token is. */
export const securityDescription =
  'An access token created by `petstore token create`, sent as `Authorization: Bearer pst_…`. Each operation lists the scope that it requires; `…:write` includes `…:read`, and `admin` includes everything. A server that only listens on its own machine requires no token until one is created.';
