import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { isFull, minutes, seed } from '../support/chance.js';
import { commandLine } from '../support/doors/command-line.js';
import type { DoorKind } from '../support/doors/door.js';
import { http } from '../support/doors/http.js';
import { theOperations } from '../support/doors/operations.js';
import { inScene, kinds, type Kind } from '../support/everywhere.js';
import { brokenInvariants } from '../support/invariants.js';
import { opening, steps, type Step } from '../support/model/arbitraries.js';
import { emptyModel, reservedOf } from '../support/model/shop.js';
import { take } from '../support/model/take.js';
import { tour } from '../support/model/tour.js';

const minute = 60_000;
const sequences = 8;

interface Tally {
  sequences: number;
  accepted: number;
  /** Refused, only tried, or nothing this door has words for. */
  others: number;
  /** Steps after which some pet had more reserved than on hand. */
  short: number;
  /** What was accepted at least once. */
  readonly done: Set<string>;
}

async function follow(home: Kind, door: DoorKind, taken: readonly Step[], tally: Tally): Promise<void> {
  await inScene(home, async (scene) => {
    const opened = door.open(scene);
    let model = emptyModel();
    for (const step of opening) model = await take(scene, opened, door, model, step);
    for (const step of taken) {
      const next = await take(scene, opened, door, model, step);
      if (next === model) tally.others += 1;
      else {
        tally.accepted += 1;
        tally.done.add(step.command.do);
      }
      if ([...next.pets].some(([id, { quantity }]) => quantity < reservedOf(next, id))) tally.short += 1;
      model = next;
    }
    expect(await brokenInvariants(scene)).toEqual([]);
    tally.sequences += 1;
  });
}

const property = (home: Kind, door: DoorKind, tally: Tally) =>
  fc.asyncProperty(fc.array(steps, { maxLength: 80, size: 'max' }), (taken) => follow(home, door, taken, tally));

const places = kinds.flatMap((home) => (home.served ? [http, theOperations, commandLine] : [theOperations, commandLine]).map((door) => ({ home, door })));

for (const { home, door } of places) {
  // Whatever is behind a server was looked at without one; and each shop costs a database.
  const numRuns = home.name === 'SQLite' ? sequences : sequences / 2;
  const share = isFull ? (minutes * minute) / places.length : 0;
  test(`whatever is asked through ${door.name}, a shop follows the rules (${home.name})`, { timeout: share + 10 * minute }, async () => {
    const tally: Tally = { sequences: 0, accepted: 0, others: 0, short: 0, done: new Set() };
    const until = performance.now() + share;
    // Each round has a seed of its own, so that what a long run finds is found at once by the seed it prints.
    for (let round = 0; round === 0 || performance.now() < until; round += 1) {
      await fc.assert(property(home, door, tally), {
        examples: [[[...tour]]],
        numRuns,
        seed: seed + round,
        interruptAfterTimeLimit: share + 5 * minute,
        markInterruptAsFailure: true,
      });
    }
    const { accepted, others, short, done } = tally;
    console.log(
      `${door.name}, ${home.name}: ${tally.sequences} sequences, ${accepted} steps accepted and ${others} others, ${short} left a shortage (seed ${seed})`,
    );
    // A property over refusals alone would hold of a shop that refuses everything.
    expect(accepted).toBeGreaterThan(5 * tally.sequences);
    expect(short).toBeGreaterThan(0);
    expect(tour.map(({ command }) => command.do).filter((verb) => !done.has(verb))).toEqual(door.wordless);
  });
}
