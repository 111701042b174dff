import type { FastifyReply, FastifyRequest } from 'fastify';
import type { CallOptions } from '../../domain/call.js';
import { StoreError } from '../../domain/errors.js';
import { headerNames, headerText, versionsIn } from '../contract/headers.js';

const keyPattern = /^[\x21-\x7e]([\x20-\x7e]{0,253}[\x21-\x7e])?$/;

/** The Idempotency-Key of a request; refuses an invalid one with `invalid_parameter`. */
function idempotencyKey({ headers }: Pick<FastifyRequest, 'headers'>): string | undefined {
  const key = headers[headerNames.key];
  if (key === undefined) return undefined;
  if (typeof key === 'string' && keyPattern.test(key)) return key;
  throw new StoreError('invalid_parameter', 'Idempotency-Key: must be 1 to 255 printable ASCII characters.');
}

const maximumHeaderLength = 8192;

/** The decoded text of a percent-encoded header; refuses an invalid one with `invalid_parameter`. */
export function headerValue({ headers }: Pick<FastifyRequest, 'headers'>, name: string): string | undefined {
  const value = headers[name];
  if (value === undefined) return undefined;
  try {
    if (typeof value === 'string' && value.length <= maximumHeaderLength) return headerText.read(value);
  } catch {
    // Refused below, like a repeated header.
  }
  throw new StoreError('invalid_parameter', `${name}: must be percent-encoded UTF-8.`);
}

/** Key, note and dry run from the headers of a request; refuses invalid ones with `invalid_parameter`. */
export function callOptionsOf(request: FastifyRequest, reply: FastifyReply): CallOptions {
  const dryRun = request.headers[headerNames.dryRun];
  if (dryRun !== undefined && dryRun !== 'true' && dryRun !== 'false') {
    throw new StoreError('invalid_parameter', `${headerNames.dryRun}: must be true or false.`);
  }
  return {
    key: idempotencyKey(request),
    note: headerValue(request, headerNames.note),
    dryRun: dryRun === 'true',
    waitedMs: request.waitedMs,
    onReplay: () => void reply.header(headerNames.replayed, 'true'),
  };
}

/** The conditions of a change (RFC 9110, 13.1); refuses a missing If-Match with `precondition_required` when it is required. */
export function conditionsOf({ headers }: FastifyRequest, isRequired = false): Pick<CallOptions, 'ifMatch' | 'ifNoneMatch'> {
  const { 'if-match': match, 'if-none-match': noneMatch } = headers;
  if (match === undefined && isRequired) {
    throw new StoreError('precondition_required', 'This server requires If-Match for changes: read the record first and send its ETag.');
  }
  const versions = match === undefined ? 'any' : versionsIn(match);
  return {
    ...(versions !== 'any' && { ifMatch: versions }),
    // If-None-Match compares weakly, If-Match strongly (RFC 9110, 13.1).
    ...(noneMatch !== undefined && { ifNoneMatch: versionsIn(noneMatch.replaceAll('W/"', '"')) }),
  };
}
