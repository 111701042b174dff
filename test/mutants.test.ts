import { existsSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { fieldEdits } from './support/added-fields.js';

interface Mutant {
  readonly suite: string;
  readonly description: string;
  readonly file: string;
  readonly from: string;
}

// The modules are JavaScript, without types.
const [mutantsModule, machinesModule] = ['./soak/mutants.js', './soak/fresh-machine.js'] as const;
const { mutants } = (await import(mutantsModule)) as { readonly mutants: readonly Mutant[] };
const { handful } = (await import(machinesModule)) as { readonly handful: readonly string[] };

const occurrences = (file: string, text: string): number => readFileSync(new URL(`../${file}`, import.meta.url), 'utf8').split(text).length - 1;

// `npm run soak` applies these edits, rarely; these tests fail as soon as the code that an edit replaces has changed.
test.each(mutants)('the mutant "$description" can be applied', ({ file, from }) => {
  expect(occurrences(file, from)).toBe(1);
});

test('the files of tests that the mutants and the fresh machines run exist', () => {
  const files = [...handful, ...mutants.map(({ suite }) => `test/${suite.includes('/') ? '' : 'soak/'}${suite}.test.ts`)];
  expect(files.filter((file) => !existsSync(new URL(`../${file}`, import.meta.url)))).toEqual([]);
});

test.each(Object.entries(fieldEdits))('the steps of the recipe for a field can be applied to %s', (file, edits) => {
  expect(edits.filter(([from]) => occurrences(file, from) !== 1)).toEqual([]);
});
