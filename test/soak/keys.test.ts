import { join } from 'node:path';
import { expect, test } from 'vitest';
import { sql } from '../../src/storage/sql.js';
import { seededRandom, isFullSize, seed } from '../support/seeded-random.js';
import { withStore, storeProblems } from '../support/inspect-store.js';
import { addressOf, freshDatabase } from '../support/postgres.js';
import { prepare, runHosted } from '../support/program.js';
import { startServer } from '../support/server-process.js';
import { testFolder } from '../support/files.js';

const senders = isFullSize ? 8 : 3;
const rounds = isFullSize ? 40 : 2;
const repeats = isFullSize ? 6 : 3;
const folder = testFolder();

/** A POST request of a sender; its note contains the sender and the key. */
interface KeyedRequest {
  readonly sender: string;
  readonly key: string;
  readonly path: string;
  readonly type: string;
  readonly body: string;
  readonly note: string;
  readonly token: string;
}

interface Answer {
  readonly status: number;
  readonly code: string;
  readonly text: string;
  readonly replayed: boolean;
}

async function send(address: string, { key, path, type, body, note, token }: KeyedRequest): Promise<Answer> {
  const headers = {
    authorization: `Bearer ${token}`,
    'idempotency-key': key,
    'petstore-note': encodeURIComponent(note),
    ...(type !== '' && { 'content-type': type }),
  };
  const response = await fetch(`${address}${path}`, { method: 'POST', headers, ...(body !== '' && { body }) });
  const text = await response.text();
  const code = response.status < 400 ? '' : String((JSON.parse(text) as { readonly code: unknown }).code);
  return { status: response.status, code, text, replayed: response.headers.get('idempotency-replayed') === 'true' };
}

const json = 'application/json';
const csv = 'text/csv';
const line = (...lines: readonly string[]): string => lines.map((text) => `${text}\n`).join('');

/** The kinds of requests with a key. Their values are the same for all senders, so only the sender distinguishes them. */
const requestKinds: readonly ((round: number, undoable: number) => Pick<KeyedRequest, 'path' | 'type' | 'body'>)[] = [
  () => ({ path: '/store/orders', type: json, body: '{"petId":1,"quantity":1}' }),
  () => ({ path: '/store/inventory/2/adjustments', type: json, body: '{"delta":2}' }),
  () => ({ path: '/store/imports', type: csv, body: line('petId,delta', '3,1', '4,2') }),
  () => ({ path: '/pets/imports', type: csv, body: line('name,category', 'Rex,1') }),
  () => ({ path: '/store/calls', type: json, body: '{"operation":"adjustInventory","inputs":[{"petId":5,"body":{"delta":1}}]}' }),
  (_, undoable) => ({ path: `/store/imports/${undoable}/undo`, type: '', body: '' }),
];

interface Sender {
  readonly name: string;
  readonly token: string;
  /** Imports that only this sender undoes, one for each round. */
  readonly undoable: readonly number[];
}

async function tokenOf(store: string, name: string): Promise<string> {
  const { stdout } = await runHosted(store, ['token', 'create', name, '--scope', 'admin', '--json']);
  return /pst_[\w-]+/.exec(stdout)?.[0] ?? '';
}

/** A request of every sender with one key. The senders use the same kind in even rounds and different kinds in odd ones. */
function requestsOf(clients: readonly Sender[], round: number): readonly KeyedRequest[] {
  return clients.map(({ name, token, undoable }, index) => {
    const use = requestKinds[(round + (round % 2 === 0 ? 0 : index)) % requestKinds.length];
    if (use === undefined) throw new Error('There is always something to do.');
    const key = `round-${round}`;
    return { sender: name, token, key, note: `${name} ${key}`, ...use(round, undoable[round] ?? 0) };
  });
}

function shuffled<T>(all: readonly T[], random: () => number): readonly T[] {
  return all
    .map((one) => [random(), one] as const)
    .toSorted(([one], [other]) => one - other)
    .map(([, one]) => one);
}

