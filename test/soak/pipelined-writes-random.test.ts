import * as fc from 'fast-check';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Shop } from '../../src/domain/shop.js';
import type { Engine } from '../../src/storage/engine.js';
import { sql } from '../../src/storage/sql.js';
import { openSqlite } from '../../src/storage/sqlite/engine.js';
import { addressOf } from '../support/postgres.js';
import { isFullSize, seed } from '../support/seeded-random.js';
import { inDirectory } from '../support/stores.js';
import { brokenRules } from '../support/invariants.js';
import { operationsAdapter } from '../support/adapters/operations.js';
import type { CommandRequest } from '../support/reference-model/apply-command.js';
import { steps } from '../support/reference-model/arbitraries.js';
import type { TestShop } from '../support/test-shop.js';
import { fill, shopOn, withEngines } from '../support/postgres-engines.js';

const tables = ['categories', 'pets', 'stock', 'settings', 'orders', 'ledger', 'replays'];

/** All rows, without the columns that only PostgreSQL has. */
async function rowsOf(engine: Engine): Promise<unknown> {
  return engine.read(async (queries) => {
    const all: unknown[] = [];
    for (const table of tables) {
      const rows = await queries.all<object>({ text: `SELECT * FROM ${table} ORDER BY 1, 2`, values: [] });
      all.push([table, rows.map((row) => ({ ...row, ...(table === 'stock' && { at_level: 0, shortage: 0 }) }))]);
    }
    return all;
  });
}

/** The commands of the reference model that more than one client may send in one group; those left out have batches or counts. */
const sent: ReadonlySet<string> = new Set([
  'edit category',
  'create pet',
  'edit pet',
  'delete pet',
  'hold',
  'release',
  'set',
  'adjust',
  'low at',
  'low default',
  'place',
  'edit order',
  'cancel',
  'several',
]);

/** Random requests. They have few pets and keys, so they conflict often. What has a key changes something, or its answer alone would be stored. */
function requestsOf(round: number): readonly CommandRequest[] {
  return fc
    .sample(steps, { numRuns: 120, seed: seed + round })
    .flatMap(({ command, dryRun, key }) =>
      command.do !== 'again' && command.do !== 'import again' && sent.has(command.do)
        ? [{ command, dryRun, key: command.do === 'place' ? key : undefined, ifMatch: undefined }]
        : [],
    );
}

/** Sends a request with a note; returns the answers of its operations, and the code of a refusal. */
async function answersOf(engine: Engine, request: CommandRequest, note: string): Promise<readonly unknown[]> {
  const shop = shopOn(engine);
  const answers: unknown[] = [];
  const kept = <T>(answer: T): T => (answers.push(answer), answer);
  const noted: Shop = {
    ...shop,
    call: async (operation, input, options) => kept(await shop.call(operation, input, { ...options, note })),
    callEach: async (operation, inputs, options) => kept(await shop.callEach(operation, inputs, { ...options, note })),
  };
  const outcome = await operationsAdapter.connect({ shop: noted } as TestShop).send(request);
  return [outcome, ...answers];
}

/** Sends requests at the same time, and returns those that changed something, in the order of the ledger, with their answers. */
async function sendAll(
  engines: readonly Engine[],
  requests: readonly CommandRequest[],
): Promise<readonly { readonly request: CommandRequest; readonly note: string; readonly answers: unknown }[]> {
  const answers = await Promise.all(requests.map((request, index) => answersOf(engines[index % engines.length] as Engine, request, `change ${index}`)));
  const entries = await engines[0]?.read((queries) =>
    queries.all<{ readonly note: string }>(sql`SELECT note FROM ledger WHERE note LIKE 'change %' GROUP BY note ORDER BY min(id)`),
  );
  return (entries ?? []).map(({ note }) => {
    const index = Number(note.split(' ')[1]);
    return { request: requests[index] as CommandRequest, note, answers: answers[index] };
  });
}

describe.skipIf(addressOf('') === undefined)('random writes at the same time on PostgreSQL', () => {
  for (const count of [1, 2]) {
    const rounds = isFullSize ? 100 : 1;
    test(
      `changes sent at the same time to ${count} processes give the answers and rows of the same changes one after the other`,
      { timeout: 600_000 },
      async () => {
        for (let round = 0; round < rounds; round += 1) {
          await withEngines(count, async (engines) => {
            const [engine] = engines as [Engine];
            await fill(engine);
            const changes = await sendAll(engines, requestsOf(count * rounds + round).slice(0, 40));
            expect(changes.length).toBeGreaterThan(5);
            expect(await brokenRules({ engine })).toEqual([]);
            await inDirectory(async (directory) => {
              const reference = await openSqlite(join(directory, 'shop.db'), { create: true, waitSeconds: 5 });
              await fill(reference);
              for (const { request, note, answers } of changes)
                expect(answers, `${note} of round ${round}, seed ${seed}`).toEqual(await answersOf(reference, request, note));
              expect(await rowsOf(engine)).toEqual(await rowsOf(reference));
              await reference.close();
            });
          });
        }
      },
    );
  }
});
