// Runs a few common commands once and keeps the bytecode V8 made of them (see src/start.ts).
const Module = require('node:module');
const { mkdtempSync, rmSync, writeFileSync } = require('node:fs');
const { tmpdir } = require('node:os');
const path = require('node:path');

const dist = process.argv[2];
const folder = mkdtempSync(path.join(tmpdir(), 'petstore-build-'));
const need = Module.createRequire(path.join(dist, 'start.cjs'));
const lines = [['init', '--sample'], ['--help'], ['pet', 'list'], ['order', 'place', '--pet', '1'], ['inventory', 'set', '1', '5'], ['log']];

async function warm() {
  process.env.PETSTORE_STORE = path.join(folder, 'shop.db');
  let script;
  for (const line of lines) {
    process.argv = [process.execPath, 'petstore', ...line, '--quiet'];
    const started = need('./start.cjs').start(dist, need);
    script ??= started.script;
    await started.done;
  }
  if (process.exitCode) throw new Error('The bundle does not run.');
  writeFileSync(path.join(dist, 'petstore.cache'), script.createCachedData());
}

void warm().finally(() => rmSync(folder, { recursive: true, force: true }));
