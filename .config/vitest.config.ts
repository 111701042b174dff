import { availableParallelism, devNull, tmpdir } from 'node:os';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { executableFolder } from './executable-folder.js';
import { LongFilesFirst } from './long-files-first.js';
import { builtFolder } from '../test/support/program.js';

// Tests execute programs in the temporary folder, also as nobody when root runs them. It may forbid this, or be closed to others.
const packages = fileURLToPath(new URL('../node_modules', import.meta.url));
const other = process.getuid?.() === 0 ? 65_534 : undefined;
process.env['TMPDIR'] = executableFolder([tmpdir(), '/tmp', '/var/tmp', packages], other) ?? tmpdir();

/** The suites of test/soak that `npm test` runs too, at a small size; `npm run soak` runs all of them. */
const alsoSmall = ['hostile', 'kill', 'model'];
const isLongRun = process.env['PETSTORE_TEST_SIZE'] !== undefined;

/** cli-table3 with our measure of text, as it was built: aliases of vitest do not apply to require() in a package. */
const measuredTable = {
  name: 'measured-table',
  enforce: 'pre' as const,
  resolveId: (source: string) => (source === 'cli-table3' ? { id: `${builtFolder()}/cli-table3.cjs`, external: true } : undefined),
};

/** `npm test` runs all tests but those of the long run; `npm run test:fast` also leaves out those that start processes or take long. */
export default defineConfig({
  plugins: [measuredTable],
  root: fileURLToPath(new URL('..', import.meta.url)),
  // The version for this Node, chosen as in src/app/native-binding.ts.
  resolve: { alias: Number(process.versions['napi']) >= 10 ? { 'better-sqlite3': 'better-sqlite3-13' } : {} },
  test: {
    include: isLongRun ? ['test/**/*.test.ts'] : ['test/!(soak)/**/*.test.ts', 'test/*.test.ts', ...alsoSmall.map((name) => `test/soak/${name}.test.ts`)],
    // Files share loaded modules, which hold no state; loading them for each file took a third of the time.
    isolate: false,
    // One more than there are cores, because many tests wait for other processes; by default vitest uses half of them.
    maxWorkers: availableParallelism() + 1,
    sequence: { sequencer: LongFilesFirst },
    // Removes PETSTORE_ variables of the caller; setting them to '' here would be refused as an empty value.
    setupFiles: ['test/support/clear-environment.ts'],
    // Builds the program, and starts one PostgreSQL server for all files.
    globalSetup: ['test/support/global-setup.ts'],
    reporters: ['default', './test/support/store-reporter.ts'],
    // At full size a loaded machine takes long.
    testTimeout: process.env['PETSTORE_TEST_SIZE'] === 'full' ? 1_800_000 : 180_000,
    hookTimeout: 180_000,
    // What a page shows may take long on a loaded machine, and asking takes time too.
    expect: { poll: { interval: 100, timeout: 60_000 } },
    // Keeps the environment of the caller out of the tests.
    env: { TZ: 'UTC', NO_COLOR: '', FORCE_COLOR: '', PETSTORE_CONFIG: devNull, CI: '' },
  },
});
