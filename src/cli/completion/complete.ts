import { configPath, readConfig } from '../../settings/config-file.js';
import type { GlobalFlags } from '../../settings/setting-table.js';
import { readSettings } from '../../settings/settings.js';
import { type Setup, isShell } from '../program-setup.js';
import type { Io } from '../io.js';
import { sanitiseCell } from '../output/sanitise.js';
import { completionsFor, type Sources } from './candidates.js';
import type { Completions } from './completers.js';

/** A command line up to the cursor. */
export interface Line {
  readonly before: readonly string[];
  readonly last: string;
  /** The quotation mark that is still open at the end of the last word. */
  readonly quote: '"' | "'" | undefined;
  /** How many characters of the last word come before the part that bash replaces. */
  readonly kept: number;
}

/**
 * Splits a line into words as bash does: removes quotes and backslashes, expands and runs nothing. `breaks` are the
 * characters at which bash begins a new word to complete (COMP_WORDBREAKS).
 */
export function bashLine(line: string, breaks: string): Line {
  const before: string[] = [];
  let [last, kept] = ['', 0];
  let begun = false;
  let quote: Line['quote'];
  for (let index = 0; index < line.length; index += 1) {
    const char = line[index] ?? '';
    const next = line[index + 1];
    if (quote === undefined && /\s/.test(char)) {
      if (begun) before.push(last);
      [last, kept, begun] = ['', 0, false];
      continue;
    }
    begun = true;
    if (char === quote) quote = undefined;
    else if (quote === undefined && (char === '"' || char === "'")) [quote, kept] = [char, last.length];
    else if (char === '\\' && (quote === undefined || (quote === '"' && next !== undefined && '$`"\\'.includes(next)))) {
      last += next ?? '';
      index += 1;
    } else {
      last += char;
      if (quote === undefined && breaks.includes(char)) kept = last.length;
    }
  }
  return { before, last, quote, kept };
}

const plain = /^[\p{L}\p{M}\p{N}_%+=:,./@-]$/u;

/** A text escaped for bash, inside the open quotation mark if there is one. */
export function bashText(text: string, quote: Line['quote']): string {
  if (quote === "'") return text.replaceAll("'", String.raw`'\''`);
  // Within double quotes a backslash does not keep bash from expanding "!" from the history.
  if (quote === '"') return text.replaceAll(/[$`"\\]/g, String.raw`\$&`).replaceAll('!', String.raw`"\!"`);
  return Array.from(text, (char) => (plain.test(char) ? char : `\\${char}`)).join('');
}

function sourcesOf(setup: Setup, { environment }: Io): Sources {
  return {
    guide: setup.guide,
    profiles: () => [...readConfig(configPath(environment)).profiles.keys()],
    lookUp: async (noun, text, typed) => {
      const store = typed['--store']?.replace(/^~(?=\/)/, environment['HOME'] ?? '~');
      const profile = typed['--profile'];
      const flags: GlobalFlags = { ...(store !== undefined && { store }), ...(profile !== undefined && { profile }) };
      // The line is not complete yet: an invalid setting or a missing shop gives no candidates instead of an error.
      try {
        return await setup.lookUp(readSettings(flags, environment), noun, text);
      } catch {
        return [];
      }
    },
  };
}

function answer({ candidates, files = false, open = false }: Completions, written: (value: string) => string | undefined): string {
  const lines = candidates.flatMap(({ value, description = '' }) => {
    // A value with control or bidirectional characters is left out: without them it would name something else.
    const text = sanitiseCell(value) === value ? written(value) : undefined;
    return text === undefined ? [] : [`${text}\t${sanitiseCell(description)}\n`];
  });
  return `:${files ? 'files' : ''}${open ? 'open' : ''}\n${lines.join('')}`;
}

async function answerBash(breaks: string, typed: string, sources: Sources): Promise<string> {
  const { before, last, quote, kept } = bashLine(typed, breaks);
  const completions = await completionsFor(before.slice(1), last, sources);
  const start = last.slice(0, kept);
  return answer(completions, (value) => (value.startsWith(start) ? bashText(value.slice(kept), quote) : undefined));
}

/** Answers a shell that completes a line: `complete <shell> <words...>`. Errors are not reported. */
export async function complete([shell, ...words]: readonly string[], io: Io, setup: Setup): Promise<void> {
  if (!isShell(shell)) return;
  try {
    const sources = sourcesOf(setup, io);
    if (shell === 'bash') return await io.stdout.write(await answerBash(words[0] ?? '', words[1] ?? '', sources));
    const typed = words.at(-1) ?? '';
    // Fish passes the last word with its open quotation mark.
    const last = shell === 'fish' ? bashLine(typed, '').last : shell === 'powershell' ? typed.slice(0, -1) : typed;
    await io.stdout.write(answer(await completionsFor(words.slice(0, -1), last, sources), (value) => value));
  } catch {
    // An error message would be written into the line that is being typed.
  }
}
