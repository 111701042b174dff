import type { FastifyReply } from 'fastify';
import { StoreError } from '../../domain/errors.js';

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

/** Tells caches that the answer also depends on this header of the request; CORS may have named Origin already (RFC 9110, 12.5.5). */
export function addVary(reply: FastifyReply, name: string): void {
  const others = reply.getHeader('vary');
  reply.header('vary', others === undefined ? name : `${String(others)}, ${name}`);
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
