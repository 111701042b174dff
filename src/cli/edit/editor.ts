import { StoreError } from '../../domain/errors.js';
import type { Environment } from '../../settings/setting-table.js';
import { system } from '../../system.js';
import { runLine } from '../run-line.js';

/** Editors that draw on a terminal; with flags, such as "vim -es", some work without one. */
const screenEditor = /^(?:\S*\/)?(?:vi|vim|nvim|nano|pico|micro|emacs|hx)$/;

/** The command line of the editor: VISUAL, EDITOR, or that of the system. Refuses with `input_required` an editor that needs a terminal where there is none. */
export function editorOf(environment: Environment, isInteractive: boolean): string {
  const named = [environment['VISUAL'], environment['EDITOR']].find((line) => line !== undefined && line.trim() !== '');
  if (isInteractive) return named ?? system.editor;
  if (named !== undefined && !screenEditor.test(named.trim())) return named;
  throw new StoreError('input_required', 'There is no terminal for the editor, and EDITOR does not name one that works without.', {
    advice: 'Set EDITOR to a program that changes the file that it gets.',
  });
}

/** Edits a file until the editor is closed. Answers how it failed, such as "ended with 1"; undefined if it did not. Refuses with `usage` if it cannot be run. */
export async function edit(line: string, path: string, environment: Environment): Promise<string | undefined> {
  const ended = await runLine(line, { args: [path], stdio: 'inherit', env: { ...environment } });
  if (ended === undefined) throw new StoreError('usage', `The editor "${line}" cannot be run.`, { advice: 'Set VISUAL or EDITOR to your editor.' });
  const { code, signal } = ended;
  if (code === 0) return undefined;
  return signal === null ? `ended with ${code}` : `was stopped by ${signal}`;
}
