import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { callEach } from '../../domain/call-each.js';
import { checkInput } from '../../domain/check-input.js';
import { StoreError } from '../../domain/errors.js';
import { pauseMs, type BackOff } from '../../domain/values/back-off.js';
import { completeOutput } from '../../domain/complete-records.js';
import type { Operation } from '../../domain/operation.js';
import type { CallOptions } from '../../domain/call.js';
import type { Shop } from '../../domain/shop.js';
import { undoBatch, type UndoReport } from '../../domain/imports/undo-batch.js';
import { connectionLost, isUnsent, refusalIn, unreachable } from './errors.js';
import { checkShape, parseJson, unexpectedAnswer } from './check-shape.js';
import {
  openTransport,
  ConnectionLostError,
  maximumAnswerBytes,
  maximumRefusalBytes,
  textOf,
  type TransportRequest,
  type RemoteConnection,
  type RemoteOptions,
} from './transport.js';
import { followRemote } from './follow-ledger.js';
import { importRemote } from './import-file.js';
import { isLoopbackHost } from '../contract/addresses.js';
import { commandLineAgent, entityTag, headerNames, headerText } from '../contract/headers.js';
import { jsonType, completeType } from '../contract/media-types.js';
import { pageOf, totalHeader } from '../contract/pages.js';
import { takesBody, type AnyDescription, type Schema } from '../contract/operation-rules.js';
import { targetOf } from '../contract/parameters.js';

/** Refuses with `usage` to send a token unencrypted to another machine. */
function checkEncryption({ address, token, insecure }: RemoteOptions): void {
  if (token === undefined || insecure || address.protocol === 'https:' || isLoopbackHost(address.hostname)) return;
  throw new StoreError('usage', `The token would be sent unencrypted to ${address.origin}.`, {
    advice: 'Use an https:// address, or add --insecure in a trusted network.',
  });
}

const backOff: BackOff = { firstMs: 100, longestMs: 1000 };

/**
 * Sends a request until it is answered or `waitSeconds` are over. A change has a key, so that it takes effect only once; `isChange`
 * also says that one without an answer may have been made.
 */
async function sendWithRetry(
  connection: RemoteConnection,
  request: TransportRequest,
  isChange: boolean,
): Promise<{ readonly message: IncomingMessage; readonly text: string; readonly retried: boolean }> {
  const until = performance.now() + connection.waitSeconds * 1000;
  let lost: ConnectionLostError | undefined;
  for (let retries = 0; ; retries += 1) {
    try {
      const message = await connection.transport.send(request);
      const maximumBytes = (message.statusCode ?? 0) < 300 ? maximumAnswerBytes : maximumRefusalBytes;
      const text = await textOf(message, maximumBytes, connection.where);
      // A request with this key is running: probably our first attempt, whose connection was lost.
      const isRunning = message.statusCode === 409 && text.includes('"idempotency_in_progress"');
      if (!isRunning || performance.now() > until) return { message, text, retried: lost !== undefined };
    } catch (error) {
      if (!(error instanceof ConnectionLostError)) throw error;
      // The first one that may have been received counts: later attempts do not say what became of it.
      if (lost === undefined || isUnsent(lost)) lost = error;
      if (performance.now() > until) throw isChange ? connectionLost(connection.where, lost, 'the change was made') : unreachable(connection.where, error);
    }
    await sleep(pauseMs(retries, backOff));
  }
}

function tagsOf(versions: number | readonly number[]): string {
  return [versions]
    .flat()
    .map((version) => entityTag(version))
    .join(', ');
}

function changeHeaders({ key, note, dryRun, ifMatch, ifNoneMatch }: CallOptions): Record<string, string> {
  return {
    [headerNames.key]: key ?? `auto-${randomUUID()}`,
    ...(note !== undefined && { [headerNames.note]: headerText.write(note) }),
    ...(dryRun === true && { [headerNames.dryRun]: 'true' }),
    // An empty list matches no version; the tag "" has the same effect.
    ...(ifMatch !== undefined && { 'if-match': tagsOf(ifMatch) || '""' }),
    ...(ifNoneMatch !== undefined && ifNoneMatch.length > 0 && { 'if-none-match': ifNoneMatch === 'any' ? '*' : tagsOf(ifNoneMatch) }),
  };
}

