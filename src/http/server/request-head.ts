import type { IncomingMessage } from 'node:http';
import { StoreError } from '../../domain/errors.js';
import { headerNames } from '../contract/headers.js';
import { importHeader } from '../contract/import-header.js';
import { hasBody } from './request-body.js';

/** The maximum length of a request target, in characters. */
export const maximumTargetLength = 8192;
/** The maximum size of the headers of a request. */
export const maximumHeaderBytes = 16 * 1024;

/** Splits a request target into path and query (without the question mark). */
export function splitTarget(url: string): { readonly path: string; readonly query: string } {
  const at = url.indexOf('?');
  return at < 0 ? { path: url, query: '' } : { path: url.slice(0, at), query: url.slice(at + 1) };
}

/** The authority and the path of a request target in absolute form; undefined for any other form (RFC 9112, 3.2.2). */
export function absoluteTarget(target: string): { readonly authority: string; readonly path: string } | undefined {
  if (target.startsWith('/')) return undefined;
  const [, authority, rest = ''] = /^https?:\/\/([^/?#]*)([/?].*)?$/is.exec(target) ?? [];
  return authority === undefined ? undefined : { authority, path: rest.startsWith('/') ? rest : `/${rest}` };
}

/** Refuses a target that is too long (`uri_too_long`) or not a path (`invalid_request`). OPTIONS may also ask for `*`, the whole server (RFC 9112, 3.2.4). */
export function checkTarget(method: string, url: string): void {
  if (url.length > maximumTargetLength)
    throw new StoreError('uri_too_long', `The address has ${url.length} characters; the maximum is ${maximumTargetLength}.`);
  if (!url.startsWith('/') && !(url === '*' && method === 'OPTIONS')) {
    throw new StoreError('invalid_request', 'The address of a request must be a path, such as /pets.');
  }
}

/** The refusal of a transfer coding other than chunked (RFC 9112, 6.1). */
export function unknownTransferCoding(): StoreError {
  return new StoreError('not_implemented', 'Transfer-Encoding: only chunked is supported.');
}

/**
 * The headers with one value that are read here. Of two, Node keeps the first or joins both with a comma. X-Request-Id is
 * not among them: an invalid one is replaced.
 */
const singleHeaders = new Set<string>(['host', 'authorization', 'content-type', 'origin', 'sec-fetch-site', importHeader, ...Object.values(headerNames)]);

/** Refuses a second header of a name that has one value, with `invalid_request` (RFC 9110, 5.3). */
function checkSingleHeaders(rawHeaders: readonly string[]): void {
  const seen = new Set<string>();
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index]?.toLowerCase() ?? '';
    if (!singleHeaders.has(name)) continue;
    if (seen.has(name)) throw new StoreError('invalid_request', `The request has more than one ${rawHeaders[index]} header.`);
    seen.add(name);
  }
}

/** Refuses a repeated header that has one value, and a body on a method without one, with `invalid_request`; an unknown transfer coding with `not_implemented`. */
export function checkHead(message: Pick<IncomingMessage, 'method' | 'headers' | 'rawHeaders'>): void {
  const { method, headers, rawHeaders } = message;
  const coding = headers['transfer-encoding'];
  if (coding !== undefined && coding.toLowerCase() !== 'chunked') throw unknownTransferCoding();
  checkSingleHeaders(rawHeaders);
  if ((method === 'GET' || method === 'HEAD' || method === 'OPTIONS') && hasBody(message)) {
    throw new StoreError('invalid_request', `A ${method} request takes no body.`);
  }
}
