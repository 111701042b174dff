import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { fieldEdits } from './support/added-fields.js';

interface Mutant {
  readonly description: string;
  readonly file: string;
  readonly from: string;
}

// The module is JavaScript, without types.
const module = './soak/mutants.js';
const { mutants } = (await import(module)) as { readonly mutants: readonly Mutant[] };

const occurrences = (file: string, text: string): number => readFileSync(new URL(`../${file}`, import.meta.url), 'utf8').split(text).length - 1;

// `npm run soak` applies these edits, rarely; these tests fail as soon as the code that an edit replaces has changed.
test.each(mutants)('the mutant "$description" can be applied', ({ file, from }) => {
  expect(occurrences(file, from)).toBe(1);
});

test.each(Object.entries(fieldEdits))('the steps of the recipe for a field can be applied to %s', (file, edits) => {
  expect(edits.filter(([from]) => occurrences(file, from) !== 1)).toEqual([]);
});
