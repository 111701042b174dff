import type { IncomingMessage } from 'node:http';
import { StoreError } from '../../domain/errors.js';
import { bringsBody } from './request-body.js';

/** The longest address of a request, in characters. */
export const maximumAddress = 8192;
/** The most bytes of the headers of a request. */
export const maximumHeaders = 16 * 1024;

const sane = /^[\w.:@/+=-]{1,128}$/;

/** The ids of the requests of one server, for `X-Request-Id` and the log. */
export interface RequestIds {
  /** A new id. */
  readonly next: () => string;
  /** The id of a request: the one its client gave, if it is sane, otherwise a new one. */
  readonly of: (message: IncomingMessage) => string;
}

/** The ids of one server; `prefix` tells them from those of another. */
export function requestIds(prefix: string): RequestIds {
  const known = new WeakMap<IncomingMessage, string>();
  let count = 0;
  const next = (): string => {
    count += 1;
    return `${prefix}-${count.toString(36)}`;
  };
  return {
    next,
    of: (message) => {
      const given = message.headers['x-request-id'];
      if (typeof given === 'string' && sane.test(given)) return given;
      const id = known.get(message) ?? next();
      known.set(message, id);
      return id;
    },
  };
}

/** The two parts of an address: its path, and its query without the question mark. */
export function partsOf(url: string): { readonly path: string; readonly query: string } {
  const at = url.indexOf('?');
  return at < 0 ? { path: url, query: '' } : { path: url.slice(0, at), query: url.slice(at + 1) };
}

/** The authority and the path of a request target in absolute form; undefined for any other form (RFC 9112, 3.2.2). */
export function absoluteTarget(target: string): { readonly authority: string; readonly path: string } | undefined {
  const [, authority, rest = ''] = /^https?:\/\/([^/?#]*)([/?].*)?$/is.exec(target) ?? [];
  return authority === undefined ? undefined : { authority, path: rest.startsWith('/') ? rest : `/${rest}` };
}

/** Refuses an address that is too long, or that is not a path; `*` stands for the whole server in OPTIONS (RFC 9112, 3.2.4). */
export function checkAddress(method: string, url: string): void {
  if (url.length > maximumAddress) throw new StoreError('uri_too_long', `The address has ${url.length} characters; ${maximumAddress} are the most.`);
  if (!url.startsWith('/') && !(url === '*' && method === 'OPTIONS')) {
    throw new StoreError('invalid_request', 'The address of a request is a path, such as /pets.');
  }
}

/** The refusal of a transfer coding besides chunked (RFC 9112, 6.1). */
export function unknownTransferCoding(): StoreError {
  return new StoreError('not_implemented', 'Transfer-Encoding: only chunked is supported.');
}

/** Refuses a second host, of which Node would ignore one (RFC 9112, 3.2), an unknown transfer coding, and a body that no operation reads. */
export function checkHead(message: Pick<IncomingMessage, 'method' | 'headers' | 'rawHeaders'>): void {
  const { method, headers, rawHeaders } = message;
  const coding = headers['transfer-encoding'];
  if (coding !== undefined && coding.toLowerCase() !== 'chunked') throw unknownTransferCoding();
  const hosts = rawHeaders.filter((name, index) => index % 2 === 0 && name.length === 4 && name.toLowerCase() === 'host');
  if (hosts.length > 1) throw new StoreError('invalid_request', 'The request names its host twice.');
  if ((method === 'GET' || method === 'HEAD' || method === 'OPTIONS') && bringsBody(message)) {
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

/** Refuses a client that takes nothing of these types, such as application/json (RFC 9110, 12.5.1). */
export function checkAccepted(accept: string | undefined, type: string): void {
  if (accept === undefined || accept === '*/*' || accept === type) return;
  const [family = ''] = type.split('/');
  const ranges = [type, `${family}/*`, '*/*'];
  // The most exact range that names the type decides.
  const [best] = weightsOf(accept)
    .filter(([range]) => ranges.includes(range))
    .toSorted(([left], [right]) => ranges.indexOf(left) - ranges.indexOf(right));
  if (best !== undefined && best[1] > 0) return;
  throw new StoreError('not_acceptable', `This answers with ${type}, which the request does not accept.`);
}

const encodings = ['br', 'gzip', 'identity'] as const;
/** A content coding that files are kept in. */
export type Encoding = (typeof encodings)[number];

/** The coding a client likes best; the shorter one where it likes several equally (RFC 9110, 12.5.3). */
export function encodingFor(accepted: string | undefined): Encoding {
  if (accepted === undefined) return 'identity';
  const weights = new Map(weightsOf(accepted));
  const weightOf = (encoding: Encoding): number => weights.get(encoding) ?? weights.get('*') ?? 0;
  const [best] = encodings.filter((encoding) => weightOf(encoding) > 0).toSorted((left, right) => weightOf(right) - weightOf(left));
  return best ?? 'identity';
}
