import { spawn } from 'node:child_process';
import { closeSync, existsSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { devNull, tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The built program. */
export const petstore = fileURLToPath(new URL('../../bin/petstore.js', import.meta.url));

const gnuTime = '/usr/bin/time';
/** Whether peak memory can be measured. */
export const tellsMemory = existsSync(gnuTime);

/** Whether a program is on the path. */
export function isInstalled(program) {
  return (process.env.PATH ?? '').split(delimiter).some((folder) => existsSync(join(folder, program)));
}

/** A folder that is removed when this process ends. */
export function temporaryFolder() {
  const folder = mkdtempSync(join(tmpdir(), 'petstore-bench-'));
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => process.exit(130));
  return folder;
}

/** The environment of a measured program, without settings of the caller. */
export function environment(more = {}) {
  const own = Object.entries(process.env).filter(([name]) => !/^(PETSTORE_|NODE_|npm_|NO_COLOR|FORCE_COLOR|CLICOLOR|CI$)/.test(name));
  return { ...Object.fromEntries(own), PETSTORE_CONFIG: devNull, PETSTORE_ACTOR: 'bench', ...more };
}

/** Runs a program; returns its exit code (null after `timeoutMs`), wall time and, if requested, its processor time (user and system) and peak memory. */
export async function run(program, args, { input, env, memory, timeoutMs } = {}) {
  const usage = memory === undefined ? undefined : join(memory, 'usage');
  const [command, ...words] = usage && tellsMemory ? [gnuTime, '-f', '%M %U %S', '-o', usage, program, ...args] : [program, ...args];
  const stdin = input === undefined ? 'ignore' : openSync(input, 'r');
  const started = process.hrtime.bigint();
  return new Promise((resolve, reject) => {
    const child = spawn(command, words, { env: environment(env), stdio: [stdin, 'pipe', 'pipe'], timeout: timeoutMs });
    let ms = 0;
    let output = '';
    child.stdout.on('data', () => {});
    child.stderr.setEncoding('utf8').on('data', (text) => (output += text));
    child.on('error', reject);
    child.on('exit', () => (ms = Number(process.hrtime.bigint() - started) / 1e6));
    child.on('close', (exitCode) => {
      if (typeof stdin === 'number') closeSync(stdin);
      const [kib, user, system] = usage && tellsMemory ? readFileSync(usage, 'utf8').trim().split('\n').at(-1).split(' ').map(Number) : [];
      resolve({ exitCode, ms, output, ...(kib !== undefined && { mib: kib / 1024, cpuMs: (user + system) * 1000 }) });
    });
  });
}

/** Like `run`, for a program that must succeed. */
export async function succeed(program, args, options) {
  const ran = await run(program, args, options);
  if (ran.exitCode !== 0) throw new Error(`${program} ${args.join(' ')} ended with ${ran.exitCode}: ${ran.output}`);
  return ran;
}

/** Runs every candidate once per round (A B A B …), so that other load affects all equally. */
export async function interleaved(candidates, rounds, once) {
  const results = new Map(candidates.map((candidate) => [candidate, []]));
  for (let round = 0; round < rounds; round += 1) for (const candidate of candidates) results.get(candidate).push(await once(candidate, round));
  return results;
}

/** The median of some figures. */
export function median(figures) {
  const sorted = [...figures].toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

/** A number with this many decimals; a dash if nothing was measured. */
export function shown(figure, decimals = 0) {
  return figure === undefined ? '-' : figure.toLocaleString('en-GB', { minimumFractionDigits: decimals, maximumFractionDigits: decimals });
}

/** Prints a table with a left-aligned first column and right-aligned figures. */
export function printTable(title, header, rows) {
  const widths = header.map((_, index) => Math.max(...[header, ...rows].map((row) => row[index].length)));
  const line = (row) => row.map((cell, index) => (index === 0 ? cell.padEnd(widths[index]) : cell.padStart(widths[index]))).join('  ');
  process.stdout.write(`\n${[title, line(header), widths.map((width) => '-'.repeat(width)).join('  '), ...rows.map(line)].join('\n')}\n`);
}
