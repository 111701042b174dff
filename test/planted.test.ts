import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

interface PlantedFault {
  readonly says: string;
  readonly file: string;
  readonly from: string;
}

// The module is JavaScript, without types.
const module = './soak/planted.js';
const { plantedFaults } = (await import(module)) as { readonly plantedFaults: readonly PlantedFault[] };

// `npm run soak -- --planted` runs rarely; this notices at once when the code that a fault replaces has changed.
test.each(plantedFaults)('the fault "$says" can be planted', ({ file, from }) => {
  expect(readFileSync(new URL(`../${file}`, import.meta.url), 'utf8').split(from)).toHaveLength(2);
});
