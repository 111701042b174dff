import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { isFullSize, soakMinutes, seed } from '../support/seeded-random.js';
import { commandLineAdapter } from '../support/adapters/command-line.js';
import type { AdapterKind } from '../support/adapters/adapter.js';
import { httpAdapter } from '../support/adapters/http.js';
import { operationsAdapter } from '../support/adapters/operations.js';
import { withTestShopOn, storeKinds, type StoreKind } from '../support/stores.js';
import { brokenInvariants } from '../support/invariants.js';
import { opening, steps, type Step } from '../support/reference-model/arbitraries.js';
import { emptyModel, reservedOf } from '../support/reference-model/shop.js';
import { runStep } from '../support/reference-model/run-step.js';
import { everyCommandOnce } from '../support/reference-model/every-command.js';

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

async function follow(home: StoreKind, door: AdapterKind, taken: readonly Step[], tally: Tally): Promise<void> {
  await withTestShopOn(home, async (scene) => {
    const opened = door.connect(scene);
    let model = emptyModel();
    for (const step of opening) model = await runStep(scene, opened, door, model, step);
    for (const step of taken) {
      const next = await runStep(scene, opened, door, model, step);
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

const property = (home: StoreKind, door: AdapterKind, tally: Tally) =>
  fc.asyncProperty(fc.array(steps, { maxLength: 80, size: 'max' }), (taken) => follow(home, door, taken, tally));

const places = storeKinds.flatMap((home) =>
  (home.served ? [httpAdapter, operationsAdapter, commandLineAdapter] : [operationsAdapter, commandLineAdapter]).map((door) => ({ home, door })),
);

for (const { home, door } of places) {
  // Whatever is behind a server was looked at without one; and each shop costs a database.
  const numRuns = home.name === 'SQLite' ? sequences : sequences / 2;
  const share = isFullSize ? (soakMinutes * minute) / places.length : 0;
  test(`random commands through ${door.name} follow the reference model (${home.name})`, { timeout: share + 10 * minute }, async () => {
    const tally: Tally = { sequences: 0, accepted: 0, others: 0, short: 0, done: new Set() };
    const until = performance.now() + share;
    // Each round has a seed of its own, so that what a long run finds is found at once by the seed it prints.
    for (let round = 0; round === 0 || performance.now() < until; round += 1) {
      await fc.assert(property(home, door, tally), {
        examples: [[[...everyCommandOnce]]],
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
    expect(everyCommandOnce.map(({ command }) => command.do).filter((verb) => !done.has(verb))).toEqual(door.unsupported);
  });
}
