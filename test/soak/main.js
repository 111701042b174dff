// `npm run soak -- [suite...] [--minutes N] [--seed N]` runs the suites of this folder at full size, one after the other.
// `--mutants` checks that the suites can fail: it applies one mutant after the other to a copy of the project.
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { mutants, testMutants } from './mutants.js';

const root = fileURLToPath(new URL('../..', import.meta.url));
const folder = join(root, 'test/soak');
const ending = '.test.ts';
const suites = readdirSync(folder)
  .filter((name) => name.endsWith(ending))
  .map((name) => name.slice(0, -ending.length));

const usage = `Usage: npm run soak -- [--minutes N] [--seed N] [--mutants] [${suites.join(' | ')}]...\n`;

/** The parsed command line, or undefined when it is invalid. */
function parsedArguments() {
  try {
    const options = { minutes: { type: 'string', default: '10' }, seed: { type: 'string' }, mutants: { type: 'boolean', default: false } };
    const { values, positionals } = parseArgs({ allowPositionals: true, options });
    const [minutes, seed] = [Number(values.minutes), Number(values.seed ?? Date.now() % 2 ** 31)];
    const names = values.mutants ? mutants.map(({ suite }) => suite) : suites;
    const known = positionals.every((name) => names.includes(name));
    return known && minutes > 0 && Number.isInteger(seed) ? { ...values, minutes, seed, chosen: positionals } : undefined;
  } catch {
    return undefined;
  }
}

const request = parsedArguments();
if (request === undefined) {
  process.stderr.write(usage);
  process.exitCode = 2;
} else if (request.mutants) {
  process.exitCode = await testMutants(root, request.chosen);
} else {
  const { minutes, seed, chosen } = request;
  process.stdout.write(`Seed ${seed}. To repeat this run: npm run soak -- --seed ${seed} --minutes ${minutes} ${chosen.join(' ')}\n`);
  const files = (chosen.length === 0 ? suites : chosen).map((name) => `test/soak/${name}${ending}`).filter((file) => existsSync(join(root, file)));
  const words = [join(root, 'node_modules/vitest/vitest.mjs'), 'run', '--config', '.config/vitest.config.ts', '--no-file-parallelism', ...files];
  const env = { ...process.env, PETSTORE_TEST_SIZE: 'full', PETSTORE_TEST_SEED: String(seed), PETSTORE_SOAK_MINUTES: String(minutes) };
  process.exitCode = spawnSync(process.execPath, words, { cwd: root, env, stdio: 'inherit' }).status ?? 1;
}
