/** What stands on a command line up to the cursor: the words before the last one, and the last one as far as it was typed. */
export interface Line {
  readonly before: readonly string[];
  readonly last: string;
  /** The quotation mark that is open around the end of the last word. */
  readonly quote: '"' | "'" | undefined;
  /** How much of the last word stands before the part that bash replaces. */
  readonly kept: number;
}

/**
 * The words of a line as bash reads them, up to the cursor: quotes and backslashes are taken off and nothing is expanded
 * or run. `breaks` are the characters at which bash begins a new word to complete (COMP_WORDBREAKS).
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

/** A text as bash takes it for itself behind what stands there: within the open quotation mark, or without one. */
export function bashText(text: string, quote: Line['quote']): string {
  if (quote === "'") return text.replaceAll("'", String.raw`'\''`);
  // An exclamation mark means the history within double quotes, whatever stands before it.
  if (quote === '"') return text.replaceAll(/[$`"\\]/g, String.raw`\$&`).replaceAll('!', String.raw`"\!"`);
  return Array.from(text, (char) => (plain.test(char) ? char : `\\${char}`)).join('');
}
