import type { RemoteOptions, Client } from './remote-connection.js';
import { callEach } from '../../domain/call-each.js';
import { checkInput } from '../../domain/check-input.js';
import { StoreError } from '../../domain/errors.js';
import { batch } from '../../domain/imports/batch.js';
import type { Operation } from '../../domain/operation.js';
import type { CallOptions } from '../../domain/call.js';
import type { Shop, UndoReport } from '../../domain/shop.js';
import { undoBatch } from '../../domain/imports/undo-batch.js';
import { inShape, longAnswer, parsed, refusalIn, unreachable } from './errors.js';
import { shaped, shapedAnswer, ShapeError, undoShape } from './answer-shapes.js';
import { exchangeWith, Lost, maximumAnswer, maximumRefusal, textOf, type Asking } from './transport.js';
import { followRemote } from './follow-ledger.js';
import { importThrough } from './import-file.js';
import { isLoopback } from '../contract/addresses.js';
import { entityTag, headerNames, headerText } from '../contract/headers.js';
import { jsonType, rowsType } from '../contract/media-types.js';
import { takesBody, targetOf, type Described } from '../contract/parameters.js';
import { setTimeout as sleep } from 'node:timers/promises';
import type { IncomingMessage } from 'node:http';

/** Refuses to send a token where others could read it on the way. */
function checkSecrecy({ address, token, insecure }: RemoteOptions): void {
  if (token === undefined || insecure || address.protocol === 'https:' || isLoopback(address.hostname.replaceAll(/[[\]]/g, ''))) return;
  throw new StoreError(
    'usage',
    `The token would travel unencrypted to ${address.origin}.`,
    'Use an https:// address, or add --insecure where the network is safe.',
  );
}

const firstPause = 100;

const longestPause = 1000;

/** Asks until there is an answer or the wait is over; a change carries a key, so that asking twice does not do it twice. */
async function persistent(client: Client, asking: Asking): Promise<{ readonly message: IncomingMessage; readonly text: string; readonly again: boolean }> {
  const until = performance.now() + client.wait * 1000;
  let again = false;
  for (let pause = firstPause; ; pause = Math.min(pause * 2, longestPause)) {
    try {
      const message = await client.exchange.ask(asking);
      const maximumBytes = (message.statusCode ?? 0) < 300 ? maximumAnswer : maximumRefusal;
      const text = await textOf(message, maximumBytes);
      if (text === undefined) throw longAnswer(client.where, maximumBytes);
      // Somebody is at it under the same key: perhaps the first try of our own, which we lost sight of.
      const isRunning = message.statusCode === 409 && text.includes('"idempotency_in_progress"');
      if (!isRunning || performance.now() > until) return { message, text, again };
    } catch (error) {
      if (!(error instanceof Lost)) throw error;
      if (performance.now() > until) throw unreachable(client.where, error);
      again = true;
    }
    await sleep(pause);
  }
}

function saying({ key, note, dryRun, ifMatch }: CallOptions, randomText: () => string): Record<string, string> {
  return {
    [headerNames.key]: key ?? `auto-${randomText()}`,
    ...(note !== undefined && { [headerNames.note]: headerText.write(note) }),
    ...(dryRun === true && { [headerNames.dryRun]: 'true' }),
    // No version at all matches nothing, and so must its header.
    ...(ifMatch !== undefined && { 'if-match': [ifMatch].flat().map(entityTag).join(', ') || '""' }),
  };
}

/** Asks one operation; answers what it told, in the shape it is to have. */
async function ask(
  client: Client,
  operation: Described,
  input: Readonly<Record<string, unknown>>,
  options: CallOptions,
  shape = (value: unknown): unknown => shapedAnswer(operation, value),
): Promise<unknown> {
  const hasBody = takesBody(operation);
  const { message, text, again } = await persistent(client, {
    method: operation.method,
    path: targetOf(operation, input),
    headers: {
      ...client.headers,
      ...(operation.kind === 'write' && saying(options, client.randomText)),
      ...(hasBody && { 'content-type': jsonType }),
    },
    ...(hasBody && { body: JSON.stringify(input['body']) }),
  });
  const status = message.statusCode ?? 0;
  if (status >= 300) throw refusalIn(status, text, client.where);
  // A replay of an attempt of our own is no news.
  if (!again && message.headers[headerNames.replayed] === 'true') options.onReplay?.();
  return inShape(client.where, () => shape(answerIn(message, text, client.where)));
}

function answerIn({ statusCode = 0, headers }: IncomingMessage, text: string, where: string): unknown {
  if (headers['content-type']?.startsWith(rowsType) !== true) throw refusalIn(statusCode, '', where);
  return text === '' ? undefined : parsed(text, where);
}

/** The tokens of a shop are made where it lives: over the wire they would be one more thing to steal. */
function noTokens(where: string): Shop['tokens'] {
  const refuse = async (): Promise<never> => {
    throw new StoreError('usage', `Tokens are made where the shop lives, not at ${where}.`, 'Run petstore token there, with --store <path>.');
  };
  return { create: refuse, list: refuse, revoke: refuse, check: refuse, everCreated: refuse, used: refuse };
}

/** A shop behind a running server: every operation of the contract, asked over HTTP. */
export function remoteShop(options: RemoteOptions): Shop {
  checkSecrecy(options);
  const { address, token, actor, wait, randomText, spool } = options;
  const where = address.href.replace(/\/$/, '');
  const headers = { accept: rowsType, ...(token === undefined ? { [headerNames.actor]: headerText.write(actor) } : { authorization: `Bearer ${token}` }) };
  const client: Client = { exchange: exchangeWith(address, options.answerMs), where, headers, wait, randomText, spool };
  const call: Shop['call'] = async <Asked, Input, Output>(operation: Operation<Asked, Input, Output>, input: Asked, said: CallOptions = {}) => {
    // What cannot be said in a request, a parameter nobody knows for one, is refused before there is one.
    checkInput(operation, input);
    return (await ask(client, operation, input as Readonly<Record<string, unknown>>, said)) as Output;
  };
  return {
    call,
    callEach: async (operation, inputs, said = {}) => {
      const [first] = inputs;
      if (operation.kind === 'write' && inputs.length > 1) {
        const body = { operation: operation.id, inputs };
        const each = (value: unknown): unknown => {
          if (!Array.isArray(value) || value.length !== inputs.length) throw new ShapeError(`a list of ${inputs.length} is expected`);
          return value.map((one: unknown) => shapedAnswer(operation, one));
        };
        return (await ask(client, callEach, { body }, said, each)) as never;
      }
      if (inputs.length === 1 && first !== undefined) return [await call(operation, first, said)];
      const outputs = [];
      for (const input of inputs) outputs.push(await call(operation, input));
      return outputs;
    },
    // Pages are walked by key, so that changes between them neither repeat nor hide a row.
    snapshot: (work) =>
      work(
        async (operation, input) => {
          if (operation.kind === 'write') throw new Error(`${operation.id} changes the shop and cannot run in a snapshot.`);
          return call(operation, input);
        },
        () => undefined,
      ),
    importPets: (file, said) => importThrough(client, 'importPets', file, said),
    importStock: (file, said) => importThrough(client, 'importStock', file, said),
    undoBatch: async (batchId, { allowShortage, ...said }) =>
      (await ask(client, undoBatch, { batchId, allowShortage }, said, (value) => shaped(undoShape(batch), value))) as UndoReport,
    follow: (after) => followRemote(client, after),
    tokens: noTokens(where),
    where,
    close: async () => client.exchange.close(),
  };
}