/** Calls an operation on the server; refuses with the refusal of the server, or with `store_unreachable`. */
async function callOperation(
  connection: RemoteConnection,
  operation: AnyDescription,
  input: Readonly<Record<string, unknown>>,
  options: CallOptions,
  output: Schema = completeOutput(operation),
): Promise<unknown> {
  const hasBody = takesBody(operation);
  const isWrite = operation.kind === 'write';
  const request: TransportRequest = {
    method: operation.method,
    path: targetOf(operation, input),
    headers: { ...connection.headers, ...(isWrite && changeHeaders(options)), ...(hasBody && { 'content-type': jsonType }) },
    ...(hasBody && { body: JSON.stringify(input['body']) }),
  };
  const { message, text, retried } = await sendWithRetry(connection, request, isWrite && options.dryRun !== true);
  const status = message.statusCode ?? 0;
  if (status >= 300) throw refusalIn(status, text, connection.where);
  // The replay of our own first attempt is not reported.
  if (!retried && message.headers[headerNames.replayed] === 'true') options.onReplay?.();
  if (message.headers['content-type']?.startsWith(completeType) !== true) throw refusalIn(status, '', connection.where);
  const answer = parseJson(text, connection.where);
  if (!operation.paged) return checkShape(output, answer, connection.where);
  const records = checkShape({ type: 'array', item: output }, answer, connection.where) as readonly unknown[];
  const page = pageOf(records, String(message.headers['link'] ?? ''), message.headers[totalHeader]?.toString());
  // Otherwise reading all pages might never end.
  if (records.length === 0 && page.next !== undefined) throw unexpectedAnswer(connection.where, 'a page without records names no next one');
  return page;
}

/** Refuses what is only done on the machine of the shop: HTTP has no operation for it, so that a stolen token can neither make others nor send events elsewhere. */
function refusedHere(what: string, noun: string, where: string): () => Promise<never> {
  return async () => {
    throw new StoreError('usage', `${what} through ${where}.`, { advice: `Run petstore ${noun} on that machine, with --store <path>.` });
  };
}

/** A shop behind a running server. Refuses with `usage` to send a token unencrypted. */
export function remoteShop(options: RemoteOptions): Shop {
  checkEncryption(options);
  const { address, token, actor, waitSeconds } = options;
  const where = address.href.replace(/\/$/, '');
  const headers = {
    accept: completeType,
    'user-agent': commandLineAgent,
    ...(token === undefined ? { [headerNames.actor]: headerText.write(actor) } : { authorization: `Bearer ${token}` }),
  };
  const connection: RemoteConnection = { transport: openTransport(address, options.answerMs), where, headers, waitSeconds };
  const noTokens = refusedHere('Tokens cannot be managed', 'token', where);
  const noSessions = refusedHere('Sessions cannot be managed', 'session', where);
  const noHooks = refusedHere('Hooks cannot be created or changed', 'hook', where);
  const call: Shop['call'] = async <Given, Input, Output>(operation: Operation<Given, Input, Output>, input: Given, callOptions: CallOptions = {}) => {
    // Refused here: an unknown parameter, for example, would be left out of the request.
    checkInput(operation, input);
    return (await callOperation(connection, operation, input as Readonly<Record<string, unknown>>, callOptions)) as Output;
  };
  return {
    call,
    callEach: async (operation, inputs, callOptions = {}) => {
      const [first] = inputs;
      if (operation.kind === 'write' && inputs.length > 1) {
        // In the body: a header has no room for many versions.
        const { ifMatch, ...others } = callOptions;
        const body = { operation: operation.id, inputs, ...(ifMatch !== undefined && { ifMatch: [ifMatch].flat() }) };
        const output: Schema = { type: 'array', item: completeOutput(operation) };
        const outputs = (await callOperation(connection, callEach, { body }, others, output)) as readonly never[];
        if (outputs.length !== inputs.length) throw unexpectedAnswer(where, `a list of ${inputs.length} is expected`);
        return outputs;
      }
      if (inputs.length === 1 && first !== undefined) return [await call(operation, first, callOptions)];
      const outputs = [];
      for (const input of inputs) outputs.push(await call(operation, input));
      return outputs;
    },
    // Not one snapshot on the server. Pages continue by key, so that changes between them neither repeat nor skip rows.
    snapshot: (work) =>
      work(async (operation, input) => {
        if (operation.kind === 'write') throw new Error(`${operation.id} changes the shop and cannot run in a snapshot.`);
        return call(operation, input);
      }),
    importPets: (file, importOptions) => importRemote(connection, 'importPets', file, importOptions),
    importCodes: (file, importOptions) => importRemote(connection, 'importCodes', file, importOptions),
    importStock: (file, importOptions) => importRemote(connection, 'importStock', file, importOptions),
    undoBatch: async (batchId, { allowShortage, ...callOptions }) =>
      (await callOperation(connection, undoBatch, { batchId, allowShortage }, callOptions)) as UndoReport,
    follow: (after) => followRemote(connection, after),
    changeMark: () => undefined,
    tokens: { create: noTokens, list: noTokens, revoke: noTokens, check: noTokens, everCreated: noTokens, used: noTokens },
    sessions: { start: noSessions, find: noSessions, end: noSessions, list: noSessions, endEach: noSessions },
    hooks: { create: noHooks, edit: noHooks, remove: noHooks, rotate: noHooks, resend: noHooks },
    where,
    close: async () => connection.transport.close(),
  };
}
