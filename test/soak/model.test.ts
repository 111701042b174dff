import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { isFull, seed } from '../support/chance.js';
import { commandLine } from '../support/doors/command-line.js';
import type { DoorKind } from '../support/doors/door.js';
import { http } from '../support/doors/http.js';
import { theOperations } from '../support/doors/operations.js';
import { inScene, kinds, type Kind } from '../support/everywhere.js';
import { opening, steps, type Step } from '../support/model/arbitraries.js';
import { emptyModel, promisedOf } from '../support/model/shop.js';
import { take } from '../support/model/take.js';

const full = 20 * 60_000;
const small = 60_000;
const timeout = isFull ? full : small;

function runsOf({ name }: Kind): number {
  if (isFull) return name.endsWith('PostgreSQL') ? 400 : 1500;
  return name.endsWith('PostgreSQL') ? 8 : 16;
}

interface Tally {
  steps: number;
  accepted: number;
  refused: number;
  /** Steps after which some pet had more promised than on hand. */
  short: number;
}

async function follow(home: Kind, door: DoorKind, taken: readonly Step[], tally: Tally): Promise<void> {
  await inScene(home, async (scene) => {
    const opened = door.open(scene);
    let model = emptyModel();
    for (const step of opening) model = await take(scene, opened, door, model, step);
    for (const step of taken) {
      const next = await take(scene, opened, door, model, step);
      tally.steps += 1;
      if (next === model) tally.refused += 1;
      else tally.accepted += 1;
      if ([...next.pets].some(([id, { quantity }]) => quantity < promisedOf(next, id))) tally.short += 1;
      model = next;
    }
  });
}

for (const home of kinds) {
  for (const door of home.served ? [http, theOperations, commandLine] : [theOperations, commandLine]) {
    test(`whatever is asked through ${door.name}, a shop follows the rules (${home.name})`, { timeout }, async () => {
      const tally: Tally = { steps: 0, accepted: 0, refused: 0, short: 0 };
      const numRuns = runsOf(home);
      await fc.assert(
        fc.asyncProperty(fc.array(steps, { minLength: 1, maxLength: 80, size: 'max' }), (taken) => follow(home, door, taken, tally)),
        // Time is left to tell what was found.
        { numRuns, seed, interruptAfterTimeLimit: timeout * 0.8, markInterruptAsFailure: true },
      );
      console.log(
        `${door.name}, ${home.name}: ${numRuns} sequences, ${tally.steps} steps: ${tally.accepted} changed the shop, ${tally.refused} did not, ${tally.short} left a shortage (seed ${seed})`,
      );
      // A property over refusals alone would hold of a shop that refuses everything.
      expect(tally.accepted).toBeGreaterThan(5 * numRuns);
      expect(tally.short).toBeGreaterThan(numRuns / 6);
    });
  }
}
