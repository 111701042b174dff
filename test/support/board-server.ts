import { existsSync } from 'node:fs';
import { ensureBuilt, environment, petstore, prepare, start } from './program.js';

/** A server of the built program for the tests of one file. */
export interface BoardServer {
  readonly address: string;
  readonly port: number;
  readonly stop: () => Promise<void>;
}

/** Serves a shop by the built program, on any port unless a flag sets it; fills a new shop with the sample. */
export async function boardServer(store: string, ...flags: readonly string[]): Promise<BoardServer> {
  await ensureBuilt();
  if (!existsSync(store)) await prepare(store, ['init', '--sample']);
  const where = flags.includes('--port') ? [] : ['--port', '0'];
  const { child, ended } = start(process.execPath, [petstore, 'serve', ...where, ...flags], environment(store));
  const address = await new Promise<string>((resolve, reject) => {
    child.stdout.once('data', (text: string) => resolve(text.trim()));
    void ended.then(({ stderr }) => reject(new Error(`The server ended: ${stderr}`)));
  });
  const stop = async (): Promise<void> => {
    child.kill('SIGTERM');
    await ended;
  };
  return { address, port: Number(new URL(address).port), stop };
}
