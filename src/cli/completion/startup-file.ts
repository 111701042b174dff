import { accessSync, constants, existsSync, lstatSync, mkdirSync, readFileSync, realpathSync, rmSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { StoreError } from '../../domain/errors.js';
import { replaceFile } from '../../settings/replace-file.js';
import type { Environment } from '../../settings/setting-table.js';
import type { Shell } from '../program-setup.js';

/** A file that a shell reads when it starts, and the lines that completion needs in it. */
export interface StartupFile {
  readonly path: string;
  readonly lines: readonly string[];
}

const first = '# >>> petstore completion >>>';
const last = '# <<< petstore completion <<<';

/** The start-up file of a shell and its lines. They load the completion script when the tab key is first pressed. */
export function startupFileOf(shell: Exclude<Shell, 'powershell'>, home: string, environment: Environment): StartupFile {
  if (shell === 'fish') {
    const folder = environment['XDG_CONFIG_HOME'] || join(home, '.config');
    return { path: join(folder, 'fish', 'completions', 'petstore.fish'), lines: ['petstore completion fish | source'] };
  }
  if (shell === 'zsh') {
    return {
      path: join(environment['ZDOTDIR'] || home, '.zshrc'),
      lines: [
        '(( $+functions[compdef] )) || { autoload -Uz compinit && compinit -i }',
        '_petstore() { unfunction _petstore; eval "$(petstore completion zsh)"; (( $+functions[_petstore] )) && _petstore "$@" }',
        'compdef _petstore petstore',
      ],
    };
  }
  return {
    path: join(home, '.bashrc'),
    lines: ['_petstore_first() { unset -f _petstore_first; eval "$(petstore completion bash)"; return 124; }', 'complete -F _petstore_first petstore'],
  };
}

const pattern = `(?<=^|\\n)${first}\\r?\\n(?:(?!# >>> )[^\\n]*\\n)*?${last}(?:\\r?\\n|$)`;

/** The text of a file with the lines in it once: in place of earlier ones, or at its end. */
export function withBlock(text: string, lines: readonly string[]): string {
  const ours = [first, ...lines, last, ''].join('\n');
  let placed = false;
  const replaced = text.replaceAll(new RegExp(pattern, 'g'), () => {
    const here = placed ? '' : ours;
    placed = true;
    return here;
  });
  if (placed) return replaced;
  const gap = text === '' ? '' : text.endsWith('\n') ? '\n' : '\n\n';
  return `${text}${gap}${ours}`;
}

/** The text of a file without the lines that `withBlock` added, and without the empty line before them. */
export function withoutBlock(text: string): string {
  return text.replaceAll(new RegExp(`(?:(?<=\\n)\\n)?${pattern}`, 'g'), '');
}

/** The bytes of a file as Latin-1, because it need not be UTF-8; empty if there is none. Refuses with `usage` a broken link or a device. */
export function textOf(path: string): string {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found?.isFile() === false) throw new StoreError('usage', `${path} is not a file, so no lines can be added to it.`);
  if (found) return readFileSync(path, 'latin1');
  if (lstatSync(path, { throwIfNoEntry: false }) === undefined) return '';
  throw new StoreError('usage', `${path} is a link to a file that does not exist.`, { advice: 'Create that file first.' });
}

/**
 * Writes the text of a file atomically, with the owner and the permissions it had; refuses with `usage` what cannot be written.
 * A link stays, as dotfiles often are links, and the file behind it is written.
 */
export function writeFile(path: string, text: string): void {
  try {
    mkdirSync(dirname(path), { recursive: true });
    const isThere = existsSync(path);
    const target = isThere ? realpathSync(path) : path;
    if (isThere) accessSync(target, constants.W_OK);
    const draft = join(dirname(target), `.${basename(target)}.petstore`);
    replaceFile(target, Buffer.from(text, 'latin1'), { draft, requireOwner: true });
  } catch (error) {
    const { code = 'unknown' } = error as NodeJS.ErrnoException;
    throw new StoreError('usage', `${path} cannot be written (${code}).`);
  }
}

/** Removes a file that is empty now. */
export function removeFile(path: string): void {
  rmSync(path);
}
