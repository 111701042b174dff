import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { built, runProgram, stockedShop } from '../support/program.js';
import { ask } from '../support/server.js';
import { serving } from '../support/serving.js';

const folder = mkdtempSync(join(tmpdir(), 'petstore-fairness-'));
const store = join(folder, 'shop.db');

beforeAll(async () => {
  await built();
  await stockedShop(store, 20_000, 5);
});
afterAll(() => rmSync(folder, { recursive: true }));

async function bearerOf(name: string): Promise<Readonly<Record<string, string>>> {
  const { stdout } = await runProgram(store, ['token', 'create', name, '--scope', 'admin', '--quiet']);
  return { authorization: `Bearer ${stdout.trim()}` };
}

test('the searches of one client do not hold up those of another', async () => {
  const [busy, other] = [await bearerOf('busy'), await bearerOf('other')];
  const { address } = await serving(store);
  const [many, search] = [80, '/pets?q=guppy&count=true'];
  let answered = 0;
  let tell = (): void => undefined;
  const first = new Promise<void>((resolve) => (tell = resolve));
  const searches = Array.from({ length: many }, async () => {
    const { status } = await ask(address, 'GET', search, { headers: busy });
    answered += 1;
    tell();
    return status;
  });
  await first;
  const before = answered;
  expect((await ask(address, 'GET', search, { headers: other })).status).toBe(200);
  // Every search of the other client waits for one of the busy one at most, and some of that are on their way.
  expect(answered - before).toBeLessThan(many - 20);
  expect(new Set(await Promise.all(searches))).toEqual(new Set([200]));
});
