import { uniformFloat64 } from 'pure-rand/distribution/uniformFloat64';
import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus';

/** Whether `npm run soak` runs, at any size: tests that `npm test` has no time for run too. */
export const isLongRun = process.env['PETSTORE_TEST_SIZE'] !== undefined;

/** Whether suites run at full size. */
export const isFullSize = process.env['PETSTORE_TEST_SIZE'] === 'full';

/** Whether scenarios run on every store, slow ones included. */
export const runsAllStores = process.env['PETSTORE_TEST_STORES'] === 'all' || isFullSize;

const defaultSeed = 20_261_121;

/**
 * The seed of random values: PETSTORE_TEST_SEED, or a new one at full size; suites print it with their results. Small
 * runs use the same seed each time, so a failure is caused by a change of the code.
 */
export const seed = Number(process.env['PETSTORE_TEST_SEED'] ?? (isFullSize ? Date.now() % 2 ** 31 : defaultSeed));

/** How long a suite without a natural end runs at full size, in minutes. */
export const soakMinutes = Number(process.env['PETSTORE_SOAK_MINUTES'] ?? 10);

/** A generator of numbers from 0 to below 1 from a seed. */
export function seededRandom(from: number): () => number {
  const generator = xoroshiro128plus(from);
  return () => uniformFloat64(generator);
}
