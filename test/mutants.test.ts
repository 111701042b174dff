import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

interface Mutant {
  readonly description: string;
  readonly file: string;
  readonly from: string;
}

// The module is JavaScript, without types.
const module = './soak/mutants.js';
const { mutants } = (await import(module)) as { readonly mutants: readonly Mutant[] };

// `npm run soak -- --mutants` runs rarely; this test fails as soon as the code that a mutant replaces has changed.
test.each(mutants)('the mutant "$description" can be applied', ({ file, from }) => {
  expect(readFileSync(new URL(`../${file}`, import.meta.url), 'utf8').split(from)).toHaveLength(2);
});
