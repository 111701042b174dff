import type { IncomingHttpHeaders } from 'node:http';
import { StoreError } from '../../domain/errors.js';

/** Whether a condition contains a tag, or `*`. */
function namesTag(header: string, tag: string | undefined): boolean {
  return header
    .split(',')
    .map((one) => one.trim())
    .some((one) => one === '*' || one === tag);
}

/**
 * Whether to answer a GET with 304 because the client has the current representation. Refuses with `precondition_failed`
 * when If-Match contains other tags. `tag` is undefined for a representation without a validator.
 */
export function isNotModified({ 'if-match': match, 'if-none-match': noneMatch }: IncomingHttpHeaders, tag: string | undefined): boolean {
  if (match !== undefined && !namesTag(match, tag)) {
    throw new StoreError('precondition_failed', `If-Match: does not match the current version${tag === undefined ? '' : ` (${tag})`}; read the record again.`);
  }
  // If-None-Match compares weakly, If-Match strongly (RFC 9110, 13.1).
  return noneMatch !== undefined && namesTag(noneMatch.replaceAll('W/"', '"'), tag);
}
