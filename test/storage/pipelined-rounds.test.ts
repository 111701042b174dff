import { expect, test } from 'vitest';
import { keyed } from '../../src/storage/replay.js';
import type { WriteQueries, WriteWork } from '../../src/storage/queries.js';
import { sql, type Sql } from '../../src/storage/sql.js';
import { groupedWrites } from '../../src/storage/writes/grouped-writes.js';
import type { WritePort } from '../../src/storage/writes/write-port.js';

interface Write {
  readonly records?: readonly string[];
  readonly work: WriteWork<unknown>;
}

/**
 * Runs writes in one group against a stub that answers everything that was sent in one turn of the event loop together. Returns
 * the statements of each message with the ends of transactions, and the outcomes.
 */
async function messagesOf(
  writes: readonly Write[],
  { fails = () => false, newestAt = 0 }: { readonly fails?: (text: string) => boolean; readonly newestAt?: number } = {},
) {
  const messages: string[][] = [];
  let open: string[] | undefined;
  const note = (text: string): void => {
    if (open === undefined) {
      open = [];
      messages.push(open);
      setImmediate(() => (open = undefined));
    }
    open.push(text);
  };
  const send = async ({ text, values }: Sql): Promise<never> => {
    const filled = text.replace('?', String(values[0])).replace(' SAVEPOINT one', '').replace(' one', '');
    note(filled);
    await new Promise((resolve) => setImmediate(resolve));
    hasFailed = filled !== 'ROLLBACK TO' && (hasFailed || fails(filled));
    if (fails(filled)) throw new Error(`${filled} failed`);
    return { text } as never;
  };
  let at = newestAt;
  let hasFailed = false;
  const ids = { ledger: 0, orders: 0, pets: 0 };
  const queries: WriteQueries = {
    // No request was answered before.
    all: async (query) => [await send(query)].slice(1),
    rows: send,
    get: send,
    run: send,
    runAndCount: send,
    clock: { at: () => at, advanceTo: (now) => (at = now) },
  };
  const port: WritePort = {
    lock: async () => undefined,
    queries,
    pipeline: { takeId: (table) => (ids[table] += 1), withDeadline: (run) => run() },
    // As PostgreSQL, which ends a transaction with a failed statement only by a rollback.
    commit: async () => {
      if (hasFailed) throw new Error('The transaction has failed.');
      note('COMMIT');
    },
    rollback: async () => {
      hasFailed = false;
      note('ROLLBACK');
    },
    endsTransaction: () => false,
    isTransient: () => false,
    explain: (error) => error,
  };
  const write = groupedWrites(async () => port, 5);
  const outcomes = await Promise.allSettled(writes.map(({ work, records }, index) => write(work, { records, at: 1000 - index })));
  return { messages, outcomes: outcomes.map((one) => (one.status === 'fulfilled' ? one.value : (one.reason as Error).message)) };
}

const read = (petId: number): Sql => sql`SELECT ${petId}`;
const change = (petId: number): Sql => sql`UPDATE ${petId}`;

function sale(petId: number): Write {
  return {
    records: [`pet ${petId}`],
    work: async (queries) => {
      await queries.get(read(petId));
      await queries.run(change(petId));
      await queries.get(read(petId));
      return `sold ${petId}`;
    },
  };
}

test('writes of different records need two messages, whatever their number', async () => {
  const { messages, outcomes } = await messagesOf([1, 2, 3].map(sale));
  expect(messages).toEqual([['SELECT 1', 'SELECT 2', 'SELECT 3'], ['UPDATE 1', 'SELECT 1', 'UPDATE 2', 'SELECT 2', 'UPDATE 3', 'SELECT 3'], ['COMMIT']]);
  expect(outcomes).toEqual(['sold 1', 'sold 2', 'sold 3']);
});

test('a write under a key needs as many messages as one without', async () => {
  const { records = [], work } = sale(7);
  const request = { key: 'k', sender: { actor: 'ana' }, digest: 'd', now: 0 };
  const keyedWork = keyed(async (queries) => [await work(queries)], request, { readsFirst: true });
  const { messages, outcomes } = await messagesOf([{ records: [...records, 'key k'], work: keyedWork }]);
  const firstWords = messages.map((message) => message.map((text) => text.trim().split(/\s/)[0]));
  expect(firstWords).toEqual([
    ['SELECT', 'SELECT'],
    ['UPDATE', 'SELECT'],
    ['INSERT', 'COMMIT'],
  ]);
  expect(outcomes).toEqual([['sold 7']]);
});

