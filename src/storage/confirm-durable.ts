import type { Engine } from './engine.js';

/**
 * Waits until what was read is as durable as a commit. A read may find a commit that a standby does not have yet, after
 * its connection was cut; the standby has it once it has a later one. Call it before telling anybody that a change was
 * made earlier.
 */
export async function confirmDurable(engine: Pick<Engine, 'write'>): Promise<void> {
  await engine.write(async () => undefined);
}
