import type { AddressInfo } from 'node:net';
import { remoteShop } from '../../src/http/client/remote-shop.js';
import type { LogEntry } from '../../src/http/server/server-options.js';
import { createApplication } from '../../src/http/server/server.js';
import type { StartedShop } from './test-shop.js';
import { options, serverDependencies } from './server.js';

/** What a server serves: the shop of one scenario. */
interface Served {
  readonly shopOf: StartedShop['shopOf'];
  readonly clock: () => number;
  readonly log: LogEntry[];
}

/** A running server that can serve one shop after the other. */
interface ReusableServer {
  readonly address: URL;
  readonly serve: (served: Served) => void;
  /** Ends its connections. */
  readonly disconnect: () => void;
  /** Whether it has streamed events: then it knows how far the ledger of that shop has grown. */
  readonly hasStreamed: () => boolean;
  readonly close: () => Promise<void>;
}

async function startReusableServer(first: Served): Promise<ReusableServer> {
  let current = first;
  const shopOf: Served['shopOf'] = (actor) => current.shopOf(actor);
  const dependencies = serverDependencies(shopOf, () => current.clock(), []);
  const log = { info: (entry: LogEntry) => void current.log.push(entry), error: (entry: LogEntry) => void current.log.push(entry) };
  const { app, streams } = await createApplication({ ...dependencies, log }, options({ auth: 'off' }));
  let hasStreamed = false;
  app.server.on('request', ({ url }) => (hasStreamed ||= url?.includes('/store/events') === true));
  await app.listen({ host: '127.0.0.1', port: 0 });
  return {
    address: new URL(`http://127.0.0.1:${(app.server.address() as AddressInfo).port}`),
    serve: (served) => (current = served),
    disconnect: () => app.server.closeAllConnections(),
    hasStreamed: () => hasStreamed,
    close: async () => {
      streams.end();
      app.server.closeAllConnections();
      await app.close();
    },
  };
}

/** Servers without a shop, for the next scenarios: starting one takes longer than most scenarios. */
const idle: ReusableServer[] = [];

/** The same shop, used through a server over a socket. */
export async function throughServer(inner: StartedShop, clock: () => number): Promise<StartedShop> {
  const served: Served = { shopOf: inner.shopOf, clock, log: [] };
  const server = idle.pop() ?? (await startReusableServer(served));
  server.serve(served);
  const { address } = server;
  const clients = new Map<string, ReturnType<typeof remoteShop>>();
  const clientOf = (actor: string): ReturnType<typeof remoteShop> => {
    const client = clients.get(actor) ?? remoteShop({ address, token: undefined, actor, waitSeconds: 5, insecure: false });
    clients.set(actor, client);
    return client;
  };
  return {
    ...inner,
    shopOf: clientOf,
    address: address.origin,
    stop: async () => {
      for (const client of clients.values()) await client.close();
      server.disconnect();
      if (server.hasStreamed()) await server.close();
      else idle.push(server);
      await inner.stop();
      const failures = served.log.filter(({ msg }) => msg === 'failure');
      if (failures.length > 0) throw new Error(`The server failed: ${JSON.stringify(failures)}`);
    },
  };
}
