import { devNull } from 'node:os';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { measuredTable } from './measured-table.js';

/** `npm run test:fast` leaves out what starts processes or takes long; `npm test` runs everything. */
export default defineConfig({
  plugins: [measuredTable],
  root: fileURLToPath(new URL('..', import.meta.url)),
  // The version that runs there, as src/app/main.ts chooses it.
  resolve: { alias: Number.parseInt(process.versions.node, 10) >= 22 ? { 'better-sqlite3': 'better-sqlite3-13' } : {} },
  test: {
    include: ['test/**/*.test.ts'],
    // Files share what they load: reading it anew for each took a third of the time, and none changes what others see.
    isolate: false,
    // One for each core; left to itself, vitest leaves one of two free.
    maxWorkers: '100%',
    // An empty variable of ours is refused, so the caller's are taken out.
    setupFiles: ['test/support/clear-environment.ts'],
    // One PostgreSQL for all of them.
    globalSetup: ['test/support/postgres-setup.ts'],
    reporters: ['default', './test/support/store-reporter.ts'],
    testTimeout: 60_000,
    hookTimeout: 120_000,
    // Tests say what environment they need; nothing of the caller's shell leaks in.
    env: { NO_COLOR: '', FORCE_COLOR: '', PETSTORE_CONFIG: devNull, CI: '' },
  },
});
