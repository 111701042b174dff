import type { Socket } from 'node:net';
import { STATUS_CODES } from 'node:http';
import { StoreError, type ErrorRecord } from '../../domain/errors.js';
import type { LogEntry } from './server-options.js';
import { maximumHeaders, unknownTransferCoding } from './request-head.js';
import { apiVersion, json } from '../contract/media-types.js';

/** The specification's Error record of a refusal. */
export function errorRecord({ code, message, status }: StoreError): ErrorRecord {
  return { code, message, status };
}

/** The same for our own client, with the hint. */
export function errorRow(refusal: StoreError): ErrorRecord & { readonly hint?: string } {
  const { hint } = refusal;
  return { ...errorRecord(refusal), ...(hint !== undefined && { hint }) };
}

/** The headers a refusal brings besides its record. */
export function errorHeaders({ code, status }: StoreError): Record<string, string> {
  if (code === 'unauthenticated') return { 'www-authenticate': 'Bearer realm="petstore"' };
  if (code === 'invalid_token') return { 'www-authenticate': 'Bearer realm="petstore", error="invalid_token"' };
  if (code === 'insufficient_scope') return { 'www-authenticate': 'Bearer realm="petstore", error="insufficient_scope"' };
  if (status === 503) return { 'retry-after': '1' };
  // The rest of a body that is not read would be taken for the next request.
  if (code === 'payload_too_large' || code === 'request_timeout' || code === 'not_implemented') return { connection: 'close' };
  return {};
}

/** What the log says of a failure nobody expected. */
export function failureEntry(error: unknown): LogEntry {
  return { msg: 'failure', error: error instanceof Error ? error.stack : String(error) };
}

/** The failures that led to a refusal, outermost first. */
export function causeOf({ cause }: Error): string | undefined {
  if (!(cause instanceof Error)) return undefined;
  const deeper = causeOf(cause);
  return deeper === undefined ? cause.message : `${cause.message} ${deeper}`;
}

interface Failure {
  readonly code?: unknown;
  readonly statusCode?: unknown;
}

/** What a failure means to a client; undefined for one nobody expected. */
export function refusalOf(error: unknown): StoreError | undefined {
  if (error instanceof StoreError) return error;
  const { code, statusCode } = error as Failure;
  if (code === 'ERR_STREAM_PREMATURE_CLOSE' || code === 'ECONNRESET') return new StoreError('invalid_request', 'The request broke off.');
  if (statusCode === 415) return new StoreError('unsupported_media_type', 'The content type is none.');
  if (typeof statusCode === 'number' && statusCode >= 400 && statusCode < 500) return new StoreError('invalid_request', 'The request is malformed.');
  return undefined;
}

/** What a failure below HTTP means: bytes that are no request, headers that are too large or too slow. */
export function connectionRefusal({ code, reason }: { readonly code?: string; readonly reason?: string }): StoreError {
  if (code === 'HPE_HEADER_OVERFLOW') return new StoreError('headers_too_large', `The headers are larger than ${maximumHeaders / 1024} KiB.`);
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return new StoreError('request_timeout', 'The request did not arrive in time.');
  if (code === 'HPE_INVALID_TRANSFER_ENCODING' && reason?.includes('Content-Length') !== true) return unknownTransferCoding();
  return new StoreError('invalid_request', 'The bytes are not an HTTP request.');
}

/** Writes a refusal onto a bare connection and closes it. */
export function writeRaw(refusal: StoreError, requestId: string, socket: Pick<Socket, 'end'>): void {
  const body = JSON.stringify(errorRecord(refusal));
  const extra = Object.entries(errorHeaders(refusal)).filter(([name]) => name !== 'connection');
  const head = [
    `HTTP/1.1 ${refusal.status} ${STATUS_CODES[refusal.status]}`,
    `Content-Type: ${json}`,
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
