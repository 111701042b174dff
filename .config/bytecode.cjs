// Runs a few common commands with each bundle and writes the bytecode that V8 compiled (see src/app/start.ts).
const { execFileSync } = require('node:child_process');
const { copyFileSync, mkdtempSync, readdirSync, rmSync, writeFileSync } = require('node:fs');
const { tmpdir } = require('node:os');
const path = require('node:path');

const [build, folder, bundle] = process.argv.slice(2);
/** The bundles that get bytecode, each with typical command lines. Only functions that these call are compiled, which keeps the file small. */
const bundles = {
  petstore: [
    ['init', '--sample'],
    ['report', 'stock'],
    ['config', 'list'],
  ],
  'petstore-help': [['--help']],
  'petstore-pet': [
    ['pet', 'list'],
    ['pet', 'view', '1'],
  ],
  'petstore-category': [['category', 'list']],
  'petstore-order': [
    ['order', 'list'],
    ['order', 'place', '--pet', '3'],
  ],
  'petstore-inventory': [
    ['inventory', 'list'],
    ['inventory', 'set', '1', '5'],
  ],
  'petstore-log': [['log']],
  'petstore-status': [['status']],
  'petstore-complete': [
    ['complete', 'bash', ':=', 'petstore pet view '],
    ['complete', 'zsh', 'inventory', 'list', '--category', ''],
  ],
  serving: [['serve', '--port', '0']],
  table: [['pet', 'list']],
  importing: [['inventory', 'import', path.join(__dirname, '../data/stock.csv')]],
};

/** Runs the command lines, for a pipe and for a terminal, and writes the bytecode of the bundle into the folder. */
async function warm([name, lines]) {
  const { scripts, start } = require(path.join(build, 'start.cjs'));
  // The first script of the bundle: later ones in this process share its compiled functions.
  let script;
  for (const columns of ['', '80']) {
    for (const line of lines) {
      process.env.PETSTORE_FORCE_TTY = columns;
      process.argv = [process.execPath, 'petstore', ...line];
      if (line[0] === 'serve') setTimeout(() => process.kill(process.pid, 'SIGTERM'), 500);
      const done = start(false);
      script ??= scripts.get(name);
      await done;
    }
  }
  if (process.exitCode) throw new Error('The bundle does not run.');
  script ??= scripts.get(name);
  writeFileSync(path.join(folder, `${name}.cache`), script.createCachedData());
}

/** Each bundle runs in a process of its own, before any bytecode is in the folder of the build: V8 writes again what it has read. */
function warmEach() {
  const temporary = mkdtempSync(path.join(tmpdir(), 'petstore-build-'));
  const env = {
    ...process.env,
    PETSTORE_STORE: path.join(temporary, 'shop.db'),
    PETSTORE_CONFIG: path.join(temporary, 'config.json'),
    PETSTORE_PROFILE: undefined,
  };
  try {
    for (const one of Object.entries(bundles)) execFileSync(process.execPath, [__filename, build, temporary, JSON.stringify(one)], { env, stdio: 'pipe' });
    for (const name of readdirSync(temporary)) if (name.endsWith('.cache')) copyFileSync(path.join(temporary, name), path.join(build, name));
  } finally {
    rmSync(temporary, { recursive: true, force: true });
  }
}

if (bundle === undefined) warmEach();
else void warm(JSON.parse(bundle));
