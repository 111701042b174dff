import { exitCodes } from '../../src/cli/exit-codes.js';
import { expect } from 'vitest';
import { type ErrorCode, errorStatuses } from '../../src/domain/errors.js';
import { localShop } from '../../src/storage/shop.js';
import { openSqlite } from '../../src/storage/sqlite/engine.js';
import { testInShop, startTime } from '../support/cli.js';
import { withServer, serverDependencies, type Sent } from '../support/server.js';

type Asked = readonly [method: string, url: string, body?: unknown];

const csv = (...lines: readonly string[]): string => `${lines.join('\n')}\n`;

/**
 * Refused requests in the shop of `testInShop`, on the command line and over HTTP. Dogs (1): Rex (1), Bella (2; 5 on
 * hand, 2 reserved for order 1); Cats (2): Whiskers (3, sold), Luna (5, on hold); Fish (3): Koi (4; 37). Order 2 is
 * complete, 3 a draft, 4 cancelled.
 */
const faults: readonly (readonly [code: ErrorCode, line: string, asked: Asked, file?: string])[] = [
  ['pet_not_found', 'pet view 77', ['GET', '/pets/77/details']],
  ['pet_not_found', 'pet delete 77 --yes', ['DELETE', '/pets/77']],
  ['pet_not_found', 'inventory set 77 1', ['PUT', '/store/inventory/77', { quantity: 1 }]],
  ['pet_not_found', 'pet view 9007199254740993', ['GET', '/pets/9007199254740993']],
  ['category_not_found', 'category view 77', ['GET', '/categories/77']],
  ['order_not_found', 'order view 77', ['GET', '/store/orders/77']],
  ['order_not_found', 'order view 4', ['GET', '/store/orders/4']],
  ['batch_not_found', 'inventory batch view 7', ['GET', '/store/imports/7']],
  ['entry_not_found', 'inventory undo --entry 777', ['POST', '/store/ledger/777/undo']],
  ['not_undoable', 'inventory undo --entry 1', ['POST', '/store/ledger/1/undo']],
  ['insufficient_stock', 'order place --pet 2 --quantity 4', ['POST', '/store/orders', { petId: 2, quantity: 4 }]],
  ['pet_on_hold', 'order place --pet 5', ['POST', '/store/orders', { petId: 5 }]],
  ['unknown_pet', 'order place --pet 77', ['POST', '/store/orders', { petId: 77 }]],
  ['unknown_category', 'pet create --name Max --category 77', ['POST', '/pets', { name: 'Max', categoryId: 77 }]],
  ['validation_failed', 'pet create --name " " --category 1', ['POST', '/pets', { name: ' ', categoryId: 1 }]],
  ['out_of_stock', 'inventory adjust 1 -5', ['POST', '/store/inventory/1/adjustments', { delta: -5 }]],
  ['stock_reserved', 'inventory set 2 1', ['PUT', '/store/inventory/2', { quantity: 1 }]],
  ['stock_reserved', 'inventory adjust 2 -4', ['POST', '/store/inventory/2/adjustments', { delta: -4 }]],
  ['stock_changed', 'inventory set 2 9 --expect 6', ['PUT', '/store/inventory/2?expected=6', { quantity: 9 }]],
  ['status_conflict', 'pet edit 2 --status sold', ['PATCH', '/pets/2', { status: 'sold' }]],
  ['status_conflict', 'pet edit 4 --status sold', ['PATCH', '/pets/4', { status: 'sold' }]],
  ['order_complete', 'order edit 2 --quantity 9', ['PATCH', '/store/orders/2', { quantity: 9 }]],
  ['order_complete', 'order cancel 2 --yes', ['DELETE', '/store/orders/2']],
  ['order_incomplete', 'order complete 3', ['PATCH', '/store/orders/3', { complete: true }]],
  ['pet_has_open_orders', 'pet delete 2 --yes', ['DELETE', '/pets/2']],
  ['pet_in_stock', 'pet delete 4 --yes', ['DELETE', '/pets/4']],
  ['category_in_use', 'category delete 1 --yes', ['DELETE', '/categories/1']],
  ['unknown_category', 'category delete 1 --move-to 77 --yes', ['DELETE', '/categories/1?moveTo=77']],
  ['unknown_column', 'inventory import FILE --yes', ['POST', '/store/imports'], csv('petId,colour', '1,2')],
  ['missing_column', 'inventory import FILE --yes', ['POST', '/store/imports'], csv('petId', '1')],
  ['malformed_csv', 'inventory import FILE --yes', ['POST', '/store/imports'], csv('petId,quantity', '1,"2')],
  ['empty_file', 'inventory import FILE --yes', ['POST', '/store/imports'], ''],
  ['missing_column', 'pet import FILE --yes', ['POST', '/pets/imports'], csv('name', 'Max')],
];

/** The message of a refusal, without the name of the file, which differs between the command line and HTTP. */
const sentence = ({ message }: { readonly message: string }): string => message.replace(/([Tt]he body|\S+\.csv)/, 'FILE');

testInShop('the command line and HTTP refuse the same input with the same code and message', async (cli) => {
  const engine = await openSqlite(cli.store, { waitSeconds: 5 });
  const clock = (): number => Date.parse(startTime);
  const dependencies = serverDependencies((actor) => localShop(engine, { actor, source: 'http', clock }, cli.store), clock, [], cli.path('.'));
  try {
    await withServer(dependencies, {}, async ({ http }) => {
      for (const [code, line, [method, url, body], file] of faults) {
        const path = cli.file('rows.csv', file ?? '');
        const { exitCode, stderr, stdout } = await cli.expectUnchanged(() => cli.petstore(`${line.replace('FILE', path)} --json`));
        const lines = stderr.trim().split('\n');
        const { error } = JSON.parse(lines.at(-1) ?? '') as { readonly error: { readonly code: string; readonly message: string; readonly status: number } };
        expect([line, error.code, error.status, exitCode, stdout]).toEqual([line, code, errorStatuses[code], exitCodes[code], '']);
        const sent: Sent = file === undefined ? { body } : { headers: { 'content-type': 'text/csv' }, body: file };
        const answer = await cli.expectUnchanged(() => http(method, url, sent));
        expect([method, url, answer.code, answer.status]).toEqual([method, url, code, errorStatuses[code]]);
        expect([line, sentence(answer.json())]).toEqual([line, sentence(error)]);
      }
    });
  } finally {
    await engine.close();
  }
});
