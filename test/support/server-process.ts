import { readFileSync } from 'node:fs';
import { onTestFinished } from 'vitest';
import { environment, petstore, start, type ProcessResult, type RunningProcess } from './program.js';

/** A server in another process. */
export interface ServerProcess extends RunningProcess {
  readonly address: string;
  readonly port: number;
}

/** Starts a server for a shop in another process, on any port unless a flag sets it, and waits for its address. It is stopped after the test. */
export function startServer(store: string, ...flags: readonly string[]): Promise<ServerProcess> {
  return startServerOf(petstore, store, ...flags);
}

/** The same with another build of the program, given by its path. */
export async function startServerOf(program: string, store: string, ...flags: readonly string[]): Promise<ServerProcess> {
  return startServerWith(environment(store), program, ...flags);
}

/** The same with other variables of the environment. */
export async function startServerWith(variables: ReturnType<typeof environment>, program: string, ...flags: readonly string[]): Promise<ServerProcess> {
  const where = flags.includes('--port') ? [] : ['--port', '0'];
  const running = start(process.execPath, [program, 'serve', ...where, ...flags], variables);
  onTestFinished(() => void running.child.kill('SIGKILL'));
  const address = await new Promise<string>((resolve, reject) => {
    running.child.stdout.once('data', (text: string) => resolve(text.trim()));
    void running.ended.then(({ stderr }) => reject(new Error(`The server ended: ${stderr}`)));
  });
  return { ...running, address, port: Number(new URL(address).port) };
}

interface Line {
  readonly msg: string;
  readonly [field: string]: unknown;
}

/** The log of a server as JSON objects. The last line of a killed server may be incomplete. */
export function logLinesOf({ stderr, signal }: ProcessResult): readonly Line[] {
  const lines = stderr.split('\n').filter((line) => line !== '');
  if (signal === 'SIGKILL' && !stderr.endsWith('\n')) lines.pop();
  return lines.map((line) => JSON.parse(line) as Line);
}

/** The peak resident memory of a server, in bytes, on Linux. */
export function peakMemory({ child }: ServerProcess): number {
  return Number(/^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))?.[1]) * 1024;
}
