// Runs a few common commands and keeps the bytecode V8 made of them (see src/app/start.ts): one file for each first word of
// a command line, because reading bytecode that is not needed takes time, and one of them all for any other line.
const { execFileSync } = require('node:child_process');
const Module = require('node:module');
const { copyFileSync, mkdtempSync, readdirSync, rmSync, writeFileSync } = require('node:fs');
const { tmpdir } = require('node:os');
const path = require('node:path');

const [dist, folder, given] = process.argv.slice(2);
const lines = {
  help: [['--help']],
  pet: [
    ['pet', 'list'],
    ['pet', 'view', '1'],
  ],
  category: [['category', 'list']],
  order: [
    ['order', 'list'],
    ['order', 'place', '--pet', '3'],
  ],
  inventory: [
    ['inventory', 'list'],
    ['inventory', 'set', '1', '5'],
  ],
  log: [['log']],
  status: [['status']],
  complete: [
    ['complete', 'bash', ':=', 'petstore pet view '],
    ['complete', 'zsh', 'inventory', 'list', '--category', ''],
  ],
};
const served = ['serving', [['serve', '--port', '0']]];
const drawn = ['table', [['pet', 'list']]];
const all = ['petstore', [['init', '--sample'], ...Object.values(lines).flat()]];

/** Runs the lines, for a pipe and for a terminal, and writes their bytecode into the folder. */
async function warm([name, words]) {
  const need = Module.createRequire(path.join(dist, 'start.cjs'));
  const { scripts, start } = need('./start.cjs');
  // The first run counts: those after it run functions that are compiled already.
  let script;
  for (const columns of ['', '80']) {
    for (const line of words) {
      process.env.PETSTORE_FORCE_TTY = columns;
      process.argv = [process.execPath, 'petstore', ...line];
      if (line[0] === 'serve') setTimeout(() => process.kill(process.pid, 'SIGTERM'), 500);
      const done = start(dist, need);
      script ??= scripts.get('petstore');
      await done;
    }
  }
  if (process.exitCode) throw new Error('The bundle does not run.');
  writeFileSync(path.join(folder, `${name}.cache`), (scripts.get(name) ?? script).createCachedData());
}

/** Each in a process of its own, none with the bytecode of another: V8 keeps what it was given. */
function warmEach() {
  const temporary = mkdtempSync(path.join(tmpdir(), 'petstore-build-'));
  const env = {
    ...process.env,
    PETSTORE_STORE: path.join(temporary, 'shop.db'),
    PETSTORE_CONFIG: path.join(temporary, 'config.json'),
    PETSTORE_PROFILE: undefined,
  };
  const each = [all, ...Object.entries(lines), served, drawn];
  try {
    for (const one of each) execFileSync(process.execPath, [__filename, dist, temporary, JSON.stringify(one)], { env, stdio: 'pipe' });
    for (const name of readdirSync(temporary)) if (name.endsWith('.cache')) copyFileSync(path.join(temporary, name), path.join(dist, name));
  } finally {
    rmSync(temporary, { recursive: true, force: true });
  }
}

if (given === undefined) warmEach();
else void warm(JSON.parse(given));
