// Runs the programs that make and check a release.
import { execFileSync } from 'node:child_process';

const limit = 64 * 1024 * 1024;

/** Runs a program; its standard error is shown. Returns its standard output; refuses when it fails. */
export function run(file, words, options = {}) {
  return execFileSync(file, words, { encoding: 'utf8', maxBuffer: limit, stdio: ['ignore', 'pipe', 'inherit'], ...options });
}

/** Runs a line of sh in a folder. Values are passed as variables of the environment, never as text of the line. */
export function shell(line, cwd, env = {}) {
  return run('sh', ['-euc', line], { cwd, env: { ...process.env, LC_ALL: 'C', TZ: 'UTC', ...env } });
}

/** Says on standard error what happens. */
export function say(text) {
  process.stderr.write(`${text}\n`);
}
