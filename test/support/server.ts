import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { LedgerSource } from '../../src/domain/ledger/ledger-entry.js';
import type { Token } from '../../src/domain/tokens/token.js';
import type { LogEntry, Timeouts, ServerDependencies, ServeOptions } from '../../src/http/server/server-options.js';
import { createApplication, serve, type Application } from '../../src/http/server/server.js';
import { completeType } from '../../src/http/contract/media-types.js';
import type { Engine } from '../../src/storage/engine.js';
import { localShop } from '../../src/storage/shop.js';
import { openSqlite } from '../../src/storage/sqlite/engine.js';
import { builtFolder } from './program.js';
import { openEmptyShop } from './empty-shop-file.js';
import { memoryFolder } from './memory-folder.js';
import { brokenInvariants } from './invariants.js';
import { createTestShop, movingClock, type TestShop } from './test-shop.js';

/** The headers and body of a request. */
export interface Sent {
  readonly headers?: Readonly<Record<string, string>>;
  /** Bytes or text to send unchanged, or a value to send as JSON. */
  readonly body?: unknown;
}

/** An answer as the client receives it. */
export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly text: string;
  /** The body, which must be JSON. */
  readonly json: <T = unknown>() => T;
  /** The code of a refusal, whose body must be an Error record and nothing more; '' for a success. */
  readonly code: string;
}

/** A served shop under test, with access to its rows, log and dependencies. */
export interface ServedShop extends TestShop {
  readonly http: (method: string, url: string, sent?: Sent) => Promise<Answer>;
  readonly log: readonly LogEntry[];
  readonly store: string;
  readonly dependencies: ServerDependencies;
  readonly app: Application['app'];
  readonly codes: Application['codes'];
}

/** A shop served on a port of this machine. */
export interface ListeningShop extends Omit<ServedShop, 'http' | 'app' | 'codes'> {
  readonly address: string;
  readonly port: number;
  /** An address of the board with a new one-time code, as `serve --open` opens it. */
  readonly signInAddress: () => string;
  /** Restarts the server on the same file, and on another port unless one is given. */
  readonly restart: (port?: number) => Promise<string>;
  readonly stop: () => Promise<void>;
}

/** Options of a server, with partial timeouts. */
export type Options = Partial<Omit<ServeOptions, 'timeouts'>> & { readonly timeouts?: Partial<Timeouts> };

/** The default options of servers in tests, with short timeouts. */
export function options({ timeouts, ...given }: Options = {}): ServeOptions {
  return {
    host: '127.0.0.1',
    port: 0,
    basePath: '',
    auth: 'auto',
    insecureNoAuth: false,
    allowedHosts: [],
    trustedProxies: [],
    corsOrigins: [],
    stableOnly: false,
    open: false,
    board: true,
    requireIfMatch: false,
    ...given,
    timeouts: {
      headersMs: 10_000,
      bodyMs: 10_000,
      slowUploadMs: 10_000,
      keepAliveMs: 5_000,
      writeMs: 15_000,
      lastRequestMs: 10,
      stopMs: 5_000,
      ...timeouts,
    },
  };
}

const errorFields = ['code', 'message', 'status'];

/** Expects that a failed answer is an Error record with the common headers; returns its code. */
export function codeOf({ status, headers, text }: Omit<Answer, 'code' | 'json'>, isComplete = false): string {
  if (status < 400) return '';
  const type = headers['content-type'];
  if (type !== `${isComplete ? completeType : 'application/json'}; charset=utf-8`) expect.fail(`${status} has the content type ${type}: ${text}`);
  const record = JSON.parse(text) as Readonly<Record<string, unknown>>;
  const fields = Object.keys(record).filter((name) => !isComplete || !['details', 'advice'].includes(name));
  expect([fields.toSorted(), record['status'], typeof record['message']]).toEqual([errorFields, status, 'string']);
  expect(String(record['message'])).toMatch(/^[^]+[.?…]$/);
  expect(headers['x-request-id']).toMatch(/^[\w.:@/+=-]{1,128}$/);
  expect([headers['api-version'], headers['x-content-type-options']]).toEqual(['1.0.0', 'nosniff']);
  return String(record['code']);
}

/** An answer whose error record was checked. */
export function answerOf(method: string, seen: Omit<Answer, 'code' | 'json'>, isComplete = false): Answer {
  const code = method === 'HEAD' ? '' : codeOf(seen, isComplete);
  return { ...seen, code, json: <T>() => JSON.parse(seen.text) as T };
}

function plain(headers: Readonly<Record<string, unknown>>): Answer['headers'] {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, value === undefined ? undefined : String(value)]));
}

/** The bytes of a body and the headers with its content type. */
export function bodyBytes({ body, headers = {} }: Sent): { readonly headers: Record<string, string>; readonly payload?: Buffer<ArrayBuffer> } {
  if (body === undefined) return { headers: { ...headers } };
  const isRaw = typeof body === 'string' || Buffer.isBuffer(body);
  return { headers: { ...(!isRaw && { 'content-type': 'application/json' }), ...headers }, payload: Buffer.from(isRaw ? body : JSON.stringify(body)) };
}

