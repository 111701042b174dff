import type { GlobalFlags } from '../../settings/setting-table.js';
import type { Setup } from '../program-setup.js';
import type { Io } from '../io.js';
import { sanitiseCell } from '../output/sanitise.js';
import { completionsFor, type Sources } from './candidates.js';
import type { Completions } from './completers.js';
import { bashLine, bashText } from './bash-line.js';
import { isShell } from '../program-setup.js';

function sourcesOf(setup: Setup, { environment }: Io): Sources {
  return {
    guide: setup.guide,
    profiles: () => [...setup.configuration.read(environment).profiles.keys()],
    lookUp: async (noun, text, typed) => {
      const store = typed['--store']?.replace(/^~(?=\/)/, environment['HOME'] ?? '~');
      const profile = typed['--profile'];
      const flags: GlobalFlags = { ...(store !== undefined && { store }), ...(profile !== undefined && { profile }) };
      // The line is not complete yet: an invalid setting or a missing shop gives no candidates instead of an error.
      try {
        return await setup.lookUp(setup.settings(flags, environment), noun, text);
      } catch {
        return [];
      }
    },
  };
}

/** Whether a value has no control or bidirectional characters. Others are left out: without these characters they would name something else. */
function isSafe(value: string): boolean {
  return sanitiseCell(value) === value;
}

function answer({ candidates, files = false, open = false }: Completions, written: (value: string) => string | undefined): string {
  const lines = candidates.flatMap(({ value, description = '' }) => {
    const text = isSafe(value) ? written(value) : undefined;
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

/** The last word without its open quotation mark, with which fish passes it. */
function unquoted(word: string): string {
  return bashLine(word, '').last;
}

/** Answers a shell that completes a line: `complete <shell> <words...>`. Errors are not reported. */
export async function complete([shell, ...words]: readonly string[], io: Io, setup: Setup): Promise<void> {
  if (!isShell(shell)) return;
  try {
    const sources = sourcesOf(setup, io);
    if (shell === 'bash') return await io.stdout.write(await answerBash(words[0] ?? '', words[1] ?? '', sources));
    const typed = words.at(-1) ?? '';
    const last = shell === 'fish' ? unquoted(typed) : shell === 'powershell' ? typed.slice(0, -1) : typed;
    await io.stdout.write(answer(await completionsFor(words.slice(0, -1), last, sources), (value) => value));
  } catch {
    // An error message would be written into the line that is being typed.
  }
}
