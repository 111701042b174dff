import type { FastifyReply, FastifyRequest } from 'fastify';
import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { basename, extname, join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gunzip, gzip } from 'node:zlib';
import { StoreError } from '../../../domain/errors.js';
import { isNotModified } from '../answers.js';
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

function fileType(name: string): string {
  return types[extname(name)] ?? 'application/octet-stream';
}

const compressible = /^(text\/|application\/json\b|image\/svg\b)/;

/** Calls a function once and keeps its result; after a failure the next call tries again. */
function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined;
  return () =>
    (made ??= make().catch((error: unknown) => {
      made = undefined;
      throw error;
    }));
}

/** Reads the bytes of a file in one encoding. */
type ReadFile = (encoding: ContentEncoding) => Promise<Uint8Array>;

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

/** Answers with index.html of a folder, whose addresses begin with `/`, for the base path of this server. */
export function htmlPage(
  folder: string,
  basePath: string,
  headers: Readonly<Record<string, string>>,
  changed = (text: string): string => text,
): ReturnType<typeof staticFile> {
  const read = async (): Promise<Uint8Array> => {
    const text = await readFile(join(folder, 'index.html'), 'utf8');
    return Buffer.from(changed(text.replaceAll('="/', `="${basePath}/`)));
  };
  return staticFile('text/html; charset=utf-8', compressing(read), headers);
}

/** Reads a file of the build. Only its compressed forms exist; it is decompressed for the few clients that accept neither. */
async function readCompressed(path: string, encoding: ContentEncoding): Promise<Uint8Array> {
  if (encoding === 'br') return readFile(`${path}.br`);
  const bytes = await readFile(`${path}.gz`);
  return encoding === 'gzip' ? bytes : promisify(gunzip)(bytes);
}

/** Answers with the file of a folder that `*` of the route names. The folder is read on the first request, which can reach no other file, whatever its path. */
export function filesOf(folder: string, headers: Readonly<Record<string, string>> = {}): ReturnType<typeof staticFile> {
  const files = once(async () => {
    const names = (await readdir(folder)).filter((name) => name.endsWith('.gz')).map((name) => basename(name, '.gz'));
    return new Map(names.map((name) => [name, staticFile(fileType(name), (encoding) => readCompressed(join(folder, name), encoding), headers)]));
  });
  return async (request, reply) => {
    const answer = (await files()).get((request.params as { readonly '*': string })['*']);
    if (answer === undefined) throw new StoreError('not_found', 'The page has no such file; it may be of another version: load it again.');
    return answer(request, reply);
  };
}
