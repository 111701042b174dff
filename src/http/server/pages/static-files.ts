import type { FastifyReply, FastifyRequest } from 'fastify';
import { createHash } from 'node:crypto';
import { extname } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { isNotModified } from '../conditions.js';
import { addVary, preferredEncoding, type ContentEncoding } from '../content-negotiation.js';

/** The content security policy of a page: its own files, and requests to this server. */
export const ownFilesPolicy =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; frame-ancestors 'none'";

/** A file in one encoding. */
interface Variant {
  readonly bytes: Buffer;
  readonly tag: string;
}

// A higher quality takes seconds for the largest file and saves only a tenth.
const brotliQuality = 5;

const compressed: Record<ContentEncoding, (bytes: Uint8Array) => Promise<Uint8Array>> = {
  br: async (bytes) => promisify(brotliCompress)(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: brotliQuality } }),
  gzip: async (bytes) => promisify(gzip)(bytes),
  identity: async (bytes) => bytes,
};

const types: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
};

/** The media type of a file; undefined for one that is not served. */
export function fileType(name: string): string | undefined {
  return types[extname(name)];
}

const compressible = /^(text\/|application\/json\b|image\/svg\b)/;

/** Calls a function once and keeps its result; after a failure the next call tries again. */
export function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined;
  return () =>
    (made ??= make().catch((error: unknown) => {
      made = undefined;
      throw error;
    }));
}

/** Reads the bytes of a file in one encoding. */
export type ReadFile = (encoding: ContentEncoding) => Promise<Uint8Array>;

/** Reads a file that the build has not compressed, and compresses it. */
export function compressing(read: () => Promise<Uint8Array>): ReadFile {
  const original = once(read);
  return async (encoding) => compressed[encoding](await original());
}

/** Answers with a file that is the same for every client. It is read on the first request; all answers share one buffer per encoding. */
export function staticFile(
  type: string,
  read: ReadFile,
  headers: Readonly<Record<string, string>> = {},
): (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply> {
  const variant = (encoding: ContentEncoding): (() => Promise<Variant>) =>
    once(async () => {
      const bytes = Buffer.from(await read(encoding));
      const hash = createHash('sha256').update(bytes).digest('base64url').slice(0, 22);
      // Each encoding needs its own strong validator (RFC 9110, 8.8.1).
      return { bytes, tag: encoding === 'identity' ? `"${hash}"` : `"${hash}-${encoding}"` };
    });
  const variants: Record<ContentEncoding, () => Promise<Variant>> = { br: variant('br'), gzip: variant('gzip'), identity: variant('identity') };
  const isCompressible = compressible.test(type);
  return async (request, reply) => {
    const encoding = isCompressible ? preferredEncoding(request.headers['accept-encoding']) : 'identity';
    const { bytes, tag } = await variants[encoding]();
    reply.headers({ ...headers, etag: tag });
    if (isCompressible) addVary(reply, 'accept-encoding');
    if (isNotModified(request.headers, tag)) return reply.code(304).send();
    if (encoding !== 'identity') reply.header('content-encoding', encoding);
    return reply.type(type).send(bytes);
  };
}
