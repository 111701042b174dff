import { expect, test } from 'vitest';
import type { Queries, Work } from '../../src/storage/queries.js';
import { nothingLocked, sideBySide } from '../../src/storage/postgres/side-by-side.js';
import { declared, sql, type Sql } from '../../src/storage/sql.js';

/** Runs writes against a stub that answers every message as a whole; returns the statements of each message, and the outcomes. */
async function messagesOf(
  works: readonly Work<unknown>[],
): Promise<{ readonly messages: readonly (readonly string[])[]; readonly outcomes: readonly unknown[] }> {
  const messages: string[][] = [];
  let open: string[] | undefined;
  const send = async ({ text, values }: Sql): Promise<never> => {
    if (open === undefined) {
      open = [];
      messages.push(open);
      setImmediate(() => (open = undefined));
    }
    open.push(text.replace('?', String(values[0])));
    await new Promise((resolve) => setImmediate(resolve));
    return { text } as never;
  };
  const queries: Queries = { all: send, rows: send, get: send, run: send, containsAnyOf: (text) => text, jsonRecord: undefined };
  const group = await sideBySide(works, queries, () => nothingLocked);
  group.begin();
  const { outcomes, sent } = await group.perform();
  await sent;
  return { messages, outcomes };
}

const read = (petId: number) => declared(sql`read ${petId}`, [`pet ${petId}`]);
const change = (petId: number) => declared(sql`change ${petId}`, [`pet ${petId}`]);

function sale(petId: number): Work<string> {
  return async (queries) => {
    await queries.get(read(petId));
    await queries.run(change(petId));
    await queries.get(read(petId));
    return `sold ${petId}`;
  };
}

test('writes for different pets need two messages, whatever their number', async () => {
  const { messages, outcomes } = await messagesOf([1, 2, 3].map(sale));
  expect(messages).toEqual([
    ['read 1', 'read 2', 'read 3'],
    ['change 1', 'read 1', 'change 2', 'read 2', 'change 3', 'read 3'],
  ]);
  expect(outcomes).toEqual([1, 2, 3].map((petId) => ({ value: `sold ${petId}` })));
});

test('writes for one pet need one message each, and share what they read', async () => {
  const { messages } = await messagesOf([7, 7, 7].map(sale));
  expect(messages).toEqual([['read 7'], ['change 7', 'read 7'], ['change 7', 'read 7'], ['change 7', 'read 7']]);
});

test('a write that is refused sends nothing', async () => {
  const refused: Work<unknown> = async (queries) => {
    await queries.get(read(1));
    await queries.run(change(1));
    throw new Error('No.');
  };
  const { messages, outcomes } = await messagesOf([refused, sale(1)]);
  expect(messages.flat()).not.toContain('change 2');
  expect(messages.flat().filter((text) => text === 'change 1')).toHaveLength(1);
  expect(outcomes).toEqual([{ error: new Error('No.') }, { value: 'sold 1' }]);
});

test('a write with a statement that is not declared runs alone', async () => {
  const undeclared: Work<unknown> = (queries) => queries.get(sql`SELECT 1`);
  const { messages, outcomes } = await messagesOf([undeclared, sale(2)]);
  expect([messages.flat().includes('SELECT 1'), outcomes]).toEqual([false, ['alone', { value: 'sold 2' }]]);
});

test('a write that goes on after its changes runs alone when another one has touched what it needs', async () => {
  const long: Work<unknown> = async (queries) => {
    await sale(1)(queries);
    await sale(2)(queries);
  };
  const { outcomes } = await messagesOf([long, sale(2)]);
  expect(outcomes).toEqual(['alone', 'later']);
  expect((await messagesOf([long, sale(3)])).outcomes).toEqual([{ value: undefined }, { value: 'sold 3' }]);
});

test('a read that the changes of a write do not affect is sent before them', async () => {
  const early: Work<unknown> = async (queries) => {
    await queries.get(read(1));
    await queries.run(change(1));
    await queries.get(read(5));
    await queries.run(change(1));
  };
  const { messages } = await messagesOf([early]);
  expect(messages).toEqual([['read 1'], ['read 5'], ['change 1', 'change 1']]);
});
