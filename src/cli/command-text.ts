import { quoted } from '../settings/shell-word.js';
import type { GlobalFlags, Settings } from '../settings/settings.js';

/** A command line of petstore as a shell reads it, from its words without "petstore". */
export function commandText(words: readonly string[]): string {
  return ['petstore', ...words.map(quoted)].join(' ');
}

/** The flags that name the shop of this command line, for another one; `where` is the address without its password. */
export function shopFlags({ store, profile }: GlobalFlags, { where }: Pick<Settings, 'where'>): readonly string[] {
  if (store !== undefined) return ['--store', where];
  if (profile === undefined) return [];
  return profile === false ? ['--no-profile'] : ['--profile', profile];
}

/** The words of a command with the flags that name the shop, without which they would mean the default shop. */
export function withShopFlags(words: readonly string[], globalFlags: GlobalFlags, settings: Pick<Settings, 'where'>): readonly string[] {
  if (words.includes('--store') || words.includes('--profile')) return words;
  const end = words.includes('--') ? words.indexOf('--') : words.length;
  return [...words.slice(0, end), ...shopFlags(globalFlags, settings), ...words.slice(end)];
}
