import type { FastifyReply, FastifyRequest } from 'fastify';
import type { IncomingHttpHeaders } from 'node:http';
import { StoreError } from '../../domain/errors.js';
import { shownVersion, type Versioned } from '../../domain/values/version.js';
import type { Page } from '../../domain/values/pages.js';
import { splitTarget } from './request-head.js';
import { writerOf } from './json-writer.js';
import { deprecationHeaders, entityTag, headerNames } from '../contract/headers.js';
import { pageLinks, totalHeader } from '../contract/pages.js';
import { completeType, jsonContentType } from '../contract/media-types.js';
import { hasLocation, type AnyDescription } from '../contract/operation-rules.js';
import { pathFiller } from '../contract/parameters.js';

/** Writes the successful answer of one operation. */
export type Answer = (request: FastifyRequest, reply: FastifyReply, output: unknown) => void;

/** Whether a condition contains a tag, or `*`. */
function namesTag(header: string, tag: string | undefined): boolean {
  return header
    .split(',')
    .map((one) => one.trim())
    .some((one) => one === '*' || one === tag);
}

/**
 * Whether to answer a GET with 304 because the client has the current representation. Refuses with `precondition_failed`
 * when If-Match contains other tags. `tag` is undefined for a representation without a validator.
 */
export function isNotModified({ 'if-match': match, 'if-none-match': noneMatch }: IncomingHttpHeaders, tag: string | undefined): boolean {
  if (match !== undefined && !namesTag(match, tag)) {
    throw new StoreError('precondition_failed', `If-Match: does not match the current version${tag === undefined ? '' : ` (${tag})`}; read the record again.`);
  }
  // If-None-Match compares weakly, If-Match strongly (RFC 9110, 13.1).
  return noneMatch !== undefined && namesTag(noneMatch.replaceAll('W/"', '"'), tag);
}

/** The address of the same list with another cursor. */
function listAddress(url: string, cursor: string | undefined): string {
  const { path, query } = splitTarget(url);
  const kept = query.split('&').filter((pair) => pair !== '' && !pair.startsWith('cursor='));
  const all = cursor === undefined ? kept : [...kept, `cursor=${cursor}`];
  // `<` and `>` would end the address within a Link header; not every client encodes them.
  return `${path}${all.length > 0 ? `?${all.join('&')}` : ''}`.replaceAll(/[<>]/g, (character) => encodeURIComponent(character));
}

/** The headers that mark an unstable or deprecated operation, for answers of every status (RFC 9745, RFC 8594). */
export function stabilityHeaders(
  { stability, deprecated }: AnyDescription,
  basePath: string,
): (ids: Readonly<Record<string, unknown>>) => Record<string, string> {
  if (deprecated === undefined) return () => (stability === 'stable' ? {} : { [headerNames.stability]: stability });
  const successorOf = pathFiller(deprecated.successor);
  return (ids) => ({ [headerNames.stability]: 'deprecated', ...deprecationHeaders(deprecated, successorOf(ids), basePath) });
}

/** Whether a request accepts complete records, as the command line and the board do. */
export function wantsComplete({ headers }: Pick<FastifyRequest, 'headers'>): boolean {
  return headers.accept === completeType;
}

function send(request: FastifyRequest, reply: FastifyReply, value: unknown, write: (value: unknown) => string): void {
  const isComplete = wantsComplete(request);
  void reply.type(isComplete ? completeType : jsonContentType).send(isComplete ? JSON.stringify(value) : write(value));
}

/** Answers with a list of records; `write` writes one as the specification has it. */
export function sendRecords(request: FastifyRequest, reply: FastifyReply, records: readonly unknown[], write: (record: unknown) => string): void {
  send(request, reply, records, () => `[${records.map(write).join(',')}]`);
}

/** How an operation answers: status, headers and body as the OpenAPI document describes them. */
export function answerOf({ method, path, status, output, paged }: AnyDescription, basePath: string): Answer {
  const write = writerOf(output);
  const located = hasLocation({ status, path });
  if (paged) {
    return (request, reply, value) => {
      const page = value as Page<unknown>;
      reply.header(
        'link',
        pageLinks(page, (cursor) => listAddress(request.url, cursor)),
      );
      if (page.total !== undefined) reply.header(totalHeader, page.total);
      if (isNotModified(request.headers, undefined)) return void reply.code(304).send();
      sendRecords(request, reply, page.items, write);
    };
  }
  return (request, reply, value) => {
    const isComplete = wantsComplete(request);
    if (status === 204 && !isComplete) return void reply.code(204).send();
    const { version, [shownVersion]: other } = value as Versioned;
    // The ETag is of the record of the specification; a complete record has its version.
    const tag = version === undefined || isComplete ? undefined : entityTag(version, other);
    if (tag !== undefined) reply.header('etag', tag);
    if (method === 'GET' && isNotModified(request.headers, tag)) return void reply.code(304).send();
    if (located) reply.header('location', `${basePath}${path}/${(value as { readonly id: number }).id}`);
    reply.code(status === 204 ? 200 : status);
    send(request, reply, value, write);
  };
}
