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
