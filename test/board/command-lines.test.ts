import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import * as v from 'valibot';
import { commandLine, petImportLine, stockImportLine } from '../../src/board/state/changes/command-line.js';
import type { CallOptions } from '../../src/domain/call.js';
import { getBatch } from '../../src/domain/imports/get-batch.js';
import { exampleUndoableChange } from '../../src/domain/ledger/undoable-change.js';
import { contract } from '../../src/domain/operations.js';
import type { Shop } from '../../src/domain/shop.js';
import { runCommandLine, startTime } from '../support/cli.js';
import { stubSetup } from '../support/stub-setup.js';

/** What a command line asked of the shop. */
interface Asked {
  readonly id: string;
  readonly input: object;
  readonly note: string | undefined;
}

/** Thrown once the change is known. */
const enough = new Error('The change is known.');

/** A shop that answers reads with examples and keeps the first change. */
function recordingShop(asked: Asked[]): Shop {
  const record = (id: string, input: object, { note }: Pick<CallOptions, 'note'> = {}): Promise<never> => {
    asked.push({ id, input, note });
    return Promise.reject(enough);
  };
  const shop: Partial<Shop> = {
    call: (operation, input, options) => {
      if (operation.kind === 'write') return record(operation.id, input as object, options);
      const { text } = input as { readonly text?: string };
      // Every text names the pet of that id.
      const identified = { petId: Number(text), units: 1 };
      const answers: Readonly<Record<string, unknown>> = { listUndoable: [exampleUndoableChange], identifyPet: identified };
      const answer = answers[operation.id] ?? operation.example.answer;
      return Promise.resolve((operation.paged ? { items: [answer] } : answer) as never);
    },
    callEach: (operation, inputs, options) => record(operation.id, inputs[0] as object, options),
    undoBatch: (batchId, { allowShortage, note }) => record('undoBatch', { batchId, allowShortage }, { note }),
    importPets: (file, options) => record('importPets', { ...options, ...file }, options),
    importStock: (file, options) => record('importInventory', { ...options, ...file }, options),
    close: () => Promise.resolve(),
  };
  return shop as Shop;
}

/** The words of a command line as a shell reads them. */
function wordsIn(line: string): readonly string[] {
  return execFileSync('sh', ['-c', `printf '%s\\0' ${line}`], { encoding: 'utf8' })
    .split('\0')
    .slice(0, -1);
}

async function askedBy(line: string): Promise<Asked | undefined> {
  const asked: Asked[] = [];
  const [program, ...words] = wordsIn(line);
  expect(program).toBe('petstore');
  const environment = { PETSTORE_STORE: '/shop.db' };
  const setup = { ...stubSetup, open: async () => recordingShop(asked) };
  const around = { environment };
  await runCommandLine([...words, '--yes'], around, setup, () => Date.parse(startTime)).catch(() => undefined);
  return asked[0];
}

/** The input as the operation gets it: with its defaults, without options that only an import has. */
function normalized(id: string, input: object): unknown {
  const operation = contract.find((one) => one.id === id);
  if (operation === undefined) throw new Error(`There is no operation ${id}.`);
  const known = Object.entries(input).filter(([name]) => name in operation.input.entries);
  return v.parse(operation.input, Object.fromEntries(known));
}

/** A line of text that a shell would read in many other ways. */
const note = `it's "$HOME" \`id\` \\ * é\u{1f415}`;
const exampleBatchId = (getBatch.example.answer as { readonly id: number }).id;

