import pg from 'pg';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';

/** A pooler in transaction mode: each transaction of a client may run on another connection to the server. Names of prepared statements are not changed. */
export interface Pooler {
  readonly port: number;
  /** How many transactions ran on another connection than the previous one of the same client. */
  readonly switches: () => number;
  readonly close: () => Promise<void>;
}

interface Message {
  readonly type: string;
  readonly bytes: Buffer;
}

const headerLength = 5;

/** Splits incoming bytes into messages: a type, and a length that includes itself. */
function messages(): (bytes: Buffer) => readonly Message[] {
  let rest: Buffer = Buffer.alloc(0);
  return (bytes) => {
    rest = Buffer.concat([rest, bytes]);
    const found: Message[] = [];
    while (rest.length >= headerLength) {
      const length = 1 + rest.readInt32BE(1);
      if (rest.length < length) break;
      found.push({ type: String.fromCodePoint(rest[0] ?? 0), bytes: rest.subarray(0, length) });
      rest = rest.subarray(length);
    }
    return found;
  };
}

function message(type: string, body: Buffer): Buffer {
  const header = Buffer.alloc(headerLength);
  header.write(type, 0, 'latin1');
  header.writeInt32BE(4 + body.length, 1);
  return Buffer.concat([header, body]);
}

/** A connection to the server, whose messages go to the client that uses it. */
interface Upstream {
  readonly socket: Socket;
  receive: (message: Message) => void;
}

/** Connects with the password of the address, then takes over the socket. */
async function connected(address: string): Promise<Upstream> {
  const client = new pg.Client(address);
  await client.connect();
  const { stream } = (client as unknown as { readonly connection: { readonly stream: Socket } }).connection;
  for (const event of ['data', 'end', 'close', 'error']) stream.removeAllListeners(event);
  const upstream: Upstream = { socket: stream, receive: () => undefined };
  const cut = messages();
  stream.on('error', () => undefined);
  stream.on('data', (bytes: Buffer) => {
    for (const one of cut(bytes)) upstream.receive(one);
  });
  return upstream;
}

const parameters = { server_version: '17.0', client_encoding: 'UTF8', standard_conforming_strings: 'on', integer_datetimes: 'on', DateStyle: 'ISO, MDY' };

/** The messages that accept a client without authentication. */
function greeting(key: Buffer): Buffer {
  const settings = Object.entries(parameters).map((pair) => message('S', Buffer.from(`${pair.join('\0')}\0`)));
  return Buffer.concat([message('R', Buffer.alloc(4)), ...settings, message('K', key), message('Z', Buffer.from('I'))]);
}

/** Lends each connection to the server for one transaction, in the order of requests. */
function lender(free: Upstream[]) {
  const waiting: ((upstream: Upstream) => void)[] = [];
  return {
    take: (): Promise<Upstream> => {
      const upstream = free.shift();
      return upstream ? Promise.resolve(upstream) : new Promise((resolve) => waiting.push(resolve));
    },
    giveBack: (upstream: Upstream): void => {
      const next = waiting.shift();
      if (next) next(upstream);
      else free.push(upstream);
    },
  };
}

interface Serving {
  readonly lend: ReturnType<typeof lender>;
  readonly onSwitch: () => void;
}

/** Serves an accepted client: a message takes a connection, and the end of its transaction returns it. */
function serve(client: Socket, { lend, onSwitch }: Serving): (message: Message) => void {
  const queued: Buffer[] = [];
  let upstream: Upstream | undefined;
  let before: Upstream | undefined;
  let isTaking = false;
  let unanswered = 0;
  let isGone = false;
  const giveBack = (): void => {
    const taken = upstream;
    upstream = undefined;
    if (taken) lend.giveBack(taken);
  };
  const receive = (answer: Message): void => {
    if (!isGone) client.write(answer.bytes);
    if (answer.type !== 'Z') return;
    unanswered -= 1;
    const isIdle = answer.bytes[headerLength] === 'I'.codePointAt(0);
    if (unanswered > 0) return;
    if (isIdle) return giveBack();
    if (!isGone) return;
    // The client left in the middle of a transaction.
    unanswered = 1;
    upstream?.socket.write(message('Q', Buffer.from('ROLLBACK\0')));
  };
  const take = async (): Promise<void> => {
    isTaking = true;
    const taken = await lend.take();
    isTaking = false;
    if (before !== undefined && before !== taken) onSwitch();
    [upstream, before] = [taken, taken];
    taken.receive = receive;
    for (const bytes of queued.splice(0)) taken.socket.write(bytes);
    if (isGone && unanswered === 0) giveBack();
  };
  client.on('close', () => {
    isGone = true;
    if (upstream === undefined || unanswered > 0) return;
    unanswered = 1;
    upstream.socket.write(message('Q', Buffer.from('ROLLBACK\0')));
  });
  return ({ type, bytes }) => {
    if (type === 'X') return void client.end();
    if (type === 'Q' || type === 'S') unanswered += 1;
    if (upstream) return void upstream.socket.write(bytes);
    queued.push(bytes);
    if (!isTaking) void take();
  };
}

const sslRequest = 80_877_103;

/** Accepts a client without encryption and password, and serves its messages. */
function takeIn(client: Socket, serving: Serving): void {
  let start: Buffer = Buffer.alloc(0);
  const cut = messages();
  let handle: ReturnType<typeof serve> | undefined;
  client.on('error', () => client.destroy());
  client.on('data', (bytes: Buffer) => {
    if (handle === undefined) {
      start = Buffer.concat([start, bytes]);
      if (start.length < 8 || start.length < start.readInt32BE(0)) return;
      if (start.readInt32BE(4) === sslRequest) {
        start = Buffer.alloc(0);
        return void client.write('N');
      }
      handle = serve(client, serving);
      return void client.write(greeting(randomBytes(8)));
    }
    for (const one of cut(bytes)) handle(one);
  });
}

/** Starts a pooler with this many connections to the server of an address. It reports a random process id to each client, as poolers do. */
export async function startPooler(address: string, connections: number): Promise<Pooler> {
  const upstreams = await Promise.all(Array.from({ length: connections }, () => connected(address)));
  const serving = { lend: lender([...upstreams]), onSwitch: () => void (switches += 1) };
  const clients = new Set<Socket>();
  let switches = 0;
  const server = createServer({ noDelay: true }, (client) => {
    clients.add(client);
    takeIn(client, serving);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const listening = server.address();
  return {
    port: typeof listening === 'object' ? (listening?.port ?? 0) : 0,
    switches: () => switches,
    close: async () => {
      for (const client of clients) client.destroy();
      for (const { socket } of upstreams) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}