/** Runs work in a new shop in a new folder, with a clock that only moves when it is set. */
async function withFreshShop<T>(
  waitSeconds: number,
  work: (fresh: Omit<ServedShop, 'http' | 'app' | 'codes'> & { readonly store: string; readonly engine: Engine }) => Promise<T>,
): Promise<T> {
  const folder = await mkdtemp(join(memoryFolder, 'petstore-http-'));
  const store = join(folder, 'shop.db');
  const engine = await openEmptyShop(store, waitSeconds);
  const clock = movingClock();
  const shopOf = (actor: string, source: LedgerSource = 'http', token?: Pick<Token, 'id' | 'scopes'>) =>
    localShop(engine, { actor, tokenId: token?.id, scopes: token?.scopes, source, clock: clock.now }, store);
  const log: LogEntry[] = [];
  const dependencies = serverDependencies(shopOf, clock.now, log);
  try {
    const around = createTestShop({ shopOf, engine, openAgain: () => openSqlite(store, { waitSeconds }), stop: () => engine.close() }, clock);
    const answer = await work({ ...around, log, store, dependencies, engine });
    // After every test the server must have logged no failure, and every invariant must hold.
    expect(log.filter(({ msg }) => msg === 'failure')).toEqual([]);
    expect(await brokenInvariants(around)).toEqual([]);
    return answer;
  } finally {
    await engine.close();
    await rm(folder, { recursive: true, force: true });
  }
}

/** Runs work with a served shop whose requests need no socket. */
export async function withServedShop<T>(given: Options, work: (served: ServedShop) => Promise<T>): Promise<T> {
  return withFreshShop(5, (fresh) => withServer(fresh.dependencies, given, (counter) => work({ ...fresh, ...counter })));
}

/** Runs work with a server on any dependencies. */
export async function withServer<T>(
  dependencies: ServerDependencies,
  given: Options,
  work: (counter: Pick<ServedShop, 'http' | 'app' | 'codes'>) => Promise<T>,
): Promise<T> {
  const { app, streams, codes } = await createApplication(dependencies, options(given));
  const http: ServedShop['http'] = async (method, url, sent = {}) => {
    const { headers, payload } = bodyBytes(sent);
    const { statusCode, headers: got, rawPayload } = await app.inject({ method: method as 'GET', url, headers, ...(payload && { payload }) });
    return answerOf(method, { status: statusCode, headers: plain(got), text: rawPayload.toString('utf8') }, headers['accept'] === completeType);
  };
  try {
    return await work({ http, app, codes });
  } finally {
    streams.end();
    await app.close();
  }
}

/** The dependencies of a server for the shops of `shopOf`. */
export function serverDependencies(shopOf: ServerDependencies['shopOf'], clock: () => number, log: LogEntry[]): ServerDependencies {
  const write = (entry: LogEntry): void => void log.push(entry);
  return {
    shopOf,
    tokens: shopOf('keeper', 'http').tokens,
    sessions: shopOf('keeper', 'http').sessions,
    checkWritable: async () => undefined,
    about: { version: '1.2.3', shop: 'shop', engine: 'sqlite' },
    actor: 'keeper',
    pagesFolder: builtFolder(),
    log: { info: write, error: write },
    setUmask: (mask) => process.umask(mask),
    clock,
  };
}

/** A test of a served shop whose requests need no socket; afterwards every invariant must hold and no failure be logged. */
export function testServed(name: string, scenario: (served: ServedShop) => Promise<void>, given: Options = {}): void {
  test(name, () => withServedShop(given, scenario));
}

/** A test of a shop served on a port; the server is stopped in any case. */
export function testListening(name: string, scenario: (served: ListeningShop) => Promise<void>, given: Options = {}, wait = 5): void {
  test(name, () =>
    withFreshShop(wait, async (fresh) => {
      const running = new Set<() => Promise<void>>();
      let signInAddress = (): string => expect.fail('There is no server.');
      const begin = async (port = given.port ?? 0): Promise<string> => {
        const { address, stop, signInAddress: opened } = await serve(fresh.dependencies, options({ ...given, port }));
        running.add(stop);
        signInAddress = opened;
        return address;
      };
      const stop = async (): Promise<void> => {
        const stops = [...running];
        running.clear();
        await Promise.all(stops.map((one) => one()));
      };
      try {
        const address = await begin();
        const restart = async (port?: number): Promise<string> => (await stop(), begin(port));
        await scenario({ ...fresh, address, port: Number(new URL(address).port), signInAddress: () => signInAddress(), stop, restart });
      } finally {
        await stop();
      }
    }),
  );
}

/** Sends a request over the network, each on a new connection. */
export async function ask(address: string, method: string, path: string, sent: Sent = {}): Promise<Answer> {
  const { headers, payload } = bodyBytes(sent);
  const response = await fetch(`${address}${path}`, { method, headers: { connection: 'close', ...headers }, ...(payload && { body: payload }) });
  return answerOf(method, { status: response.status, headers: Object.fromEntries(response.headers), text: await response.text() });
}
