import { codePoints, normalizeText, safeText, textProblem } from '../values/text.js';

/** The most code points of the name of an imported file. */
export const longestFileName = 200;

/**
 * The name of a file without its folders, as it is stored with an import: without control characters, at most 200 code
 * points. Undefined for a path without a name.
 */
export function baseName(path: string | undefined): string | undefined {
  const name = normalizeText(safeText((path ?? '').split(/[/\\]/).findLast((part) => part !== '') ?? ''));
  const cut = codePoints(name) > longestFileName ? [...name].slice(0, longestFileName).join('').trimEnd() : name;
  return textProblem(cut, 1, longestFileName) === undefined ? cut : undefined;
}
