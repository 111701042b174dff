import type { Socket } from 'node:net';
import { STATUS_CODES } from 'node:http';
import { StoreError, type CompleteError, type ErrorRecord } from '../../domain/errors.js';
import type { LogEntry } from './server-options.js';
import { maximumHeaderBytes, unknownTransferCoding } from './request-head.js';
import { apiVersion, jsonContentType } from '../contract/media-types.js';

/** The Error record of a refusal, as in the OpenAPI document. */
export function errorRecord({ code, message, status }: StoreError): ErrorRecord {
  return { code, message, status };
}

/** The Error record with details and advice, from which the command line makes its hint. */
export function completeErrorRecord(refusal: StoreError): CompleteError {
  const { details, advice } = refusal;
  return { ...errorRecord(refusal), ...(Object.keys(details).length > 0 && { details }), ...(advice !== undefined && { advice }) };
}

/** The headers of a refusal, such as WWW-Authenticate (RFC 6750, 3) and Retry-After. */
export function errorHeaders({ code, status }: StoreError): Record<string, string> {
  if (code === 'unauthenticated') return { 'www-authenticate': 'Bearer realm="petstore"' };
  if (code === 'invalid_token') return { 'www-authenticate': 'Bearer realm="petstore", error="invalid_token"' };
  if (code === 'insufficient_scope') return { 'www-authenticate': 'Bearer realm="petstore", error="insufficient_scope"' };
  if (status === 503) return { 'retry-after': '1' };
  // The unread rest of the body would be parsed as the next request.
  if (code === 'payload_too_large' || code === 'request_timeout' || code === 'not_implemented') return { connection: 'close' };
  return {};
}

/** The log entry of an unexpected error. */
export function failureEntry(error: unknown): LogEntry {
  return { msg: 'failure', error: error instanceof Error ? error.stack : String(error) };
}

/** The messages of the causes of an error, outermost first. */
export function causeOf({ cause }: Error): string | undefined {
  if (!(cause instanceof Error)) return undefined;
  const deeper = causeOf(cause);
  return deeper === undefined ? cause.message : `${cause.message} ${deeper}`;
}

/** The refusal for an error of ours, Node or Fastify; undefined for an unexpected one. */
export function refusalOf(error: unknown): StoreError | undefined {
  if (error instanceof StoreError) return error;
  const { code, statusCode } = error as { readonly code?: unknown; readonly statusCode?: unknown };
  if (code === 'ERR_STREAM_PREMATURE_CLOSE' || code === 'ECONNRESET')
    return new StoreError('invalid_request', 'The connection closed before the request was complete.');
  if (typeof statusCode === 'number' && statusCode >= 400 && statusCode < 500) return new StoreError('invalid_request', 'The request is malformed.');
  return undefined;
}

/** The refusal for an error of Node's HTTP parser: invalid bytes, headers that are too large or too slow. */
export function connectionRefusal({ code, reason }: { readonly code?: string; readonly reason?: string }): StoreError {
  if (code === 'HPE_HEADER_OVERFLOW') return new StoreError('headers_too_large', `The headers are larger than ${maximumHeaderBytes / 1024} KiB.`);
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return new StoreError('request_timeout', 'The request did not arrive in time.');
  if (code === 'HPE_INVALID_TRANSFER_ENCODING' && reason?.includes('Content-Length') !== true) return unknownTransferCoding();
  return new StoreError('invalid_request', 'This is not a valid HTTP request.');
}

/** Writes a refusal directly to a connection and closes it. */
export function writeRaw(refusal: StoreError, requestId: string, socket: Pick<Socket, 'end'>): void {
  const body = JSON.stringify(errorRecord(refusal));
  const extra = Object.entries(errorHeaders(refusal)).filter(([name]) => name !== 'connection');
  const head = [
    `HTTP/1.1 ${refusal.status} ${STATUS_CODES[refusal.status]}`,
    `Content-Type: ${jsonContentType}`,
    `Content-Length: ${Buffer.byteLength(body)}`,
    `X-Request-Id: ${requestId}`,
    `API-Version: ${apiVersion}`,
    'X-Content-Type-Options: nosniff',
    'Cache-Control: no-store',
    'Connection: close',
    ...extra.map(([name, value]) => `${name}: ${value}`),
  ];
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`);
}
