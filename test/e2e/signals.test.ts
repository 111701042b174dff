import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { dump } from '../support/cli.js';
import { environment, petstore, runHosted, start, stockedShop } from '../support/program.js';
import { testFolder } from '../support/files.js';

const folder = testFolder();
const store = join(folder, 'shop.db');
const pets = 3000;

beforeAll(() => stockedShop(store, pets, 3));

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  test(`${signal} while an import reads leaves nothing behind`, async () => {
    const before = dump(store);
    const { child, ended } = start(process.execPath, [petstore, 'inventory', 'import', '-'], environment(store));
    child.stdin.write(`petId,delta\n${Array.from({ length: 100_000 }, (_, index) => `${(index % pets) + 1},9\n`).join('')}`);
    // More than the pipe holds was written, so some of it was read; the end of the file never comes.
    await new Promise((resolve) => child.stdin.write(' '.repeat(4096), resolve));
    child.kill(signal);
    expect(await ended).toMatchObject({ exitCode: null, signal, stdout: '' });
    expect(dump(store)).toEqual(before);
  });
}

test('SIGINT during a list ends the process by the signal, and the shop stays usable', async () => {
  const { child, ended } = start(process.execPath, [petstore, 'pet', 'list', '--json'], environment(store), false);
  // The first bytes have arrived; the rest waits because nothing reads it.
  await new Promise((resolve) => child.stdout.once('readable', resolve));
  child.kill('SIGINT');
  expect(await ended).toMatchObject({ exitCode: null, signal: 'SIGINT', stderr: '' });
  expect(await runHosted(store, ['pet', 'hold', '1'])).toMatchObject({ exitCode: 0, stderr: '' });
});
