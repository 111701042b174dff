import type { FastifyReply } from 'fastify';
import Negotiator from 'negotiator';
import { StoreError } from '../../domain/errors.js';

/** Refuses with `not_acceptable` when Accept excludes the type of the answer (RFC 9110, 12.5.1). */
export function checkAccepted(accept: string | undefined, type: string): void {
  // An empty list, as of an empty header, excludes nothing.
  if (accept === undefined || /^[\s,]*$/.test(accept)) return;
  // Without the parameters of types: an answer has the type, whatever version or charset of it is asked for.
  const ranges = accept.replaceAll(/;(?!\s*q=)[^,;]*/gi, '');
  if (new Negotiator({ headers: { accept: ranges } }).mediaType([type]) !== undefined) return;
  throw new StoreError('not_acceptable', `The response has the type ${type}, which Accept excludes.`);
}

/** Tells caches that the answer also depends on this header of the request; CORS may have named Origin already (RFC 9110, 12.5.5). */
export function addVary(reply: FastifyReply, name: string): void {
  const others = reply.getHeader('vary');
  reply.header('vary', others === undefined ? name : `${String(others)}, ${name}`);
}

/** The content codings in which files are served; of those with equal weights the first is sent, which compresses best. */
const encodings = ['br', 'gzip', 'identity'] as const;
/** A content coding in which files are served. */
export type ContentEncoding = (typeof encodings)[number];

/** What the types of the package leave out. */
interface EncodingNegotiator {
  encodings(available: readonly string[], options: { readonly preferred: readonly string[] }): readonly string[];
}

/** The content coding with the highest weight (RFC 9110, 12.5.3). */
export function preferredEncoding(accepted: string | undefined): ContentEncoding {
  const negotiator: EncodingNegotiator = new Negotiator({ headers: { 'accept-encoding': accepted } });
  const [best = 'identity'] = negotiator.encodings(encodings, { preferred: encodings });
  return best as ContentEncoding;
}
