import type { Engine } from './engine.js';

/**
 * Waits until all commits that were read are durable. A read may see a commit that a synchronous standby does not have
 * yet. This makes a later commit: when the standby has that one, it has all earlier ones. Call it before reporting that a
 * change was made earlier.
 */
export async function confirmDurable(engine: Pick<Engine, 'write'>): Promise<void> {
  await engine.write(async () => undefined);
}
