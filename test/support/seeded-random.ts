import { uniformFloat64 } from 'pure-rand/distribution/uniformFloat64';
import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus';

/** Whether every suite runs at its full size. */
export const isFullSize = process.env['PETSTORE_TEST_SIZE'] === 'full';

const defaultSeed = 20_261_121;

/**
 * The seed of what is drawn at random: PETSTORE_TEST_SEED, or a new one at full size; suites print it with what they saw.
 * The small runs draw the same each time, so that a change is judged by what it changed.
 */
export const seed = Number(process.env['PETSTORE_TEST_SEED'] ?? (isFullSize ? Date.now() % 2 ** 31 : defaultSeed));

/** How long a suite that could go on for ever does so at its full size, in minutes. */
export const soakMinutes = Number(process.env['PETSTORE_SOAK_MINUTES'] ?? 10);

/** Numbers from 0 to below 1 that follow from a seed. */
export function seededRandom(from: number): () => number {
  const generator = xoroshiro128plus(from);
  return () => uniformFloat64(generator);
}
