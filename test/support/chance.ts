import { uniformFloat64 } from 'pure-rand/distribution/uniformFloat64';
import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus';

/** The seed of what is drawn at random: PETSTORE_TEST_SEED, or a new one; suites print it with what they saw. */
export const seed = Number(process.env['PETSTORE_TEST_SEED'] ?? Date.now() % 2 ** 31);

/** Whether every suite runs at its full size. */
export const isFull = process.env['PETSTORE_TEST_SIZE'] === 'full';

/** How long a suite that could go on for ever does so at its full size, in minutes. */
export const minutes = Number(process.env['PETSTORE_SOAK_MINUTES'] ?? 10);

/** Numbers from 0 to below 1 that follow from a seed. */
export function chance(from: number): () => number {
  const generator = xoroshiro128plus(from);
  return () => uniformFloat64(generator);
}