test('a write begins when the earlier writes of its records have ended', async () => {
  const { messages } = await messagesOf([sale(7), sale(8), sale(7)]);
  expect(messages).toEqual([['SELECT 7', 'SELECT 8'], ['UPDATE 7', 'SELECT 7', 'UPDATE 8', 'SELECT 8'], ['SELECT 7'], ['UPDATE 7', 'SELECT 7'], ['COMMIT']]);
});

test('a write that does not name its records runs in a transaction without the others', async () => {
  const alone: Write = { work: (queries) => queries.get(sql`SELECT 9`) };
  const { messages } = await messagesOf([sale(1), alone, sale(2)]);
  expect(messages.flat().join(', ')).toBe('SELECT 1, UPDATE 1, SELECT 1, COMMIT, SELECT 9, COMMIT, SELECT 2, UPDATE 2, SELECT 2, COMMIT');
});

test('a write that is refused before its first change does not affect the others', async () => {
  const refused: Write = {
    records: ['pet 1'],
    work: async (queries) => {
      await queries.get(read(1));
      throw new Error('No.');
    },
  };
  const { messages, outcomes } = await messagesOf([refused, sale(2)]);
  expect([messages.flat().includes('ROLLBACK'), outcomes]).toEqual([false, ['No.', 'sold 2']]);
});

test('a write that is refused after its first change is rolled back alone', async () => {
  const refused: Write = {
    records: ['pet 1'],
    work: async (queries) => {
      await queries.run(change(1));
      throw new Error('No.');
    },
  };
  const { messages, outcomes } = await messagesOf([refused, sale(2)]);
  const statements = messages.flat();
  const again = ['UPDATE 1', 'ROLLBACK', 'SELECT 2', 'UPDATE 2', 'SELECT 2', 'COMMIT'];
  expect(statements.slice(statements.indexOf('ROLLBACK'))).toEqual(['ROLLBACK', ...again]);
  expect(outcomes).toEqual(['No.', 'sold 2']);
});

test('the ids of one write follow each other, or it runs again without others', async () => {
  const taking = (petId: number): Write => ({
    records: [`pet ${petId}`],
    work: async (queries) => {
      await queries.get(read(petId));
      const ids = [queries.clock.takeId?.('ledger'), queries.clock.takeId?.('ledger')];
      await queries.run(change(petId));
      return ids.join();
    },
  });
  expect((await messagesOf([taking(1), taking(2)])).outcomes).toEqual(['1,2', '3,4']);
  const interrupted: Write = {
    records: ['pet 3'],
    work: async (queries) => {
      const first = queries.clock.takeId?.('ledger');
      await queries.run(change(3));
      for (let turn = 0; turn < 2; turn += 1) await queries.get(read(3));
      return [first, queries.clock.takeId?.('ledger')].join();
    },
  };
  const { messages, outcomes } = await messagesOf([interrupted, taking(4)]);
  expect(messages.flat()).toContain('ROLLBACK');
  // In turn, the statements choose the ids.
  expect(outcomes).toEqual([',', ',']);
});

test('all writes of a group have one time, the latest of them and of the newest entry', async () => {
  const times: (number | undefined)[] = [];
  const noting = (petId: number): Write => ({ records: [`pet ${petId}`], work: async (queries) => void times.push(queries.clock.at()) });
  await messagesOf([noting(1), noting(2)]);
  expect(times.splice(0)).toEqual([1000, 1000]);
  // Never before the newest entry, which a server with another clock may have written.
  await messagesOf([noting(1), noting(2)], { newestAt: 5000 });
  expect(times).toEqual([5000, 5000]);
});

test('reads at the same time end in one turn', async () => {
  const both: Write = {
    records: ['pet 1'],
    work: async (queries) => {
      await Promise.all([queries.get(read(1)), queries.get(read(2))]);
      await queries.get(read(3));
      return 'read';
    },
  };
  const { messages, outcomes } = await messagesOf([both, sale(4)]);
  expect(messages[0]).toEqual(['SELECT 1', 'SELECT 2', 'SELECT 4']);
  expect(outcomes).toEqual(['read', 'sold 4']);
});
