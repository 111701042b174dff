import { isUtf8 } from 'node:buffer';
import { readFileSync } from 'node:fs';
import type { Environment } from '../settings/settings.js';

// What Node puts in the place of bytes that are not UTF-8; whoever means the character itself may type it.
const replacement = '\u{fffd}';

/** The entries of a file of /proc, as the system handed them to this process; undefined on other systems. */
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
 * The first argument, or variable of ours, that was given in bytes that are not UTF-8, as a subject of a sentence. Where
 * the system does not show the bytes, a text with U+FFFD counts as one.
 */
export function malformedText(argv: readonly string[], environment: Environment): string | undefined {
  const argument = malformedArgument(argv);
  if (argument !== undefined) return `The argument "${argument}"`;
  const variable = malformedVariable(environment);
  return variable === undefined ? undefined : `The variable ${variable}`;
}
