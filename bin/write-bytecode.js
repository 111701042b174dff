// Writes the bytecode of the program when it is built and when it is installed; where that cannot be, the first command that uses a
// shop does (src/app/start.ts). It holds the functions that these commands call: more of them make every start slower.
const { execFileSync } = require('node:child_process');
const { mkdtempSync, rmSync } = require('node:fs');
const { tmpdir } = require('node:os');
const path = require('node:path');

const lines = [['init', '--sample'], ['pet', 'list'], ['pet', 'view', '1'], ['sell', '3'], ['inventory', 'set', '1', '5'], ['--help']];

/** Runs the commands, for a pipe and for a terminal, and writes what they have compiled. */
async function run(start) {
  const program = require(start);
  for (const columns of ['', '80']) {
    process.env.PETSTORE_FORCE_TTY = columns;
    for (const line of lines) {
      process.argv = [process.execPath, 'petstore', ...line];
      await program.start(false);
    }
  }
  if (process.exitCode) throw new Error('The program does not run.');
  program.writeBytecode();
}

/** Runs them in another process: without their output, and in a shop of their own. */
function runApart(start) {
  const folder = mkdtempSync(path.join(tmpdir(), 'petstore-bytecode-'));
  const own = { PETSTORE_STORE: path.join(folder, 'shop.db'), PETSTORE_CONFIG: path.join(folder, 'config.json') };
  const env = { ...process.env, ...own, PETSTORE_PROFILE: undefined, PETSTORE_PAGER: '' };
  try {
    execFileSync(process.execPath, [__filename, start, '--here'], { env, stdio: ['ignore', 'ignore', 'pipe'] });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const [built, here] = process.argv.slice(2);
if (here) void run(built);
else if (built) runApart(built);
else {
  try {
    runApart(path.join(__dirname, '../dist/start.cjs'));
  } catch {
    // An installation succeeds without it: a clone has no build yet, or a folder cannot be written.
  }
}
