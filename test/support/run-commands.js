// Runs commands of the built program one after the other in this process, each as it was sent by command-host.ts.
import { writeSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));
const { load, build } = createRequire(import.meta.url)('../../dist/start.cjs');
// Once: to load the modules for each command would take as long as most commands.
const { main } = load();

/** Marks the end of the output of a command, behind everything that the program has written. */
function writeMark(descriptor, mark) {
  for (;;) {
    try {
      writeSync(descriptor, mark);
      return;
    } catch (error) {
      if (error.code !== 'EAGAIN') throw error;
    }
  }
}

async function run({ args, cwd, env, mark }) {
  process.chdir(cwd);
  for (const name of Object.keys(process.env)) delete process.env[name];
  Object.assign(process.env, env);
  process.argv = [process.execPath, join(root, 'bin/petstore.js'), ...args];
  process.exitCode = undefined;
  await main(root, build);
  process.send(process.exitCode ?? 0);
  process.exitCode = undefined;
  for (const descriptor of [1, 2]) writeMark(descriptor, mark);
}

process.on('message', (message) => void run(message));
// The tests were killed.
process.on('disconnect', () => process.exit());
