import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { expect, onTestFinished } from 'vitest';
import { answerOf, type Answer } from './server.js';

/** A TCP connection to a server, for requests as bytes. */
export interface RawConnection {
  readonly send: (bytes: string | Buffer) => void;
  /** The next complete answer; fails if the connection ends before. `bodiless` is for answers to HEAD. */
  readonly answer: (bodiless?: boolean) => Promise<Answer>;
  /** Everything received up to a text; fails if it is not received. */
  readonly until: (text: string | RegExp) => Promise<string>;
  /** Resolves when the server has closed the connection. */
  readonly closed: () => Promise<void>;
  readonly close: () => void;
  readonly socket: Socket;
}

interface Head {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly length: number;
}

function parseHead(bytes: Buffer): Head | undefined {
  const end = bytes.indexOf('\r\n\r\n');
  if (end < 0) return undefined;
  const [first = '', ...lines] = bytes.subarray(0, end).toString('latin1').split('\r\n');
  const status = Number(/^HTTP\/1\.1 ([1-5][0-9]{2}) /.exec(`${first} `)?.[1]);
  const headers = lines.map((line) => [line.slice(0, line.indexOf(':')).toLowerCase(), line.slice(line.indexOf(':') + 1).trim()] as const);
  return { status, headers: Object.fromEntries(headers), length: end + 4 };
}

/** A chunked body: its bytes and encoded length. */
function unchunked(bytes: Buffer): { readonly body: Buffer; readonly length: number } | undefined {
  const parts: Buffer[] = [];
  for (let at = 0; ;) {
    const end = bytes.indexOf('\r\n', at);
    if (end < 0) return undefined;
    const size = Number.parseInt(bytes.subarray(at, end).toString('latin1'), 16);
    if (bytes.length < end + 2 + size + 2) return undefined;
    if (size === 0) return { body: Buffer.concat(parts), length: end + 4 };
    parts.push(bytes.subarray(end + 2, end + 2 + size));
    at = end + 2 + size + 2;
  }
}

/** The first complete answer in the bytes, and the rest. */
function firstAnswer(bytes: Buffer, ended: boolean, bodiless: boolean): { readonly answer: Answer; readonly rest: Buffer } | undefined {
  const head = parseHead(bytes);
  if (head === undefined) return undefined;
  const { status, headers, length } = head;
  const whole = (body: Buffer, used: number) => ({
    answer: answerOf(bodiless ? 'HEAD' : 'GET', { status, headers, text: body.toString('utf8') }),
    rest: bytes.subarray(length + used),
  });
  if (bodiless || status < 200 || status === 204 || status === 304) return whole(Buffer.alloc(0), 0);
  if (headers['transfer-encoding'] === 'chunked') {
    const chunked = unchunked(bytes.subarray(length));
    return chunked && whole(chunked.body, chunked.length);
  }
  const size = Number(headers['content-length'] ?? Number.NaN);
  if (Number.isNaN(size)) return ended ? whole(bytes.subarray(length), bytes.length - length) : undefined;
  return bytes.length < length + size ? undefined : whole(bytes.subarray(length, length + size), size);
}

/** Opens a connection, which is closed after the test. */
export async function openRawConnection(port: number): Promise<RawConnection> {
  const socket = connect(port, '127.0.0.1');
  onTestFinished(() => void socket.destroy());
  await once(socket, 'connect');
  let bytes: Buffer = Buffer.alloc(0);
  let ended = false;
  let wake = (): void => undefined;
  const over = (): void => {
    ended = true;
    wake();
  };
  socket.on('data', (chunk) => {
    bytes = Buffer.concat([bytes, chunk]);
    wake();
  });
  socket.on('end', over).on('close', over).on('error', over);
  const waitFor = async <T>(find: () => T | undefined): Promise<T> => {
    for (;;) {
      const found = find();
      if (found !== undefined) return found;
      if (ended) throw new Error(`The connection ended after ${JSON.stringify(bytes.toString('latin1').slice(0, 2000))}.`);
      await new Promise<void>((resolve) => (wake = resolve));
    }
  };
  return {
    send: (text) => void socket.write(text),
    answer: async (bodiless = false) => {
      const { answer, rest } = await waitFor(() => firstAnswer(bytes, ended, bodiless));
      bytes = rest;
      return answer;
    },
    until: async (text) => {
      const length = await waitFor(() => {
        const seen = bytes.toString('latin1');
        const found =
          typeof text === 'string' ? { at: seen.indexOf(text), size: text.length } : { at: seen.search(text), size: text.exec(seen)?.[0].length ?? 0 };
        return found.at < 0 ? undefined : found.at + found.size;
      });
      const seen = bytes.subarray(0, length).toString('utf8');
      bytes = bytes.subarray(length);
      return seen;
    },
    closed: async () => {
      while (!ended) await new Promise<void>((resolve) => (wake = resolve));
    },
    close: () => void socket.destroy(),
    socket,
  };
}

/** Sends bytes on a new connection and returns the first answer. */
export async function sendRaw(port: number, bytes: string | Buffer): Promise<Answer> {
  const line = await openRawConnection(port);
  line.send(bytes);
  return line.answer();
}

/** The bytes of a request; headers are lines, with a Host header added if there is none. */
export function rawRequest(start: string, headers: readonly string[] = [], body = ''): string {
  const all = headers.some((line) => /^host:/i.test(line)) ? headers : ['Host: localhost', ...headers];
  return `${start} HTTP/1.1\r\n${all.map((line) => `${line}\r\n`).join('')}\r\n${body}`;
}

/** Expects that a server still answers. */
export async function expectAlive({ port }: { readonly port: number }): Promise<void> {
  expect((await sendRaw(port, rawRequest('GET /livez'))).status).toBe(200);
}
