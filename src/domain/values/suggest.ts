import { fold } from './text.js';

/** Longer words are not compared: the comparison takes quadratic time, and no name of ours is that long. */
const longestWord = 64;

/** The candidate that is most similar to a mistyped word, or undefined. Case, accents, spaces, "_" and "-" are ignored. */
export function nearest(word: string, candidates: readonly string[]): string | undefined {
  if (word.length > longestWord) return undefined;
  const wanted = plain(word);
  let best: string | undefined;
  let bestDistance = Math.max(1, Math.floor(wanted.length / 3)) + 1;
  for (const candidate of candidates) {
    if (candidate.length > longestWord) continue;
    const found = plain(candidate);
    const distance = editDistance(wanted, found);
    if (distance >= bestDistance || distance >= Math.max(wanted.length, found.length)) continue;
    best = candidate;
    bestDistance = distance;
  }
  return best;
}

/** The end of a sentence about an unknown word: a question with what may be meant, or a full stop. */
export function question(meant: string | undefined): string {
  return meant === undefined ? '.' : `; did you mean "${meant}"?`;
}

/** The end of a sentence about an unknown word: a question with the most similar candidate, or a full stop. */
export function didYouMean(word: string, candidates: readonly string[]): string {
  return question(nearest(word, candidates));
}

/**
 * The number of letters to insert, delete, replace or swap with their neighbour to turn one word into the other: the
 * optimal string alignment distance (restricted Damerau–Levenshtein).
 */
export function editDistance(left: string, right: string): number {
  let older: readonly number[] = [];
  let previous: readonly number[] = Array.from({ length: right.length + 1 }, (_, column) => column);
  for (let row = 1; row <= left.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= right.length; column += 1) {
      const same = left[row - 1] === right[column - 1];
      const swapped = row > 1 && column > 1 && left[row - 1] === right[column - 2] && left[row - 2] === right[column - 1];
      current.push(
        Math.min(
          at(previous, column) + 1,
          at(current, column - 1) + 1,
          at(previous, column - 1) + (same ? 0 : 1),
          swapped ? at(older, column - 2) + 1 : Infinity,
        ),
      );
    }
    older = previous;
    previous = current;
  }
  return at(previous, right.length);
}

function at(distances: readonly number[], index: number): number {
  return distances[index] ?? Infinity;
}

function plain(word: string): string {
  return fold(word).replaceAll(/[\s_-]/g, '');
}
