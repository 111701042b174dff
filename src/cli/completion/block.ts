import {
  accessSync,
  chmodSync,
  constants,
  chownSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { StoreError } from '../../domain/errors.js';
import type { Environment } from '../../settings/settings.js';
import type { Shell } from './shells.js';

/** A file that a shell reads when it starts, and the lines in it that are ours. */
export interface Place {
  readonly path: string;
  readonly lines: readonly string[];
}

const first = '# >>> petstore completion >>>';
const last = '# <<< petstore completion <<<';

/** The files of the shells, each where its users keep it; the script itself is read when the tab key is first pressed. */
export function placeOf(shell: Exclude<Shell, 'powershell'>, home: string, environment: Environment): Place {
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

/** The text of a file with our lines in it once, where they stood or at its end. */
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

/** The text of a file without our lines, and without the empty line that came with them. */
export function withoutBlock(text: string): string {
  return text.replaceAll(new RegExp(`(?:(?<=\\n)\\n)?${pattern}`, 'g'), '');
}

/** The text of a file, empty where there is none; byte by byte, because not every file is UTF-8. Refuses a link that leads nowhere, or to a device. */
export function textOf(path: string): string {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found?.isFile() === false) throw new StoreError('usage', `${path} is no file, so no lines can be kept in it.`);
  if (found) return readFileSync(path, 'latin1');
  if (lstatSync(path, { throwIfNoEntry: false }) === undefined) return '';
  throw new StoreError('usage', `${path} is a link to a file that is not there.`, { advice: 'Make that file first.' });
}

/**
 * Writes a file whole or not at all, with the owner and the permissions it had. Behind a link, as dotfiles often are, the
 * file it leads to is written and the link stays.
 */
export function replaceFile(path: string, text: string): void {
  try {
    mkdirSync(dirname(path), { recursive: true });
    replace(path, text);
  } catch (error) {
    const { code = 'unknown' } = error as NodeJS.ErrnoException;
    throw new StoreError('usage', `${path} cannot be written (${code}).`);
  }
}

function replace(path: string, text: string): void {
  const found = statSync(path, { throwIfNoEntry: false });
  const target = found ? realpathSync(path) : path;
  if (found) accessSync(target, constants.W_OK);
  const draft = join(dirname(target), `.${basename(target)}.petstore`);
  rmSync(draft, { force: true });
  try {
    writeFileSync(draft, text, { encoding: 'latin1', flag: 'wx' });
    if (found) {
      chownSync(draft, found.uid, found.gid);
      chmodSync(draft, found.mode & 0o7777);
    }
    renameSync(draft, target);
  } finally {
    rmSync(draft, { force: true });
  }
}

/** Removes a file that nothing is left in. */
export function removeFile(path: string): void {
  rmSync(path);
}
