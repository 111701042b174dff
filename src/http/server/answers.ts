import type { FastifyReply, FastifyRequest } from 'fastify';
import { shownVersion, type Versioned } from '../../domain/values/version.js';
import type { Page } from '../../domain/values/pages.js';
import { isNotModified } from './conditions.js';
import { splitTarget } from './request-head.js';
import { writerOf } from './json-writer.js';
import { deprecationDates, entityTag, headerNames, successorLink } from '../contract/headers.js';
import { hasLocation } from '../contract/location.js';
import { jsonContentType, rowsType } from '../contract/media-types.js';
import type { AnyDescription } from '../contract/operation-rules.js';
import { pathFiller } from '../contract/parameters.js';

/** Writes the successful answer of one operation. */
export type Answer = (request: FastifyRequest, reply: FastifyReply, output: unknown) => void;

/** The address of the same list with another cursor. */
function listAddress(url: string, cursor: string | undefined): string {
  const { path, query } = splitTarget(url);
  const kept = query.split('&').filter((pair) => pair !== '' && !pair.startsWith('cursor='));
  const all = cursor === undefined ? kept : [...kept, `cursor=${cursor}`];
  // `<` and `>` would end the address within a Link header; not every client encodes them.
  return `${path}${all.length > 0 ? `?${all.join('&')}` : ''}`.replaceAll(/[<>]/g, (character) => encodeURIComponent(character));
}

function pageHeaders(page: Page<unknown>, address: (cursor: string | undefined) => string): Record<string, string> {
  const links = [`<${address(undefined)}>; rel="first"`];
  if (page.next !== undefined) links.push(`<${address(page.next)}>; rel="next"`);
  if (page.previous !== undefined) links.push(`<${address(page.previous)}>; rel="prev"`);
  return { link: links.join(', '), ...(page.total !== undefined && { 'x-total-count': String(page.total) }) };
}

/** The headers that mark an unstable or deprecated operation, for answers of every status (RFC 9745, RFC 8594). */
export function stabilityHeaders(
  { stability, deprecated }: AnyDescription,
  basePath: string,
): (ids: Readonly<Record<string, unknown>>) => Record<string, string> {
  if (deprecated === undefined) return () => (stability === 'stable' ? {} : { [headerNames.stability]: stability });
  const dates = { [headerNames.stability]: 'deprecated', ...deprecationDates(deprecated) };
  const successorOf = pathFiller(deprecated.successor);
  return (ids) => ({ ...dates, link: successorLink(successorOf(ids), basePath) });
}

/** Whether a request accepts rows, which only our own client does. */
export function wantsRows({ headers }: Pick<FastifyRequest, 'headers'>): boolean {
  return headers.accept === rowsType;
}

/** How an operation answers: complete rows for our own client, the records of the contract for others. */
export function answerOf(operation: AnyDescription, basePath: string): Answer {
  const answer = contractAnswer(operation, basePath);
  return (request, reply, output) => {
    if (!wantsRows(request)) return answer(request, reply, output);
    void reply.code(200).type(rowsType).send(JSON.stringify(output));
  };
}

/** Status, headers and body as the OpenAPI document describes them. */
function contractAnswer({ method, path, status, output, paged }: AnyDescription, basePath: string): Answer {
  const write = writerOf(output);
  if (paged) {
    return (request, reply, value) => {
      const page = value as Page<unknown>;
      const address = (cursor: string | undefined): string => listAddress(request.url, cursor);
      reply.headers(pageHeaders(page, address));
      if (isNotModified(request.headers, undefined)) return void reply.code(304).send();
      reply.type(jsonContentType);
      reply.send(`[${page.items.map(write).join(',')}]`);
    };
  }
  const located = hasLocation({ status, path });
  return (request, reply, value) => {
    if (status === 204) {
      reply.code(204).send();
      return;
    }
    const { version, [shownVersion]: other } = value as Versioned;
    const tag = version === undefined ? undefined : entityTag(version, other);
    if (tag !== undefined) reply.header('etag', tag);
    if (method === 'GET' && isNotModified(request.headers, tag)) {
      reply.code(304).send();
      return;
    }
    if (located) reply.header('location', `${basePath}${path}/${(value as { readonly id: number }).id}`);
    reply.code(status).type(jsonContentType).send(write(value));
  };
}
