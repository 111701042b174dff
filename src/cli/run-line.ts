import { spawn, type ChildProcess, type SpawnOptions } from 'node:child_process';
import { once } from 'node:events';

/** The characters for which git runs a program with the shell (run-command.c). */
const forShell = /[|&;<>()$`\\"' \t\n*?[#~=%]/;

/** The exit code of a shell for a command that does not exist (POSIX). */
const notFound = 127;

const ignore = (): void => undefined;

/** Starts a program: directly if its words are plain, otherwise with the shell. `args` never go through the shell. */
function spawnLine(line: string, args: readonly string[], options: SpawnOptions): ChildProcess {
  const [file = '', ...words] = line.trim().split(/\s+/);
  if (![file, ...words].some((word) => forShell.test(word))) return spawn(file, [...words, ...args], options);
  if (args.length === 0) return spawn(line, { ...options, shell: true });
  return spawn('sh', ['-c', `${line} "$@"`, line, ...args], options);
}

interface Ending {
  readonly code: number | null;
  readonly signal: string | null;
}

interface RunOptions extends SpawnOptions {
  readonly args?: readonly string[];
  readonly onStarted?: (child: ChildProcess) => void;
}

/** Runs the program that a command line names until it is closed; undefined when it cannot be run. */
export async function runLine(line: string, { args = [], onStarted, ...options }: RunOptions): Promise<Ending | undefined> {
  // Ctrl-C is for the program. If petstore ended first, the program could not reset the terminal.
  process.on('SIGINT', ignore);
  try {
    const child = spawnLine(line, args, options);
    onStarted?.(child);
    await once(child, 'close');
    const { exitCode, signalCode } = child;
    return exitCode === notFound ? undefined : { code: exitCode, signal: signalCode };
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'EACCES') return undefined;
    throw error;
  } finally {
    process.off('SIGINT', ignore);
  }
}
