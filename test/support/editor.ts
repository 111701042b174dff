import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'vitest';
import { dump } from './cli.js';
import type { CommandResult } from './program.js';

/** A folder for tests of a command that opens an editor: a shop, an editor that is a shell script, and the edited files that were kept. */
export interface EditorFolder {
  readonly folder: string;
  /** The path of the shop. */
  readonly store: string;
  /** Removes everything in the folder, or only the edited files that were kept. */
  readonly clear: (what: 'everything' | 'edited files') => void;
  readonly remove: () => void;
  /** The environment in which the editor runs a shell script; "$1" is the file. */
  readonly editorRuns: (script: string) => Readonly<Record<string, string>>;
  /** The texts of the edited files that were kept. */
  readonly keptFiles: () => readonly string[];
}

/** A new folder; `fileName` is the name of an edited file, such as stock.txt. */
export function editorFolder(fileName: string): EditorFolder {
  const folder = mkdtempSync(join(tmpdir(), 'petstore-editor-test-'));
  const editor = join(folder, 'editor');
  const edited = join(folder, 'edited');
  return {
    folder,
    store: join(folder, 'shop.db'),
    clear: (what) => {
      rmSync(what === 'everything' ? folder : edited, { recursive: true, force: true });
      mkdirSync(edited, { recursive: true });
    },
    remove: () => rmSync(folder, { recursive: true }),
    editorRuns: (script) => {
      writeFileSync(editor, `#!/bin/sh\n${script}\n`);
      chmodSync(editor, 0o700);
      return { VISUAL: editor, TMPDIR: edited };
    },
    keptFiles: () => {
      const names = readdirSync(edited, { recursive: true }).map(String);
      return names.filter((name) => name.endsWith(fileName)).map((name) => readFileSync(join(edited, name), 'utf8'));
    },
  };
}

/** Runs the command with an editor that runs a shell script. */
type Edit = (script: string) => Promise<CommandResult>;

/** Scripts of an editor that leave nothing to change: the file as it was, an empty one, and one with comments only. */
export const idleScripts = ['exit 0', ': > "$1"', 'sed -i \'/^ /d\' "$1"'];

/** Expects that the command changes nothing after each of the scripts, and says so. */
export async function expectNothingToChange({ store, keptFiles }: EditorFolder, edit: Edit, scripts: readonly string[]): Promise<void> {
  const before = dump(store);
  for (const script of scripts) {
    const { exitCode, stdout, stderr } = await edit(script);
    expect([script, exitCode, stdout, stderr]).toEqual([script, 0, '', expect.stringMatching(/nothing was changed\.\n$/)]);
  }
  expect([dump(store), keptFiles()]).toEqual([before, []]);
}

/** Expects that an editor that fails or is killed changes nothing, and that the line that was typed before it was killed is kept. */
export async function expectFailedEditorChangesNothing({ store, keptFiles }: EditorFolder, edit: Edit, line: string): Promise<void> {
  const before = dump(store);
  expect(await edit('exit 3')).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('ended with 3; nothing was changed.') });
  expect(keptFiles()).toEqual([]);
  const killed = await edit(`echo "${line}" > "$1"; kill -9 $$`);
  expect(killed).toMatchObject({ exitCode: 1, stderr: expect.stringMatching(/The edited file is kept at .*\.txt\.\nerror: .*was stopped by SIGKILL/) });
  expect([dump(store), keptFiles()]).toEqual([before, [`${line}\n`]]);
}
