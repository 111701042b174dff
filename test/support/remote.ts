import { randomUUID } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import { remoteShop } from '../../src/http/client/remote-shop.js';
import type { LogEntry } from '../../src/http/server/server-options.js';
import { createApplication } from '../../src/http/server/server.js';
import { storedFile } from '../../src/formats/stored-file.js';
import type { StartedShop } from './test-shop.js';
import { options, serverDependencies } from './server.js';

/** The same shop, used through a server over a socket. */
export async function throughServer(inner: StartedShop, clock: () => number): Promise<StartedShop> {
  const log: LogEntry[] = [];
  const dependencies = serverDependencies(inner.shopOf, clock, log, '');
  const { app, metrics, streams } = await createApplication(dependencies, options({ auth: 'off' }));
  await app.listen({ host: '127.0.0.1', port: 0 });
  const address = new URL(`http://127.0.0.1:${(app.server.address() as AddressInfo).port}`);
  const clients = new Map<string, ReturnType<typeof remoteShop>>();
  const clientOf = (actor: string): ReturnType<typeof remoteShop> => {
    const client = clients.get(actor) ?? remoteShop({ address, token: undefined, actor, wait: 5, insecure: false, randomText: randomUUID, spool: storedFile });
    clients.set(actor, client);
    return client;
  };
  return {
    ...inner,
    shopOf: clientOf,
    address: address.origin,
    stop: async () => {
      for (const client of clients.values()) await client.close();
      streams.end();
      app.server.closeAllConnections();
      await app.close();
      metrics.stop();
      await inner.stop();
      const failures = log.filter(({ msg }) => msg === 'failure');
      if (failures.length > 0) throw new Error(`The server failed: ${JSON.stringify(failures)}`);
    },
  };
}
