import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import type { CommandResult } from './program.js';

/** A command for a host, with everything that a process of its own would get; its standard input is empty. */
export interface HostedCommand {
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** A process that runs commands of the built program, because most of the time of a short command is the start of Node. */
export interface CommandHost {
  /** Runs a command after those before it. */
  readonly run: (command: HostedCommand) => Promise<CommandResult>;
  readonly stop: () => void;
}

const script = fileURLToPath(new URL('run-commands.js', import.meta.url));

/** Starts a host, which ends with this process. With `merged` standard error is written to standard output, as by a shell with 2>&1. */
export function startCommandHost(merged = false): CommandHost {
  const words = ['-c', `exec "$0" "$1"${merged ? ' 2>&1' : ''}`, process.execPath, script];
  const child = spawn('sh', words, { env: {}, stdio: ['ignore', 'pipe', 'pipe', 'ipc'] });
  // A host does not keep this process from its end.
  child.unref();
  child.channel?.unref();
  const texts = ['', ''];
  let settled: (() => void) | undefined;
  const streams = [child.stdout, child.stderr];
  for (const [index, stream] of streams.entries()) {
    stream?.setEncoding('utf8').on('data', (text: string) => {
      texts[index] += text;
      settled?.();
    });
  }
  const ended = new Promise<never>((_, reject) => {
    child.on('error', reject).on('close', (code, signal) => reject(new Error(`The host of commands ended with ${signal ?? code}: ${texts.join('')}`)));
  });
  // It is awaited by the commands.
  ended.catch(() => undefined);
  const outputs = async (mark: string): Promise<readonly string[]> => {
    const isComplete = (): boolean => (merged ? texts[0]?.split(mark).length === 3 : texts.every((text) => text.endsWith(mark)));
    if (!isComplete()) await new Promise<void>((resolve) => (settled = () => isComplete() && resolve()));
    return texts.splice(0, 2, '', '').map((text) => text.replaceAll(mark, ''));
  };
  const runNext: CommandHost['run'] = async (command) => {
    const mark = `<${randomUUID()}>`;
    const exitCode = new Promise<number>((resolve) => child.once('message', (code) => resolve(Number(code))));
    child.send({ ...command, mark });
    const [code, [stdout = '', stderr = '']] = await Promise.race([Promise.all([exitCode, outputs(mark)]), ended]);
    return { exitCode: code, stdout, stderr };
  };
  let last: Promise<unknown> = Promise.resolve();
  return {
    run: (command) => {
      const result = last.then(() => runNext(command));
      last = result.catch(() => undefined);
      return result;
    },
    stop: () => void child.kill('SIGKILL'),
  };
}
