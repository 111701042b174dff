/** The most levels of nesting in a JSON text from outside, and the most numbers in it that would be rounded: both bound the time of parsing. */
const maximumDepth = 64;
const maximumRounded = 1000;

/** A number that JSON.parse would round, with its digits instead. */
export interface RoundedNumber {
  readonly exactNumber: string;
}

/** A record with the digits of a number in its place, which every schema of a number refuses. */
export function roundedNumber(exactNumber: string): RoundedNumber {
  return { exactNumber };
}

/** The digits of a number that would have been rounded; undefined for any other value. */
export function roundedDigits(value: unknown): string | undefined {
  const { exactNumber } = (value ?? {}) as Partial<RoundedNumber>;
  return typeof exactNumber === 'string' && isRounded(exactNumber) ? exactNumber : undefined;
}

/** The most digits that every number keeps when it is parsed. */
const exactDigits = 15;

/** A decimal number without leading and trailing zeros: its digits, and the power of ten to multiply them by; undefined for a text that is not a JSON number. */
function decimalOf(number: string): { readonly digits: string; readonly exponent: number } | undefined {
  const [, whole, fraction = '', exponent = '0'] = /^-?(0|[1-9][0-9]*)(?:\.([0-9]+))?(?:[eE]([+-]?[0-9]+))?$/.exec(number) ?? [];
  if (whole === undefined) return undefined;
  const all = `${whole}${fraction}`;
  let end = all.length;
  while (end > 0 && all[end - 1] === '0') end -= 1;
  const digits = all.slice(0, end).replace(/^0+/, '');
  return { digits, exponent: digits === '' ? 0 : Number(exponent) - fraction.length + all.length - end };
}

/**
 * Whether a number in JSON becomes another whole number when it is parsed, or one beyond 2^53 − 1, which is printed with other
 * digits. A number that stays a fraction is not one of them: nothing here takes fractions.
 */
function isRounded(number: string): boolean {
  const value = Number(number);
  if (Number.isFinite(value) && !Number.isInteger(value)) return false;
  // An exponent may have made it 0.
  if ((value !== 0 || number === '0') && number.length <= exactDigits && Number.isSafeInteger(value)) return false;
  const written = decimalOf(number);
  if (written === undefined || !Number.isSafeInteger(value)) return written !== undefined;
  const read = decimalOf(String(value));
  return written.digits !== read?.digits || written.exponent !== read.exponent;
}

/** The index of the quote that ends a string, or the length of the text. */
function endOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end !== -1; end = text.indexOf('"', end + 1)) {
    let first = end;
    while (text[first - 1] === '\\') first -= 1;
    // A quote after an odd number of backslashes is a character of the string.
    if ((end - first) % 2 === 0) return end;
  }
  return text.length;
}

// What a number could consist of: JSON.parse refuses what is not one.
const numberCharacters = /-?[0-9][-+.0-9eE]*/y;

/** A text for JSON.parse, or why it is refused unparsed, worded as the end of a sentence. */
type ExactJson = { readonly exact: string; readonly problem?: undefined } | { readonly exact?: undefined; readonly problem: string };

/**
 * A JSON text in which the numbers that JSON.parse would round are replaced by the JSON of `replace`. Refuses deep nesting:
 * parsing takes long for it, and recursion over the value could exceed the call stack.
 */
export function exactJson(text: string, replace: (digits: string) => unknown): ExactJson {
  let depth = 0;
  const parts: string[] = [];
  let copied = 0;
  for (let at = 0; at < text.length; at += 1) {
    const character = text.charAt(at);
    if (character === '"') at = endOfString(text, at);
    else if (character === '{' || character === '[') {
      depth += 1;
      if (depth > maximumDepth) return { problem: `is nested deeper than ${maximumDepth} levels` };
    } else if (character === '}' || character === ']') depth -= 1;
    else if (character === '-' || (character >= '0' && character <= '9')) {
      numberCharacters.lastIndex = at;
      if (!numberCharacters.test(text)) continue;
      const end = numberCharacters.lastIndex;
      const number = text.slice(at, end);
      if (isRounded(number)) {
        if (parts.length === 2 * maximumRounded) return { problem: `has more than ${maximumRounded} numbers that are too large or have too many digits` };
        parts.push(text.slice(copied, at), JSON.stringify(replace(number)));
        copied = end;
      }
      at = end - 1;
    }
  }
  return { exact: copied === 0 ? text : parts.join('') + text.slice(copied) };
}
