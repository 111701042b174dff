import type { RouteHandlerMethod } from 'fastify';
import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { isKnown } from './conditions.js';
import { encodingFor, type Encoding } from './request-head.js';

/** A file in one encoding, as every client gets it. */
interface Variant {
  readonly bytes: Buffer;
  readonly tag: string;
}

// A higher quality takes seconds for the largest file, and saves a tenth of its bytes.
const quality = 5;

const compressed: Record<Encoding, (bytes: Uint8Array) => Promise<Uint8Array>> = {
  br: async (bytes) => promisify(brotliCompress)(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: quality } }),
  gzip: async (bytes) => promisify(gzip)(bytes),
  identity: async (bytes) => bytes,
};

const compressible = /^(text|application\/json)\b/;

/** A function that is called once; a failure is forgotten, so that the next caller tries again. */
function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined;
  return () =>
    (made ??= make().catch((error: unknown) => {
      made = undefined;
      throw error;
    }));
}

/**
 * Answers with a file that is the same for everybody. It is read and compressed when it is first asked for; all answers
 * share one buffer for each encoding. A package that compresses while it answers would do that again for every request.
 */
export function staticFile(type: string, read: () => Promise<Uint8Array>, headers: Readonly<Record<string, string>> = {}): RouteHandlerMethod {
  const original = once(read);
  const variant = (encoding: Encoding): (() => Promise<Variant>) =>
    once(async () => {
      const found = await original();
      const hash = createHash('sha256').update(found).digest('base64url').slice(0, 22);
      const bytes = Buffer.from(await compressed[encoding](found));
      // Each encoding is a representation of its own, with a strong validator of its own (RFC 9110, 8.8.1).
      return { bytes, tag: encoding === 'identity' ? `"${hash}"` : `"${hash}-${encoding}"` };
    });
  const variants: Record<Encoding, () => Promise<Variant>> = { br: variant('br'), gzip: variant('gzip'), identity: variant('identity') };
  const isCompressible = compressible.test(type);
  return async (request, reply) => {
    const encoding = isCompressible ? encodingFor(request.headers['accept-encoding']) : 'identity';
    const { bytes, tag } = await variants[encoding]();
    reply.headers({ ...headers, etag: tag, ...(isCompressible && { vary: 'accept-encoding' }) });
    if (isKnown(request.headers, tag)) return reply.code(304).send();
    if (encoding !== 'identity') reply.header('content-encoding', encoding);
    return reply.type(type).send(bytes);
  };
}
