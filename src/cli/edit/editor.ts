import { StoreError } from '../../domain/errors.js';
import type { Environment } from '../../settings/settings.js';
import { runLine } from '../run-line.js';

/** The command line of the editor: VISUAL, EDITOR, or vi. */
export function editorOf(environment: Environment): string {
  return [environment['VISUAL'], environment['EDITOR']].find((line) => line !== undefined && line.trim() !== '') ?? 'vi';
}

/** Edits a file until the editor is closed. Answers how it failed, such as "ended with 1"; undefined if it did not. Refuses with `usage` if it cannot be run. */
export async function edit(line: string, path: string, environment: Environment): Promise<string | undefined> {
  const ended = await runLine(line, { args: [path], stdio: 'inherit', env: { ...environment } });
  if (ended === undefined) throw new StoreError('usage', `The editor "${line}" cannot be run.`, { advice: 'Set VISUAL or EDITOR to your editor.' });
  const { code, signal } = ended;
  if (code === 0) return undefined;
  return signal === null ? `ended with ${code}` : `was stopped by ${signal}`;
}
