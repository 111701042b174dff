import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { isFullSize, isLongRun, soakMinutes, seed } from '../support/seeded-random.js';
import { commandLineAdapter } from '../support/adapters/command-line.js';
import type { AdapterKind } from '../support/adapters/adapter.js';
import { httpAdapter } from '../support/adapters/http.js';
import { operationsAdapter } from '../support/adapters/operations.js';
import { withTestShopOn, storeKinds, type StoreKind } from '../support/stores.js';
import { brokenInvariants } from '../support/invariants.js';
import { opening, steps, type Step } from '../support/reference-model/arbitraries.js';
import { emptyModel, reservedOf } from '../support/reference-model/shop.js';
import { runStep } from '../support/reference-model/run-step.js';
import { everyCommandOnce, firstSequence } from '../support/reference-model/every-command.js';

const minute = 60_000;
const sequences = isFullSize ? 4 : 2;

interface Tally {
  sequences: number;
  accepted: number;
  /** Steps that were refused, dry runs, or not supported by the adapter. */
  others: number;
  /** Steps after which a pet had more units reserved than on hand. */
  short: number;
  /** The commands that were accepted at least once. */
  readonly done: Set<string>;
}

async function runSequence(storeKind: StoreKind, adapterKind: AdapterKind, taken: readonly Step[], tally: Tally): Promise<void> {
  await withTestShopOn(storeKind, async (shop) => {
    const adapter = adapterKind.connect(shop);
    let model = emptyModel();
    for (const step of opening) model = await runStep(shop, adapter, adapterKind, model, step);
    for (const step of taken) {
      const next = await runStep(shop, adapter, adapterKind, model, step);
      if (next === model) tally.others += 1;
      else {
        tally.accepted += 1;
        tally.done.add(step.command.do);
      }
      if ([...next.pets].some(([id, { quantity }]) => quantity < reservedOf(next, id))) tally.short += 1;
      model = next;
    }
    expect(await brokenInvariants(shop)).toEqual([]);
    tally.sequences += 1;
  });
}

const property = (storeKind: StoreKind, adapterKind: AdapterKind, tally: Tally) =>
  fc.asyncProperty(fc.array(steps, { maxLength: 80, size: 'max' }), (taken) => runSequence(storeKind, adapterKind, taken, tally));

const everyCombination = storeKinds.flatMap((storeKind) =>
  (storeKind.served ? [httpAdapter, operationsAdapter, commandLineAdapter] : [operationsAdapter, commandLineAdapter]).map((adapterKind) => ({
    storeKind,
    adapterKind,
  })),
);
/** `npm test` takes every way once and every kind of store at least once. */
const combinations = isLongRun
  ? everyCombination
  : everyCombination.filter(
      ({ storeKind, adapterKind }) => adapterKind === (storeKind.served ? httpAdapter : storeKind.name === 'SQLite' ? operationsAdapter : commandLineAdapter),
    );

for (const { storeKind, adapterKind } of combinations) {
  // Fewer sequences than on SQLite: servers use the same engines, and each PostgreSQL shop needs a database.
  const numRuns = storeKind.name === 'SQLite' ? sequences : sequences / 2;
  const share = isFullSize ? (soakMinutes * minute) / combinations.length : 0;
  test(`random commands through ${adapterKind.name} follow the reference model (${storeKind.name})`, { timeout: share + 10 * minute }, async () => {
    const tally: Tally = { sequences: 0, accepted: 0, others: 0, short: 0, done: new Set() };
    const until = performance.now() + share;
    // Each round has its own seed, so a failure of a long run can be repeated at once with the printed seed.
    for (let round = 0; round === 0 || performance.now() < until; round += 1) {
      await fc.assert(property(storeKind, adapterKind, tally), {
        examples: [[[...firstSequence]]],
        numRuns,
        seed: seed + round,
        interruptAfterTimeLimit: share + 5 * minute,
        markInterruptAsFailure: true,
      });
    }
    const { accepted, others, short, done } = tally;
    console.log(
      `${adapterKind.name}, ${storeKind.name}: ${tally.sequences} sequences, ${accepted} steps accepted, ${others} others, ${short} with a shortage (seed ${seed})`,
    );
    // Without this check a shop that refuses everything would pass.
    expect(accepted).toBeGreaterThan(5 * tally.sequences);
    expect(short).toBeGreaterThan(0);
    expect(everyCommandOnce.map(({ command }) => command.do).filter((verb) => !done.has(verb))).toEqual(adapterKind.unsupported);
  });
}
