import { quoted } from '../settings/hint.js';
import type { GlobalFlags } from '../settings/setting-table.js';
import type { Settings } from '../settings/settings.js';
import type { Context } from './command.js';

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
  return words.includes('--store') || words.includes('--profile') ? words : withFlags(words, shopFlags(globalFlags, settings));
}

/** A command line for the shop of this one, to copy into a shell. */
export function commandForShop(words: readonly string[], { globalFlags, settings }: Pick<Context, 'globalFlags' | 'settings'>): string {
  return commandText(withShopFlags(words, globalFlags, settings));
}

/** A command line that was typed, to copy into a shell, without the password in the address of the store. */
export function lineText(words: readonly string[], settings: Pick<Settings, 'store' | 'where'> | undefined): string {
  return commandText(settings === undefined ? words : words.map((word) => word.replace(settings.store, () => settings.where)));
}

/** The words of a flag with a value; a value that begins with a dash is not read as another flag. */
export function flagWords(long: string, value: string): readonly string[] {
  return value.startsWith('-') ? [`--${long}=${value}`] : [`--${long}`, value];
}

/** A command line with more flags: before a `--`, which ends the flags, and before a --json at the end, which would take the next word as its value. */
export function withFlags(words: readonly string[], flags: readonly string[]): readonly string[] {
  const end = words.includes('--') ? words.indexOf('--') : words.length - (words.at(-1) === '--json' ? 1 : 0);
  return [...words.slice(0, end), ...flags, ...words.slice(end)];
}

/** A command line without a flag that takes a value. */
export function withoutFlag(words: readonly string[], flag: string): readonly string[] {
  return words.filter((word, index) => word !== flag && words[index - 1] !== flag && !word.startsWith(`${flag}=`));
}

/** A command line in which --json, which stands before a word, stands where no word follows that it could take as its value. */
export function withBareJson(argv: readonly string[], word: string | undefined): readonly string[] {
  const words = argv.toSpliced(
    argv.findIndex((one, index) => one === '--json' && argv[index + 1] === word),
    1,
  );
  const end = words.includes('--') ? words.indexOf('--') : words.length;
  return words.toSpliced(end, 0, '--json');
}
