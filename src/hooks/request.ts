import { lookup as resolve, type LookupAddress } from 'node:dns';
import { Agent as HttpAgent, request as httpRequest, type IncomingMessage, type RequestOptions } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import { isIP } from 'node:net';
import { hostOf, isPublicAddress } from '../domain/hooks/hook-url.js';
import { retryAfterMs } from '../domain/hooks/retry-schedule.js';

/** How long a receiver may take to answer, with the look-up of its name. */
export const answerMs = 15_000;
const longestBodyMs = 1000;
const longestAnswerBytes = 64 * 1024;

/** Resolves a name to its addresses. */
export type Resolve = (host: string) => Promise<readonly LookupAddress[]>;

/** A receiver that requests are sent to. */
export interface Receiver {
  readonly url: string;
  readonly allowPrivate: boolean;
}

/** How a request ended. */
export interface Outcome {
  /** Undefined without an answer. */
  readonly status?: number | undefined;
  /** Why it failed; undefined for a 2xx. */
  readonly error?: string | undefined;
  readonly retryAfterMs?: number | undefined;
}

/** A connection to a receiver, which is kept for the next request. */
export interface Connection {
  readonly send: (headers: Readonly<Record<string, string>>, body: string) => Promise<Outcome>;
  readonly close: () => void;
}

// A look-up takes one of the four threads that files and compression need too, for as long as a name server does not answer.
const lookupsAtOnce = 2;

/** Resolves a few names at a time; the others wait for their turn. */
export function fewAtOnce(resolveName: Resolve): Resolve {
  const turns: Promise<unknown>[] = [];
  return (host) => {
    const before = turns.length < lookupsAtOnce ? Promise.resolve() : turns.shift();
    const found = Promise.resolve(before).then(() => resolveName(host));
    turns.push(found.catch(() => undefined));
    return found;
  };
}

/** The addresses of a name, by the resolver of the system. */
export const systemResolve: Resolve = fewAtOnce(
  (host) =>
    new Promise((resolved, reject) => {
      resolve(host, { all: true, verbatim: true }, (error, addresses) => (error === null ? resolved(addresses) : reject(error)));
    }),
);

/** A reason that is shown to the owner of the shop. */
class SendError extends Error {
  override readonly name = 'SendError';
}

const reasons: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'The connection was refused',
  ECONNRESET: 'The connection was closed without an answer',
  EPIPE: 'The connection was closed without an answer',
  ENOTFOUND: 'The name of the host was not found',
  EAI_AGAIN: 'The name of the host could not be resolved',
  ETIMEDOUT: 'The connection timed out',
  EHOSTUNREACH: 'The host cannot be reached',
  ENETUNREACH: 'The network cannot be reached',
  // The text of Node.js repeats the names in the certificate, which the receiver chose.
  ERR_TLS_CERT_ALTNAME_INVALID: 'The certificate is for another host',
};

function sentence(error: unknown): string {
  if (error instanceof SendError) return error.message;
  const { code = '', message } = error as NodeJS.ErrnoException;
  return `${reasons[code] ?? `The request failed: ${message}`}${code === '' ? '' : ` (${code})`}.`;
}

/** The one address that a hook may connect to: the first of its name, if all of them are allowed. */
async function allowedAddress(url: URL, allowPrivate: boolean, resolveName: Resolve): Promise<LookupAddress> {
  const host = hostOf(url);
  const family = isIP(host);
  const addresses = family === 0 ? await resolveName(host) : [{ address: host, family }];
  const [first] = addresses;
  if (first === undefined) throw new SendError(`${host} has no address.`);
  const refused = allowPrivate ? undefined : addresses.find(({ address }) => !isPublicAddress(address));
  if (refused !== undefined) throw new SendError(`${host} is not sent to: its address ${refused.address} is not public.`);
  return first;
}

/** Reads the rest of an answer, up to its limits, so that the connection can be used again; what it says is not used. */
function drain(answer: IncomingMessage): Promise<void> {
  return new Promise((done) => {
    let bytes = 0;
    const timer = setTimeout(() => answer.destroy(), longestBodyMs);
    answer.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes > longestAnswerBytes) answer.destroy();
    });
    answer.on('error', () => undefined);
    answer.on('close', () => {
      clearTimeout(timer);
      done();
    });
  });
}

function outcomeOf({ statusCode: status = 0, headers }: IncomingMessage, now: number): Outcome {
  if (status >= 200 && status < 300) return { status };
  const redirected = status >= 300 && status < 400 ? '; redirects are not followed' : '';
  return { status, error: `The receiver answered ${status}${redirected}.`, retryAfterMs: retryAfterMs(headers['retry-after'], now) };
}

/** Connects to a receiver when the first request is sent. Its name is resolved once: every request goes to the address that was checked. */
export function connect({ url: text, allowPrivate }: Receiver, clock: () => number, resolveName: Resolve = systemResolve, timeoutMs = answerMs): Connection {
  const url = new URL(text);
  const [secure, request] = url.protocol === 'https:' ? [true, httpsRequest] : [false, httpRequest];
  const settings = { keepAlive: true, maxSockets: 1 };
  const agent = secure ? new HttpsAgent(settings) : new HttpAgent(settings);
  let checked: Promise<LookupAddress> | undefined;
  const attempt = async (headers: Readonly<Record<string, string>>, body: string, signal: AbortSignal): Promise<Outcome> => {
    const { address, family } = await (checked ??= allowedAddress(url, allowPrivate, resolveName));
    signal.throwIfAborted();
    const options: RequestOptions = {
      method: 'POST',
      agent,
      headers: { ...headers, 'content-type': 'application/json', 'content-length': Buffer.byteLength(body), 'user-agent': 'petstore-hooks' },
      // Node.js asks for one address or for all of them.
      lookup: (_, { all }, done) => (all === true ? done(null, [{ address, family }]) : done(null, address, family)),
      signal,
    };
    return new Promise((answered, reject) => {
      const sent = request(url, options, (answer) => void drain(answer).then(() => answered(outcomeOf(answer, clock()))));
      // A connection that was kept may have been closed meanwhile: that is no failure of the receiver.
      sent.on('error', (error: NodeJS.ErrnoException) =>
        sent.reusedSocket && (error.code === 'ECONNRESET' || error.code === 'EPIPE') ? answered(attempt(headers, body, signal)) : reject(error),
      );
      sent.end(body);
    });
  };
  return {
    send: async (headers, body) => {
      const limit = new AbortController();
      let timer: NodeJS.Timeout | undefined;
      const late = new Promise<never>((_, reject) => {
        timer = setTimeout(() => {
          reject(new SendError(`The receiver did not answer within ${timeoutMs / 1000} s.`));
          limit.abort();
        }, timeoutMs);
      });
      try {
        return await Promise.race([attempt(headers, body, limit.signal), late]);
      } catch (error) {
        checked = undefined;
        return { error: sentence(error) };
      } finally {
        clearTimeout(timer);
      }
    },
    close: () => agent.destroy(),
  };
}
