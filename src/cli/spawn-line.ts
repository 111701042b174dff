import { spawn, type ChildProcess, type SpawnOptions } from 'node:child_process';

/** The characters for which git runs a program with the shell (run-command.c). */
const forShell = /[|&;<>()$`\\"' \t\n*?[#~=%]/;

/** Starts a program named by a command line: directly if its words are plain, otherwise with the shell. `args` never go through the shell. */
export function spawnLine(line: string, args: readonly string[], options: SpawnOptions): ChildProcess {
  const [file = '', ...words] = line.trim().split(/\s+/);
  if (![file, ...words].some((word) => forShell.test(word))) return spawn(file, [...words, ...args], options);
  if (args.length === 0) return spawn(line, { ...options, shell: true });
  return spawn('sh', ['-c', `${line} "$@"`, line, ...args], options);
}
