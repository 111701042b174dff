import { expect, test } from 'vitest';
import { contract } from '../../src/domain/operations.js';
import type { OperationCall } from '../../src/board/state/server/operation-table.js';

interface BoardBuild {
  readonly maximumBytes: Readonly<Record<string, number>>;
  readonly checkSize: (files: readonly { readonly path: string; readonly gzip: Uint8Array }[]) => void;
  readonly operationTable: () => Promise<Readonly<Record<string, OperationCall>>>;
}

const { maximumBytes, checkSize, operationTable } = (await import(new URL('../../.config/build-board.js', import.meta.url).href)) as BoardBuild;

test('the build refuses a board that is larger than a phone should load', () => {
  const file = (path: string, bytes: number) => ({ path, gzip: new Uint8Array(bytes) });
  expect(maximumBytes).toEqual({ '.js': 61_440, '.css': 10_240 });
  checkSize([file('main.js', 61_000), file('more.js', 440), file('board.css', 10_240), file('icon.svg', 100_000)]);
  expect(() => checkSize([file('main.js', 61_000), file('more.js', 441)])).toThrow(
    'The .js files of the board have 61441 bytes with gzip; the maximum is 61440.',
  );
  expect(() => checkSize([file('board.css', 10_241)])).toThrow('.css');
});

test('the page knows every operation of the contract, as the contract has it', async () => {
  const table = await operationTable();
  expect(Object.entries(table).map(([id, { method, path }]) => `${id} ${method} ${path}`)).toEqual(
    contract.map(({ id, method, path }) => `${id} ${method} ${path}`),
  );
  expect(table['setInventory']).toMatchObject({
    method: 'PUT',
    path: '/store/inventory/{petId}',
    query: expect.arrayContaining(['allowShortage']),
    body: true,
  });
  expect(table['listInventory']?.query).toEqual(expect.arrayContaining(['limit', 'cursor', 'low', 'short', 'at', 'tz']));
  expect(table['getSummary']).toEqual({ method: 'GET', path: '/store/summary', query: ['tz', 'lists'], body: false, scope: 'store:read' });
});
