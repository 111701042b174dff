// `npm run soak -- [suite...] [--minutes N] [--seed N]` runs the suites of this folder at their full size, one after the
// other; `--planted` shows that each can fail: it plants one fault after the other into a copy of the project.
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { plantedFaults, seeTheFaults } from './planted.js';

const root = fileURLToPath(new URL('../..', import.meta.url));
const folder = join(root, 'test/soak');
const ending = '.test.ts';
const suites = readdirSync(folder)
  .filter((name) => name.endsWith(ending))
  .map((name) => name.slice(0, -ending.length));

const usage = `Usage: npm run soak -- [--minutes N] [--seed N] [--planted] [${suites.join(' | ')}]...\n`;

/** What the words ask for, or undefined where they make no sense. */
function asked() {
  try {
    const options = { minutes: { type: 'string', default: '10' }, seed: { type: 'string' }, planted: { type: 'boolean', default: false } };
    const { values, positionals } = parseArgs({ allowPositionals: true, options });
    const [minutes, seed] = [Number(values.minutes), Number(values.seed ?? Date.now() % 2 ** 31)];
    const names = values.planted ? plantedFaults.map(({ suite }) => suite) : suites;
    const known = positionals.every((name) => names.includes(name));
    return known && minutes > 0 && Number.isInteger(seed) ? { ...values, minutes, seed, chosen: positionals } : undefined;
  } catch {
    return undefined;
  }
}

const request = asked();
if (request === undefined) {
  process.stderr.write(usage);
  process.exitCode = 2;
} else if (request.planted) {
  process.exitCode = await seeTheFaults(root, request.chosen);
} else {
  const { minutes, seed, chosen } = request;
  process.stdout.write(`Seed ${seed}; the same again: npm run soak -- --seed ${seed} --minutes ${minutes} ${chosen.join(' ')}\n`);
  const files = (chosen.length === 0 ? suites : chosen).map((name) => `test/soak/${name}${ending}`).filter((file) => existsSync(join(root, file)));
  const words = [join(root, 'node_modules/vitest/vitest.mjs'), 'run', '--config', '.config/vitest.config.ts', '--no-file-parallelism', ...files];
  const env = { ...process.env, PETSTORE_TEST_SIZE: 'full', PETSTORE_TEST_SEED: String(seed), PETSTORE_SOAK_MINUTES: String(minutes) };
  process.exitCode = spawnSync(process.execPath, words, { cwd: root, env, stdio: 'inherit' }).status ?? 1;
}
