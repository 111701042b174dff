import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { get } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startCommandHost } from './command-host.js';
import { root } from './documents.js';

/** What a command did. */
export interface Ran {
  readonly exitCode: number | null;
  /** Standard output and standard error in the order of writing. */
  readonly output: string;
}

/** The words of a line that calls the program with literal arguments only; undefined for a line that a shell has to read. */
function literalWords(line: string): readonly string[] | undefined {
  if (!/^petstore(?: +(?:[\p{L}\d_./:=,@%+-]|'[^']*'|"[^"$`\\]*")+)* *$/u.test(line)) return undefined;
  const words = line.match(/(?:[^\s"']|'[^']*'|"[^"]*")+/g) ?? [];
  return words.slice(1).map((word) => word.replaceAll(/'([^']*)'|"([^"]*)"/g, '$1$2'));
}

/** The variables in the output of `export -p`. */
function exportedIn(output: string): Readonly<Record<string, string>> {
  return Object.fromEntries([...output.matchAll(/^export (\w+)=(['"])(.*)\2$/gm)].map(([, name = '', , value = '']) => [name, value]));
}

/** A shell that runs one line after the other, so exported variables and background processes are kept. */
export interface Session {
  readonly run: (line: string) => Promise<Ran>;
  /** Ends the shell and its background processes. */
  readonly end: () => void;
}

/** The status of the probe of a server, by its printed address. */
async function statusAt(address: string): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const asked = address.startsWith('/') ? { socketPath: address, path: '/livez', headers: { host: 'localhost' } } : new URL(`${address}/livez`);
    get(asked as URL, ({ statusCode }) => resolve(statusCode)).on('error', reject);
  });
}

/** Runs the examples of the documents with the built program as `petstore`. */
export interface DocumentShell {
  /** A temporary folder. */
  readonly folder: string;
  /** Runs a line in a folder, in a shell if it needs one. */
  readonly run: (line: string, folder: string, env?: Readonly<Record<string, string>>) => Promise<Ran>;
  readonly session: (folder: string) => Session;
  /** Starts a server, requests its probe, and stops it in any case. */
  readonly startAndStopServer: (line: string, folder: string) => Promise<Ran & { readonly alive: number | undefined }>;
  /** Removes the folder. */
  readonly stop: () => void;
}

/** Writes the program `petstore` into a new folder, and starts a process that runs commands. */
export function startDocumentShell(): DocumentShell {
  const temporary = mkdtempSync(join(tmpdir(), 'petstore-docs-'));
  const bin = join(temporary, 'bin');
  mkdirSync(bin);
  writeFileSync(join(bin, 'petstore'), `#!/bin/sh\nexec '${process.execPath}' '${root}bin/petstore.js' "$@"\n`);
  chmodSync(join(bin, 'petstore'), 0o755);
  // Runs commands that no shell has to read.
  const host = startCommandHost(true);
  /** The environment of the examples in a folder: the shop `shop.db` and the built program as `petstore`. */
  function environmentIn(folder: string): Readonly<Record<string, string>> {
    return {
      PATH: `${temporary}/bin:${process.env['PATH']}`,
      // An editor that changes nothing.
      EDITOR: 'true',
      HOME: folder,
      // Where the settings are; a process of many commands looks up the home folder once.
      XDG_CONFIG_HOME: join(folder, '.config'),
      PETSTORE_STORE: join(folder, 'shop.db'),
      PETSTORE_ACTOR: 'ana',
      TZ: 'UTC',
      NO_COLOR: '1',
    };
  }

  async function shell(line: string, folder: string, env = environmentIn(folder)): Promise<Ran> {
    const args = literalWords(line);
    if (args !== undefined) {
      const { exitCode, stdout: output } = await host.run({ args, cwd: folder, env });
      return { exitCode, output };
    }
    return new Promise((resolve, reject) => {
      const child = spawn('sh', ['-c', `{ ${line}\n} 2>&1`], { cwd: folder, env, stdio: ['ignore', 'pipe', 'inherit'] });
      let output = '';
      child.stdout.setEncoding('utf8').on('data', (text: string) => (output += text));
      child.on('error', reject).on('close', (exitCode) => resolve({ exitCode, output }));
    });
  }

  function session(folder: string): Session {
    const child = spawn('sh', [], { cwd: folder, env: environmentIn(folder), stdio: ['pipe', 'pipe', 'inherit'], detached: true });
    // If the test process ends, the shell reads the end of its input and stops its background processes.
    child.stdin.write("trap 'kill 0' EXIT\n");
    let heard = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => (heard += text));
    const inShell = async (line: string): Promise<Ran> => {
      heard = '';
      child.stdin.write(`{ ${line}\n} 2>&1 < /dev/null\nprintf '<ended with %d>' $?\n`);
      for (;;) {
        const [, before = '', exitCode, after = ''] = /^([^]*)<ended with (\d+)>([^]*)$/.exec(heard) ?? [];
        const output = before + after;
        // A background server prints its address.
        if (exitCode !== undefined && (!line.endsWith('&') || output.endsWith('\n'))) return { exitCode: Number(exitCode), output };
        await once(child.stdout, 'data');
      }
    };
    return {
      run: async (line) => (literalWords(line) === undefined ? inShell(line) : shell(line, folder, exportedIn((await inShell('export -p')).output))),
      end: () => {
        if (child.pid !== undefined && child.exitCode === null) process.kill(-child.pid);
      },
    };
  }

  async function startAndStopServer(line: string, folder: string): Promise<Ran & { readonly alive: number | undefined }> {
    const words = line.replaceAll('/srv/', `${folder}/`).split(' ').slice(1);
    // Replaces the port of the example by a free one, because tests run in parallel.
    const port = words.includes('--socket') ? [] : ['--port', '0'];
    const child = spawn(process.execPath, [join(root, 'bin/petstore.js'), ...words, ...port], { cwd: folder, env: environmentIn(folder), timeout: 30_000 });
    let [output, log] = ['', ''];
    child.stderr.setEncoding('utf8').on('data', (text: string) => (log += text));
    const closed = once(child, 'close');
    const listening = new Promise<void>((resolve) => {
      child.stdout.setEncoding('utf8').on('data', (text: string) => {
        output += text;
        if (output.endsWith('\n')) resolve();
      });
    });
    try {
      await Promise.race([listening, closed]);
      const alive = output === '' ? undefined : await statusAt(output.trim());
      child.kill('SIGTERM');
      await closed;
      return { alive, exitCode: child.exitCode, output: log };
    } finally {
      child.kill('SIGKILL');
    }
  }

  return {
    folder: temporary,
    run: shell,
    session,
    startAndStopServer,
    stop: () => {
      host.stop();
      rmSync(temporary, { recursive: true, force: true });
    },
  };
}
