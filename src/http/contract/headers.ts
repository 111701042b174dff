import type { Described } from './parameters.js';

/** The headers beside those of HTTP that client and server agree on. */
export const headerNames = {
  /** The key of a change that must not take effect twice. */
  key: 'idempotency-key',
  /** Says on an answer that an earlier request under the same key had it first. */
  replayed: 'idempotency-replayed',
  note: 'petstore-note',
  dryRun: 'petstore-dry-run',
  /** Who asks, where nobody has to prove it. */
  actor: 'petstore-actor',
  /** How settled the operation is, where it is not stable. */
  stability: 'petstore-stability',
  /** The last event somebody saw of a stream that broke off. */
  lastEventId: 'last-event-id',
} as const;

/** A text as it goes into a header, and back. */
export const headerText = { write: encodeURIComponent, read: decodeURIComponent } as const;

/** The id of an event, or 0 for none of them. */
export const eventIdPattern = /^(0|[1-9][0-9]{0,15})$/;

/**
 * The entity tag of a record. Versions are ids of one ledger, so a newer version of another record that is shown as well
 * stands behind that of the record, and an older one is the same since then.
 */
export function entityTag(version: number, other = 0): string {
  return other > version ? `"${version}-${other}"` : `"${version}"`;
}

/** The versions of a record that an If-Match or If-None-Match names, or `any` (`*`). A foreign tag names none. */
export function versionsIn(header: string): readonly number[] | 'any' {
  const tags = header.split(',').map((tag) => tag.trim());
  if (tags.includes('*')) return 'any';
  return tags.flatMap((tag) => {
    const digits = /^"(0|[1-9][0-9]{0,15})(-[1-9][0-9]{0,15})?"$/.exec(tag)?.[1];
    return digits === undefined ? [] : [Number(digits)];
  });
}

/** The headers of a deprecated operation (RFC 9745 and RFC 8594); `path` is that of its successor, with the ids in place. */
export function deprecationHeaders(deprecated: NonNullable<Described['deprecated']>, path: string, basePath: string): Record<string, string> {
  return { ...deprecationDates(deprecated), link: successorLink(path, basePath) };
}

/** The headers of a deprecated operation that are the same on every answer. */
export function deprecationDates({ since, sunset }: NonNullable<Described['deprecated']>): Record<string, string> {
  return { deprecation: `@${since / 1000}`, sunset: new Date(sunset).toUTCString() };
}

/** The Link of a deprecated operation; `path` is that of its successor, with the ids in place. */
export function successorLink(path: string, basePath: string): string {
  return `<${basePath}${path}>; rel="successor-version", <${basePath}/docs#deprecations>; rel="deprecation"; type="text/html"`;
}
