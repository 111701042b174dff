import type { FastifyReply, FastifyRequest, RouteOptions } from 'fastify';
import { readdir, readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { StoreError } from '../../../domain/errors.js';
import type { ContentEncoding } from '../content-negotiation.js';
import { splitTarget } from '../request-head.js';
import { compressing, fileType, once, ownFilesPolicy, staticFile } from './static-files.js';

/** The content security policy of the shop board: its own files, requests to this server, and no text that becomes HTML or script. */
const boardPolicy = `${ownFilesPolicy}; form-action 'self'; require-trusted-types-for 'script'; trusted-types 'none'`;

const pageHeaders = {
  'content-security-policy': boardPolicy,
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
};

// The name of an asset contains a hash of its content.
const assetHeaders = { 'cache-control': 'public, max-age=31536000, immutable', 'cross-origin-resource-policy': 'same-origin' };

/** Reads a file of the build. Only its compressed forms exist; it is decompressed for the few clients that accept neither. */
async function readAsset(path: string, encoding: ContentEncoding): Promise<Uint8Array> {
  if (encoding === 'br') return readFile(`${path}.br`);
  const bytes = await readFile(`${path}.gz`);
  return encoding === 'gzip' ? bytes : promisify(gunzip)(bytes);
}

type Answer = (request: FastifyRequest, reply: FastifyReply) => Promise<unknown>;

/** index.html for this server: the build has written its files as `/board/assets/…`. */
async function pageText(folder: string, { basePath, stableOnly }: BoardOptions): Promise<Uint8Array> {
  const text = await readFile(join(folder, 'index.html'), 'utf8');
  const based = text.replaceAll('"/board/', `"${basePath}/board/`);
  return Buffer.from(stableOnly ? based.replace('<html ', '<html data-offers="stable" ') : based);
}

/** The files that the page loads, by their names. A request can reach no other file, whatever its path. */
async function assetsIn(folder: string): Promise<ReadonlyMap<string, Answer>> {
  const names = await readdir(folder);
  return new Map(
    names.flatMap((name) => {
      const asset = basename(name, '.gz');
      const type = fileType(asset);
      if (type === undefined || asset === name) return [];
      return [[asset, staticFile(type, (encoding) => readAsset(join(folder, asset), encoding), assetHeaders)]];
    }),
  );
}

/** What the page depends on: where the server is, and what it offers. */
export interface BoardOptions {
  readonly basePath: string;
  readonly stableOnly: boolean;
}

const assetPath = '/assets/';

/**
 * The shop board: `/board/` and every path below it answer with the page, whose script shows the screen of the path;
 * `/board/assets/` has its files, and `/` redirects to it. `folder` is read on the first request.
 */
export function boardRoutes(folder: string, options: BoardOptions): readonly RouteOptions[] {
  const board = `${options.basePath}/board`;
  const page = staticFile(
    'text/html; charset=utf-8',
    compressing(() => pageText(folder, options)),
    pageHeaders,
  );
  const assets = once(() => assetsIn(join(folder, 'assets')));
  const answer: Answer = async (request, reply) => {
    const path = splitTarget(request.url).path.slice(board.length);
    if (!path.startsWith(assetPath)) return page(request, reply);
    const asset = (await assets()).get(path.slice(assetPath.length));
    if (asset === undefined) throw new StoreError('not_found', 'The board has no such file; its page may be of another version: load it again.');
    return asset(request, reply);
  };
  const toBoard: Answer = async (request, reply) => {
    const { query } = splitTarget(request.url);
    return reply.redirect(`${board}/${query === '' ? '' : `?${query}`}`, 303);
  };
  const entrances = [board, `${options.basePath}/`, ...(options.basePath === '' ? [] : [options.basePath])];
  return [...entrances.map((url) => ({ method: 'GET' as const, url, handler: toBoard })), { method: 'GET', url: `${board}/*`, handler: answer }];
}