const sale = { body: { petId: 7, quantity: 3, complete: true } } as const;
const shipDate = '2026-12-24T09:00:00.000Z';
const lines = {
  sale: ['placeOrder', sale, commandLine('placeOrder', sale)],
  'sale with a note': ['placeOrder', sale, commandLine('placeOrder', sale, note), note],
  order: ['placeOrder', { body: { petId: 7, quantity: 2, shipDate } }, commandLine('placeOrder', { body: { petId: 7, quantity: 2, shipDate } })],
  draft: ['placeOrder', { body: { quantity: 2 } }, commandLine('placeOrder', { body: { quantity: 2 } })],
  count: ['setInventory', { petId: 7, body: { quantity: 0 } }, commandLine('setInventory', { petId: 7, expected: 4, body: { quantity: 0 } })],
  'count below what is reserved': [
    'setInventory',
    { petId: 7, allowShortage: true, body: { quantity: 1 } },
    commandLine('setInventory', { petId: 7, allowShortage: true, body: { quantity: 1 } }),
  ],
  delivery: ['adjustInventory', { petId: 7, body: { delta: 12 } }, commandLine('adjustInventory', { petId: 7, body: { delta: 12 } }, note), note],
  'write-off': ['adjustInventory', { petId: 7, body: { delta: -2 } }, commandLine('adjustInventory', { petId: 7, body: { delta: -2 } })],
  'low level': ['setLowAt', { petId: 7, body: { lowAt: 3 } }, commandLine('setLowAt', { petId: 7, body: { lowAt: 3 } })],
  'no low level': ['setLowAt', { petId: 7, body: {} }, commandLine('setLowAt', { petId: 7, body: {} })],
  hold: ['holdPet', { petId: 7 }, commandLine('holdPet', { petId: 7 })],
  release: ['releasePet', { petId: 7 }, commandLine('releasePet', { petId: 7 })],
  completion: ['updateOrder', { orderId: 12, body: { complete: true } }, commandLine('updateOrder', { orderId: 12, body: { complete: true } })],
  reopening: ['updateOrder', { orderId: 12, body: { complete: false } }, commandLine('updateOrder', { orderId: 12, body: { complete: false } })],
  edit: [
    'updateOrder',
    { orderId: 12, body: { petId: 8, quantity: 3, shipDate } },
    commandLine('updateOrder', { orderId: 12, body: { petId: 8, quantity: 3, shipDate } }),
  ],
  'sale of several pets': [
    'placeOrder',
    sale,
    commandLine('callEach', { body: { operation: 'placeOrder', inputs: [sale, { body: { petId: 13, quantity: 2, complete: true } }] } }),
  ],
  'edit of a pet': [
    'updatePet',
    { petId: 7, body: { name: `Rex's "son"`, categoryId: 2 } },
    commandLine('updatePet', { petId: 7, body: { name: `Rex's "son"`, categoryId: 2 } }),
  ],
  'deletion of a pet': ['deletePet', { petId: 7 }, commandLine('deletePet', { petId: 7 })],
  'edit that removes the ship date': [
    'updateOrder',
    { orderId: 12, body: { shipDate: null } },
    commandLine('updateOrder', { orderId: 12, body: { shipDate: null } }),
  ],
  'start of a count': [
    'startCount',
    { body: { categoryIds: [1], q: `Rex's "son"`, low: true, blind: true, note } },
    commandLine('startCount', { body: { categoryIds: [1], q: `Rex's "son"`, low: true, blind: true, note } }),
    note,
  ],
  'close of a count': [
    'closeCount',
    { countId: 3, body: { missing: 'zero', mode: 'keep-going', allowShortage: true, note } },
    commandLine('closeCount', { countId: 3, body: { missing: 'zero', mode: 'keep-going', allowShortage: true, note } }),
    note,
  ],
  'close of a count without choices': [
    'closeCount',
    { countId: 3, body: { missing: 'keep', mode: 'atomic', allowShortage: false } },
    commandLine('closeCount', { countId: 3, body: { missing: 'keep', mode: 'atomic', allowShortage: false } }),
  ],
  'cancellation of a count': ['cancelCount', { countId: 3 }, commandLine('cancelCount', { countId: 3 })],
  cancellation: ['cancelOrder', { orderId: 12 }, commandLine('cancelOrder', { orderId: 12 })],
  'undo of an entry': ['undoEntry', { entryId: 1208 }, commandLine('undoEntry', { entryId: 1208 })],
  'undo of a change': [
    'undoLast',
    { body: { entryId: exampleUndoableChange.entryId } },
    commandLine('undoLast', { body: { entryId: exampleUndoableChange.entryId } }),
  ],
  'undo of the last change': ['undoLast', { body: {} }, commandLine('undoLast', { body: {} })],
  'undo of an import': [
    'undoBatch',
    { batchId: exampleBatchId, allowShortage: true },
    commandLine('undoBatch', { batchId: exampleBatchId, allowShortage: true }),
  ],
  'import of pets': [
    'importPets',
    { fileName: 'pets of may.csv', mode: 'keep-going', maxErrors: 5, createCategories: true },
    petImportLine('pets of may.csv', { mode: 'keep-going', maxErrors: 5, createCategories: true }),
  ],
  'import of a delivery': [
    'importInventory',
    { fileName: 'delivery.csv', dryRun: true, onStale: 'keep-difference', match: 'name', ignoreUnknown: true, encoding: 'latin1', note },
    stockImportLine('delivery.csv', { dryRun: true, onStale: 'keep-difference', match: 'name', ignoreUnknown: true, encoding: 'latin1', note }),
    note,
  ],
} as const satisfies Record<string, readonly [id: string, input: object, line: string, note?: string]>;

for (const [name, [id, input, line, expectedNote]] of Object.entries(lines)) {
  test(`the command line of this change makes it: ${name}`, async () => {
    const asked = await askedBy(line);
    expect(asked && { ...asked, input: normalized(asked.id, asked.input) }).toEqual({ id, input: normalized(id, input), note: expectedNote });
  });
}

test('a sale of several pets names each of them', () => {
  const inputs = [sale, { body: { petId: 13, quantity: 2, complete: true } }];
  expect(commandLine('callEach', { body: { operation: 'placeOrder', inputs } })).toBe('petstore sell 7x3 13x2');
});

test('a sale and a count are the short commands of the counter', () => {
  expect(commandLine('placeOrder', sale)).toBe('petstore sell 7 3');
  expect(commandLine('setInventory', { petId: 7, expected: 4, body: { quantity: 12 } })).toBe('petstore inventory set 7 12');
});

test('the command line of an import reads the file in the same way', async () => {
  const reading = { delimiter: '|', map: [['Ihre Menge', 'delta']], key: 'invoice 4711' } as const;
  expect((await askedBy(stockImportLine('Liste.txt', {}, reading)))?.input).toMatchObject({ ...reading, map: new Map(reading.map) });
  expect((await askedBy(petImportLine('Liste.txt', {}, reading)))?.input).toMatchObject({ ...reading, map: new Map(reading.map) });
});
