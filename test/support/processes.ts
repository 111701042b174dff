import { build, type Plugin } from 'esbuild';
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** The result of a script. */
export interface ScriptResult {
  readonly exitCode: number | null;
  readonly output: string;
  readonly errors: string;
}

/** A change of one source file. */
export interface SourceMutation {
  /** The path of the file from the root of the project. */
  readonly file: string;
  /** The text to replace, which must occur once. */
  readonly from: string;
  readonly to: string;
}

/** Applies a change to the bundled source; fails if the text does not occur exactly once. */
function mutationPlugin({ file, from, to }: SourceMutation): Plugin {
  const path = join(root, file);
  const parts = readFileSync(path, 'utf8').split(from);
  if (parts.length !== 2) throw new Error(`${file} holds ${parts.length - 1} times: ${from}`);
  return {
    name: 'planting',
    setup: (bundling) => bundling.onLoad({ filter: /\.ts$/ }, ({ path: found }) => (found === path ? { contents: parts.join(to), loader: 'ts' } : undefined)),
  };
}

/** Bundles a script, with imports resolved from this folder, to run in other processes; returns its path. */
export async function bundle(directory: string, contents: string, mutation?: SourceMutation, name = 'script'): Promise<string> {
  const outfile = join(directory, `${name}.cjs`);
  await build({
    stdin: { contents, resolveDir: join(root, 'test/support'), loader: 'ts' },
    outfile,
    bundle: true,
    platform: 'node',
    target: 'node20',
    format: 'cjs',
    external: ['better-sqlite3', 'better-sqlite3-13'],
    // import() ignores NODE_PATH, which is needed to find the external packages.
    supported: { 'dynamic-import': false },
    logLevel: 'error',
    ...(mutation && { plugins: [mutationPlugin(mutation)] }),
  });
  return outfile;
}

/** Runs a bundled script. */
export function runScript(script: string, args: readonly string[]): Promise<ScriptResult> {
  const child = spawn(process.execPath, [script, ...args], {
    // The bundle is in a temporary directory and finds the external packages here.
    env: { PATH: process.env['PATH'], NODE_PATH: join(root, 'node_modules') },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let [output, errors] = ['', ''];
  child.stdout.setEncoding('utf8').on('data', (text: string) => (output += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (errors += text));
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (exitCode) => resolve({ exitCode, output, errors }));
  });
}
