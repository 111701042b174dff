import type { AnyDescription } from './operation-rules.js';

/** The names of our own headers, and of Last-Event-ID. */
export const headerNames = {
  /** The key of a change that must take effect only once. */
  key: 'idempotency-key',
  /** Marks an answer repeated from an earlier request with the same key. */
  replayed: 'idempotency-replayed',
  note: 'petstore-note',
  dryRun: 'petstore-dry-run',
  /** The name for the ledger where no token is required. */
  actor: 'petstore-actor',
  /** The stability of the operation, unless it is stable. */
  stability: 'petstore-stability',
  /** The last event that a reconnecting client received (HTML standard, server-sent events). */
  lastEventId: 'last-event-id',
} as const;

/** The User-Agent of the command line, whose changes have the source `cli` in the ledger. */
export const commandLineAgent = 'petstore-cli';

/** Decodes a percent-encoded text. Throws URIError for other bytes than ASCII, which Node reads as Latin-1. */
function readHeaderText(value: string): string {
  if (!/^[\x20-\x7e]*$/.test(value)) throw new URIError('The value of the header is not ASCII.');
  return decodeURIComponent(value);
}

/** Encodes and decodes a text for a header. */
export const headerText = { write: encodeURIComponent, read: readHeaderText } as const;

/**
 * The entity tag of a record. `other` is the version of another record shown with it; versions are ids of one ledger, so
 * only a newer one changes the tag.
 */
export function entityTag(version: number, other = 0): string {
  return other > version ? `"${version}-${other}"` : `"${version}"`;
}

/** The versions in If-Match or If-None-Match, or `any` for `*`; tags of another form are ignored. */
export function versionsIn(header: string): readonly number[] | 'any' {
  const tags = header.split(',').map((tag) => tag.trim());
  if (tags.includes('*')) return 'any';
  return tags.flatMap((tag) => {
    const digits = /^"(0|[1-9][0-9]{0,14})(-[1-9][0-9]{0,14})?"$/.exec(tag)?.[1];
    return digits === undefined ? [] : [Number(digits)];
  });
}

/** The headers of a deprecated operation (RFC 9745 and RFC 8594); `path` is that of its successor with the ids filled in. */
export function deprecationHeaders(
  { since, sunset }: NonNullable<AnyDescription['deprecated']>,
  path: string,
  basePath: string,
): Readonly<Record<'deprecation' | 'sunset' | 'link', string>> {
  return {
    deprecation: `@${since / 1000}`,
    sunset: new Date(sunset).toUTCString(),
    link: `<${basePath}${path}>; rel="successor-version", <${basePath}/docs#deprecations>; rel="deprecation"; type="text/html"`,
  };
}
