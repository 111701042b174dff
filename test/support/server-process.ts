import { onTestFinished } from 'vitest';
import { environment, petstore, start, type ProcessResult, type RunningProcess } from './program.js';

/** A server in a process of its own. */
export interface ServerProcess extends RunningProcess {
  readonly address: string;
  readonly port: number;
}

/** Serves a shop in a process of its own, at any port unless a flag says which, until it has said where; it does not outlive the test. */
export async function startServer(store: string, ...flags: readonly string[]): Promise<ServerProcess> {
  const where = flags.includes('--port') ? [] : ['--port', '0'];
  const { child, ended } = start(process.execPath, [petstore, 'serve', ...where, ...flags], environment(store));
  onTestFinished(() => void child.kill('SIGKILL'));
  const address = await new Promise<string>((resolve, reject) => {
    child.stdout.once('data', (text: string) => resolve(text.trim()));
    void ended.then(({ stderr }) => reject(new Error(`The server ended: ${stderr}`)));
  });
  return { child, ended, address, port: Number(new URL(address).port) };
}

interface Line {
  readonly msg: string;
  readonly [field: string]: unknown;
}

/** The log of a server, each line a JSON object. The last line of one that was killed may be cut. */
export function logLinesOf({ stderr, signal }: ProcessResult): readonly Line[] {
  const lines = stderr.split('\n').filter((line) => line !== '');
  if (signal === 'SIGKILL' && !stderr.endsWith('\n')) lines.pop();
  return lines.map((line) => JSON.parse(line) as Line);
}
