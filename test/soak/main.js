// `npm run soak -- [suite...] [--minutes N] [--seed N]` runs the suites of this folder at full size, one after the other;
// with `--small` at a size of seconds. `scenarios` runs those of test/operations, and some others, on every kind of store. `fresh-machine` is no
// file of tests: it runs `npm test` itself, on the machines of `--rows`.
// `--mutants` checks that the suites can fail: it applies one mutant after the other to a copy of the project.
import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { machines, testFreshMachines } from './fresh-machine.js';
import { mutants, testMutants } from './mutants.js';

const root = fileURLToPath(new URL('../..', import.meta.url));
const folder = join(root, 'test/soak');
const ending = '.test.ts';
const suites = readdirSync(folder)
  .filter((name) => name.endsWith(ending))
  .map((name) => name.slice(0, -ending.length));

const scenarios = 'scenarios';
/** The tests of other folders that `npm test` runs on some stores, in one colour scheme, or with few random values. */
const otherTests = ['operations', 'board/accessible', 'cli/exports', 'e2e/mcp', 'http/fuzz'].map((name) => `test/${name}`);
const table = 'fresh-machine';
const all = [...suites, scenarios, table];
const usage = `Usage: npm run soak -- [--minutes N] [--seed N] [--small] [--rows N,N] [--mutants] [${all.join(' | ')}]...\n`;

const options = {
  minutes: { type: 'string', default: '10' },
  seed: { type: 'string' },
  small: { type: 'boolean', default: false },
  rows: { type: 'string' },
  mutants: { type: 'boolean', default: false },
};

/** The parsed command line, or undefined when it is invalid. */
function parsedArguments() {
  try {
    const { values, positionals } = parseArgs({ allowPositionals: true, options });
    const [minutes, seed, rows] = [Number(values.minutes), Number(values.seed ?? Date.now() % 2 ** 31), values.rows?.split(',').map(Number) ?? []];
    const names = values.mutants ? mutants.map(({ suite }) => suite) : all;
    const known = positionals.every((name) => names.includes(name)) && rows.every((row) => machines[row - 1] !== undefined);
    return known && minutes > 0 && Number.isInteger(seed) ? { ...values, minutes, seed, rows, chosen: positionals } : undefined;
  } catch {
    return undefined;
  }
}

/** Runs suites that are files of tests; returns their exit code. */
function runFiles(chosen, { minutes, seed, small }) {
  process.stdout.write(`Seed ${seed}. To repeat this run: npm run soak -- --seed ${seed} --minutes ${minutes} ${chosen.join(' ')}\n`);
  const files = chosen.flatMap((name) => (name === scenarios ? otherTests : [`test/soak/${name}${ending}`]));
  const words = [join(root, 'node_modules/vitest/vitest.mjs'), 'run', '--config', '.config/vitest.config.ts', '--no-file-parallelism', ...files];
  const size = small ? 'small' : 'full';
  const env = {
    ...process.env,
    PETSTORE_TEST_STORES: 'all',
    PETSTORE_TEST_SIZE: size,
    PETSTORE_TEST_SEED: String(seed),
    PETSTORE_SOAK_MINUTES: String(minutes),
  };
  return spawnSync(process.execPath, words, { cwd: root, env, stdio: 'inherit' }).status ?? 1;
}

const request = parsedArguments();
if (request === undefined) {
  process.stderr.write(usage);
  process.exitCode = 2;
} else if (request.mutants) {
  process.exitCode = await testMutants(root, request.chosen);
} else {
  const chosen = request.chosen.length === 0 ? all : request.chosen;
  const files = chosen.filter((name) => name !== table && name !== scenarios);
  if (files.length > 0) process.exitCode = runFiles(files, request);
  // Larger random sequences on all stores would take hours.
  if (chosen.includes(scenarios)) process.exitCode = runFiles([scenarios], { ...request, small: true }) || process.exitCode;
  if (chosen.includes(table)) process.exitCode = testFreshMachines(root, request.small, request.rows) || process.exitCode;
}
