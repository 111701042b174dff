import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';

// Below the ports that the system gives to connections and to servers that ask for any port: none of them takes it while its server is away.
const [lowestPort, portCount] = [20_000, 12_000];

/** A port of this machine that nothing listens at. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = lowestPort + randomInt(portCount);
    const probe = createServer().listen(port, '127.0.0.1');
    const isFree = await once(probe, 'listening').then(
      () => true,
      () => false,
    );
    if (!isFree) continue;
    probe.close();
    await once(probe, 'close');
    return port;
  }
}
