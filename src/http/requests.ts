import type { IncomingMessage } from 'node:http';
import { StoreError } from '../domain/errors.js';
import { bringsBody } from './body.js';

/** The longest address of a request, in characters. */
export const maximumAddress = 8192;
/** The most bytes of the headers of a request. */
export const maximumHeaders = 16 * 1024;

const sane = /^[\w.:@/+=-]{1,128}$/;

/** Names a request: by the name its client gave it, if it is sane, otherwise by one of our own. */
export type NextId = (given: string | readonly string[] | undefined) => string;

/** Names the requests of one server; `prefix` tells its names from those of another. */
export function requestIds(prefix: string): NextId {
  let count = 0;
  return (given) => {
    if (typeof given === 'string' && sane.test(given)) return given;
    count += 1;
    return `${prefix}-${count.toString(36)}`;
  };
}

/** The two parts of an address: its path, and its query without the question mark. */
export function partsOf(url: string): { readonly path: string; readonly query: string } {
  const at = url.indexOf('?');
  return at < 0 ? { path: url, query: '' } : { path: url.slice(0, at), query: url.slice(at + 1) };
}

/** Refuses an address that is too long, or that is not a path. */
export function checkAddress(url: string): void {
  if (url.length > maximumAddress) throw new StoreError('uri_too_long', `The address has ${url.length} characters; ${maximumAddress} are the most.`);
  if (!url.startsWith('/')) throw new StoreError('invalid_request', 'The address of a request is a path, such as /pets.');
}

/** Refuses a second host, of which Node would pass over one (RFC 9112, 3.2), and a body that nobody would read. */
export function checkHead(message: Pick<IncomingMessage, 'method' | 'headers' | 'rawHeaders'>): void {
  const { method, rawHeaders } = message;
  const hosts = rawHeaders.filter((name, index) => index % 2 === 0 && name.length === 4 && name.toLowerCase() === 'host');
  if (hosts.length > 1) throw new StoreError('invalid_request', 'The request names its host twice.');
  if ((method === 'GET' || method === 'HEAD' || method === 'OPTIONS') && bringsBody(message)) {
    throw new StoreError('invalid_request', `A ${method} request takes no body.`);
  }
}

/** Refuses a client that takes nothing of these types, such as application/json (RFC 9110, 12.5.1). */
export function checkAccepted(accept: string | undefined, type: string): void {
  if (accept === undefined || accept === '*/*' || accept === type) return;
  const [family = ''] = type.split('/');
  const weights = accept.split(',').flatMap((part) => {
    const [range = '', ...parameters] = part.split(';').map((one) => one.trim().toLowerCase());
    const place = [`${family}/${type.slice(family.length + 1)}`, `${family}/*`, '*/*'].indexOf(range);
    const weight = parameters.find((one) => one.startsWith('q='))?.slice(2);
    return place < 0 ? [] : [{ place, weight: weight === undefined ? 1 : Number(weight) }];
  });
  // The most exact range that names the type decides.
  const [best] = weights.toSorted((left, right) => left.place - right.place);
  if (best !== undefined && best.weight > 0) return;
  throw new StoreError('not_acceptable', `This answers with ${type}, which the request does not accept.`);
}
