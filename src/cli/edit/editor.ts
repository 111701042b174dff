import { once } from 'node:events';
import { StoreError } from '../../domain/errors.js';
import type { Environment } from '../../settings/settings.js';
import { spawnLine } from '../spawn-line.js';

const ignore = (): void => undefined;

/** The exit code of a shell for a command that does not exist (POSIX). */
const notFound = 127;

/** The command line of the editor: VISUAL, EDITOR, or vi. */
export function editorOf(environment: Environment): string {
  return [environment['VISUAL'], environment['EDITOR']].find((line) => line !== undefined && line.trim() !== '') ?? 'vi';
}

function missing(line: string): StoreError {
  return new StoreError('usage', `The editor "${line}" cannot be run.`, { advice: 'Set VISUAL or EDITOR to your editor.' });
}

/** Edits a file until the editor is closed. Answers how it failed, such as "ended with 1"; undefined if it did not. Refuses with `usage` if it cannot be run. */
export async function edit(line: string, path: string, environment: Environment): Promise<string | undefined> {
  // Ctrl-C is for the editor.
  process.on('SIGINT', ignore);
  try {
    const [code, signal]: readonly unknown[] = await once(spawnLine(line, [path], { stdio: 'inherit', env: { ...environment } }), 'close');
    if (code === 0) return undefined;
    if (code === notFound) throw missing(line);
    return typeof signal === 'string' ? `was stopped by ${signal}` : `ended with ${String(code)}`;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw code === 'ENOENT' || code === 'EACCES' ? missing(line) : error;
  } finally {
    process.off('SIGINT', ignore);
  }
}
