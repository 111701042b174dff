import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';

type Breaking = 'before' | 'after' | 'for good';

/** A proxy between a program and its server that closes the connection on request. */
export interface Proxy {
  readonly port: number;
  /** Closes the connection when these bytes are sent: before they are forwarded, when they are answered, or then and for all later connections. */
  readonly breakAt: (text: string, when: Breaking) => void;
  /** Called when the connection was closed. */
  readonly onBroken: (listener: () => void) => void;
  /** Swallows all bytes in both directions, of open and of later connections, until `heal`; what was swallowed is lost. */
  readonly cut: () => void;
  readonly heal: () => void;
  /** Resolves as soon as bytes are swallowed. */
  readonly swallowed: () => Promise<void>;
  readonly close: () => Promise<void>;
}

/** Starts a proxy in front of a port of this machine. */
export async function startProxy(target: number): Promise<Proxy> {
  let trap: { readonly text: string; readonly when: Breaking } | undefined;
  let broken = (): void => undefined;
  let open = true;
  let isCut = false;
  let onSwallowed = (): void => undefined;
  const sockets = new Set<Socket>();
  const refuse = (): void => {
    open = false;
    for (const socket of sockets) socket.destroy();
  };
  const server = createServer((client) => {
    // As with a lost network, nothing that is sent now ever arrives, nor what follows it.
    if (isCut) {
      sockets.add(client);
      client.on('error', () => client.destroy());
      return void client.resume();
    }
    const upstream = connect(target, '127.0.0.1');
    let answered = (bytes: Buffer): void => void client.write(bytes);
    let isLost = false;
    for (const [one, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(one);
      one.on('error', () => other.destroy());
      one.on('close', () => other.destroy());
    }
    if (!open) client.destroy();
    upstream.on('data', (bytes) => {
      isLost ||= isCut;
      if (isLost) onSwallowed();
      else answered(bytes);
    });
    client.on('data', (bytes) => {
      isLost ||= isCut;
      if (isLost) return onSwallowed();
      const found = trap !== undefined && bytes.includes(trap.text) ? trap.when : undefined;
      if (found) trap = undefined;
      if (found === 'before') {
        client.destroy();
        return broken();
      }
      if (found === 'after') {
        answered = () => {
          client.destroy();
          broken();
        };
      }
      if (found === 'for good') answered = refuse;
      upstream.write(bytes);
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  return {
    port: typeof address === 'object' ? (address?.port ?? 0) : 0,
    breakAt: (text, when) => (trap = { text, when }),
    onBroken: (listener) => (broken = listener),
    cut: () => (isCut = true),
    heal: () => (isCut = false),
    swallowed: () => new Promise((resolve) => (onSwallowed = resolve)),
    close: async () => {
      refuse();
      server.close();
      await once(server, 'close');
    },
  };
}

/** Starts a proxy in front of the server of an address; `through` is the address of the same database through it. */
export async function proxyTo(address: string): Promise<Proxy & { readonly through: string }> {
  const through = new URL(address);
  const proxy = await startProxy(Number(through.port));
  through.port = String(proxy.port);
  return { ...proxy, through: through.href };
}
