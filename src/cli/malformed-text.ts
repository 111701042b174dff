import { isUtf8 } from 'node:buffer';
import { readFileSync } from 'node:fs';
import type { Environment } from '../settings/setting-table.js';

// Node replaces bytes that are not UTF-8 by this character, which is also a valid character of its own.
const replacement = '\u{fffd}';

/** The NUL-terminated entries of a file below /proc/self, as bytes; undefined on systems without it. */
function entriesOf(path: string): readonly Buffer[] | undefined {
  let content: Buffer;
  try {
    content = readFileSync(path);
  } catch {
    return undefined;
  }
  const entries: Buffer[] = [];
  for (let start = 0, end = content.indexOf(0); end >= 0; start = end + 1, end = content.indexOf(0, start)) entries.push(content.subarray(start, end));
  return entries;
}

function malformedArgument(argv: readonly string[]): string | undefined {
  if (!argv.some((word) => word.includes(replacement))) return undefined;
  const raw = entriesOf('/proc/self/cmdline')?.slice(-argv.length) ?? [];
  return argv.find((word, index) => word.includes(replacement) && !isUtf8(raw[index] ?? Buffer.of(0xff)));
}

function malformedVariable(environment: Environment): string | undefined {
  const suspects = Object.keys(environment).filter((name) => name.startsWith('PETSTORE_') && environment[name]?.includes(replacement) === true);
  if (suspects.length === 0) return undefined;
  const raw = entriesOf('/proc/self/environ') ?? [];
  return suspects.find((name) => !isUtf8(raw.find((entry) => entry.toString('latin1').startsWith(`${name}=`)) ?? Buffer.of(0xff)));
}

/**
 * The first argument, or PETSTORE_ variable, that is not UTF-8, as the subject of a sentence. On systems that do not show
 * the bytes, a text with U+FFFD is regarded as malformed.
 */
export function malformedText(argv: readonly string[], environment: Environment): string | undefined {
  const argument = malformedArgument(argv);
  if (argument !== undefined) return `The argument "${argument}"`;
  const variable = malformedVariable(environment);
  return variable === undefined ? undefined : `The variable ${variable}`;
}