/** The number of effects by note: orders, stock changes, created pets and undone imports. */
async function effects(store: string): Promise<ReadonlyMap<string, number>> {
  return withStore(store, async ({ rows }) => {
    const found = await rows<{ readonly note: string; readonly actor: string; readonly times: number }>(sql`SELECT note, actor, count(*) AS times FROM (
      SELECT note, actor FROM ledger WHERE batch_id IS NULL OR kind = 'undo' UNION ALL SELECT note, actor FROM batches WHERE state <> 'refused') AS e
      WHERE note LIKE '% round-%' GROUP BY note, actor`);
    for (const { note, actor } of found) expect(note.split(' ')[0]).toBe(actor);
    return new Map(found.map(({ note, times }) => [note, times]));
  });
}

/** Makes all senders use the same keys at the same time, repeat their requests, and use their keys for other requests. */
async function testSharedKeys(store: string): Promise<void> {
  await prepare(store, ['init', '--sample']);
  for (const pet of [1, 2, 3, 4, 5]) await prepare(store, ['inventory', 'adjust', String(pet), '+100000', '--yes']);
  const random = seededRandom(seed);
  const { address, child, ended } = await startServer(store);
  const clients: Sender[] = [];
  const first = await tokenOf(store, 'importer');
  for (let index = 0; index < senders; index += 1) {
    const [name, undoable] = [`till-${index}`, [] as number[]];
    const token = await tokenOf(store, name);
    for (let round = 0; round < rounds; round += 1) {
      const request = {
        sender: 'importer',
        key: `${name} ${round}`,
        path: '/store/imports',
        type: csv,
        body: line('petId,delta', '2,1'),
        note: 'to undo',
        token: first,
      };
      undoable.push((JSON.parse((await send(address, request)).text) as { readonly batch: number }).batch);
    }
    clients.push({ name, token, undoable });
  }
  const wanted: string[] = [];
  let misused = 0;
  let inProgress = 0;
  for (let round = 0; round < rounds; round += 1) {
    const requests = requestsOf(clients, round);
    wanted.push(...requests.map(({ note }) => note));
    // All senders at the same time: no request is refused, and each gets its own answer.
    const answers = await Promise.all(requests.map((request) => send(address, request)));
    expect(answers.map(({ status, code, replayed }) => [status < 300, code, replayed])).toEqual(requests.map(() => [true, '', false]));
    const again = shuffled(
      requests.flatMap((request, index) => Array.from({ length: repeats }, () => [request, answers[index]] as const)),
      random,
    );
    const others = requests.map((request, index) => {
      const use = requestKinds.find((one) => one(round, 1).path !== request.path && !request.path.endsWith('undo')) ?? requestKinds[0];
      return { ...request, ...use?.(round, clients[index]?.undoable[round] ?? 0), note: `${request.note} misused` };
    });
    const repeated = await Promise.all(again.map(async ([request, answer]) => [await send(address, request), answer] as const));
    const refused = await Promise.all(others.map((request) => send(address, request)));
    for (const [said, answer] of repeated) {
      if (said.code === 'idempotency_in_progress') inProgress += 1;
      else if (answer?.text.includes('"batch"') === true && said.text.includes('"earlier"'))
        expect([said.replayed, (JSON.parse(said.text) as { batch: number }).batch]).toEqual([true, (JSON.parse(answer.text) as { batch: number }).batch]);
      else expect([said.replayed, said.text]).toEqual([true, answer?.text]);
    }
    expect(refused.map(({ code }) => code)).toEqual(others.map(() => 'idempotency_key_reused'));
    misused += refused.length;
  }
  child.kill('SIGTERM');
  await ended;
  const found = await effects(store);
  expect([...found.keys()].toSorted()).toEqual(wanted.toSorted());
  expect([...found.values()].filter((times) => times !== 1)).toEqual([]);
  expect(await storeProblems(store)).toEqual([]);
  console.log(
    `${wanted.length} requests of ${senders} senders, each repeated ${repeats} times: each has one effect; ${misused} misuses refused, ${inProgress} answered as in progress (seed ${seed})`,
  );
}

test('senders that use the same keys at the same time get their own answers, and each effect happens once (SQLite)', { timeout: 600_000 }, () =>
  testSharedKeys(join(folder, 'keys.db')),
);

test.skipIf(addressOf('') === undefined)(
  'senders that use the same keys at the same time get their own answers, and each effect happens once (PostgreSQL)',
  { timeout: 600_000 },
  async () => {
    const { address, drop } = await freshDatabase(true);
    await testSharedKeys(address);
    await drop();
  },
);
