import type { Engine } from './engine.js';

/**
 * Waits until everything read so far is as durable as a commit. A read may see a commit that the standby does not have
 * yet; the standby has it once it has a later commit. Call this before reporting that a change was made earlier.
 */
export async function confirmDurable(engine: Pick<Engine, 'write'>): Promise<void> {
  await engine.write(async () => undefined);
}
