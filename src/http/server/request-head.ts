import type { IncomingMessage } from 'node:http';
import { StoreError } from '../../domain/errors.js';
import { headerNames } from '../contract/headers.js';
import { importHeader } from '../contract/import-header.js';
import { hasBody } from './request-body.js';

/** The maximum length of a request target, in characters. */
export const maximumTargetLength = 8192;
/** The maximum size of the headers of a request. */
export const maximumHeaderBytes = 16 * 1024;

const requestIdPattern = /^[\w.:@/+=-]{1,128}$/;

/** The ids of the requests of one server, for `X-Request-Id` and the log. */
export interface RequestIds {
  /** A new id. */
  readonly next: () => string;
  /** The id of a request: its X-Request-Id if that is valid, otherwise a new one. */
  readonly of: (message: IncomingMessage) => string;
}

const ownId = Symbol('request id');

/** A message with the id it was given. A WeakMap of messages would take more time and memory than all else about ids. */
interface Identified extends IncomingMessage {
  [ownId]?: string;
}

/** The ids of one server, which all begin with `prefix`. */
export function requestIds(prefix: string): RequestIds {
  let count = 0;
  const next = (): string => {
    count += 1;
    return `${prefix}-${count.toString(36)}`;
  };
  return {
    next,
    of: (message) => {
      const given = message.headers['x-request-id'];
      if (typeof given === 'string' && requestIdPattern.test(given)) return given;
      return ((message as Identified)[ownId] ??= next());
    },
  };
}

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
const singleHeaders = new Set<string>([
  'host',
  'authorization',
  'content-type',
  'origin',
  'sec-fetch-site',
  importHeader,
  headerNames.key,
  headerNames.note,
  headerNames.dryRun,
  headerNames.actor,
  headerNames.lastEventId,
]);

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

/** The weight of each range or coding in an Accept header, in lower case (RFC 9110, 12.4.2). */
function weightsOf(header: string): readonly (readonly [range: string, weight: number])[] {
  return header.split(',').map((part) => {
    const [range = '', ...parameters] = part.split(';').map((one) => one.trim().toLowerCase());
    const weight = parameters.find((one) => one.startsWith('q='))?.slice(2);
    return [range, weight === undefined ? 1 : Number(weight)];
  });
}

/** Refuses with `not_acceptable` when Accept excludes the type of the answer (RFC 9110, 12.5.1). */
export function checkAccepted(accept: string | undefined, type: string): void {
  if (accept === undefined || accept === '*/*' || accept === type) return;
  // An empty list, as of an empty header, excludes nothing.
  if (/^[\s,]*$/.test(accept)) return;
  const [family = ''] = type.split('/');
  const ranges = [type, `${family}/*`, '*/*'];
  // The most specific matching range decides.
  const [best] = weightsOf(accept)
    .filter(([range]) => ranges.includes(range))
    .toSorted(([left], [right]) => ranges.indexOf(left) - ranges.indexOf(right));
  if (best !== undefined && best[1] > 0) return;
  throw new StoreError('not_acceptable', `The response has the type ${type}, which Accept excludes.`);
}

/** Whether Accept names a type itself, not just any type, as most programs do. */
export function accepts(accept: string | undefined, type: string): boolean {
  return weightsOf(accept ?? '').some(([range, weight]) => range === type && weight > 0);
}

const encodings = ['br', 'gzip', 'identity'] as const;
/** A content coding in which files are served. */
export type ContentEncoding = (typeof encodings)[number];

/** The content coding with the highest weight; of equal ones the one that compresses best (RFC 9110, 12.5.3). */
export function preferredEncoding(accepted: string | undefined): ContentEncoding {
  if (accepted === undefined) return 'identity';
  const weights = new Map(weightsOf(accepted));
  const weightOf = (encoding: ContentEncoding): number => weights.get(encoding) ?? weights.get('*') ?? 0;
  const [best] = encodings.filter((encoding) => weightOf(encoding) > 0).toSorted((left, right) => weightOf(right) - weightOf(left));
  return best ?? 'identity';
}
