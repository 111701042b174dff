import type { FastifyReply, FastifyRequest, RouteOptions } from 'fastify';
import { join } from 'node:path';
import { splitTarget } from '../request-head.js';
import type { ServeOptions } from '../server-options.js';
import { filesOf, htmlPage, ownFilesPolicy } from './static-files.js';

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

/**
 * The shop board: `/board/` and every path below it answer with the page, whose script shows the screen of the path;
 * `/board/assets/` has its files, and `/` redirects to it.
 */
export function boardRoutes(folder: string, { basePath, stableOnly }: ServeOptions): readonly RouteOptions[] {
  const board = `${basePath}/board`;
  const page = htmlPage(folder, basePath, pageHeaders, (text) => (stableOnly ? text.replace('<html ', '<html data-offers="stable" ') : text));
  const toBoard = async (request: FastifyRequest, reply: FastifyReply): Promise<unknown> => {
    const { query } = splitTarget(request.url);
    return reply.redirect(`${board}/${query === '' ? '' : `?${query}`}`, 303);
  };
  const entrances = [board, `${basePath}/`, ...(basePath === '' ? [] : [basePath])];
  return [
    ...entrances.map((url) => ({ method: 'GET' as const, url, handler: toBoard })),
    { method: 'GET', url: `${board}/*`, handler: page },
    { method: 'GET', url: `${board}/assets/*`, handler: filesOf(join(folder, 'assets'), assetHeaders) },
  ];
}
