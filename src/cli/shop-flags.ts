import { quoted } from '../domain/shell-word.js';
import type { GlobalFlags, Settings } from '../settings/settings.js';

/** A command line with the flags that named the shop, without which it would mean another shop; `where` is shown in place of a password. */
export function withShopFlags(line: string, { store, profile }: GlobalFlags, { where }: Pick<Settings, 'where'>): string {
  if (/ (--store|--profile) /.test(line) || (store === undefined && profile === undefined)) return line;
  const profileFlag = profile === false ? '--no-profile' : `--profile ${quoted(profile ?? '')}`;
  const flag = store === undefined ? profileFlag : `--store ${quoted(where)}`;
  return line.includes(' | ') ? line.replaceAll('petstore ', () => `petstore ${flag} `) : `${line} ${flag}`;
}
