import { expect } from 'vitest';
import type { ErrorCode } from '../../src/domain/errors.js';
import { testOnEveryStore } from '../support/stores.js';
import { atomic, counts, csv, faults, file, keepGoing } from '../support/files.js';
import { expectRefusal } from '../support/expect-refusal.js';
import { onHand, createThreePets } from '../support/stock.js';

/** A cell and the quantity it is read as; undefined for invalid_quantity. */
const countCells: readonly (readonly [string, number | undefined])[] = [
  ['7', 7],
  [' 7 ', 7],
  ['007', 7],
  ['0', 0],
  ['-0', 0],
  ['2147483647', 2 ** 31 - 1],
  ['2147483648', undefined],
  ['99999999999999999999', undefined],
  ['-1', undefined],
  ['+7', undefined],
  ['', undefined],
  ['   ', undefined],
  ['1e3', undefined],
  ['"1,000"', undefined],
  ['1.0', undefined],
  ['1.5', undefined],
  ['0x10', undefined],
  ['=1+1', undefined],
  ['７', undefined],
  ['x', undefined],
  ['null', undefined],
  ['- 1', undefined],
];

const changeCells: readonly (readonly [string, number | undefined])[] = [
  ['5', 15],
  ['+5', 15],
  ['-5', 5],
  [' -05 ', 5],
  ['0', undefined],
  ['-0', undefined],
  ['+0', undefined],
  ['', undefined],
  ['--5', undefined],
  ['+-5', undefined],
  ['5-', undefined],
  ['−5', undefined],
  ['1e1', undefined],
  ['-2147483648', undefined],
  ['2147483648', undefined],
];

for (const [column, cells] of [
  ['quantity', countCells],
  ['delta', changeCells],
] as const) {
  testOnEveryStore(`a ${column} is a whole number of its range, and anything else never becomes 0`, async (shop) => {
    await shop.shop.importPets(csv('name,category,quantity', ...cells.map((_, index) => `Pet ${index},Fish,10`)), { ...atomic, createCategories: true });
    const report = await shop.shop.importStock(csv(`petId,${column}`, ...cells.map(([cell], index) => `${index + 1},${cell}`)), keepGoing);
    const refused = cells.flatMap(([, expected], index) => (expected === undefined ? [index + 1] : []));
    expect(faults(report)).toEqual(refused.map((petId) => `${petId + 1} invalid_quantity`));
    const details = refused.map((petId) => ({ petId, column, message: expect.stringContaining(`${column} "`) }));
    expect(report.errors).toMatchObject(details);
    expect(await onHand(shop)).toEqual(cells.map(([, expected]) => expected ?? 10));
  });
}

testOnEveryStore('a row refers to a pet only by its id', async (shop) => {
  await createThreePets(shop);
  const good = await shop.shop.importStock(csv('petId,quantity', ' 1 ,1', '002,2', '"3",3'), atomic);
  expect([good.applied, await onHand(shop)]).toEqual([3, [1, 2, 3]]);
  const bad = ['', '0', '-1', '+1', '1.0', '1e0', '#1', 'Rex', '１', '1 2'];
  const report = await shop.shop.importStock(csv('petId,quantity', ...bad.map((cell) => `${cell},5`)), keepGoing);
  expect(faults(report)).toEqual(bad.map((_, index) => `${index + 2} invalid_pet_id`));
  // An id above 2^53 is not rounded.
  const large = await shop.shop.importStock(csv('petId,quantity', '9007199254740993,5', '9223372036854775807,5'), keepGoing);
  expect(large.errors.map(({ code, message }) => `${code}: ${message}`).join()).toMatch(/unknown_pet: .*9007199254740993.*unknown_pet: .*9223372036854775807/);
});

testOnEveryStore('a number in JSON that would be rounded is refused with its digits', async (shop) => {
  await createThreePets(shop);
  const rows = [
    ['{"petId":9007199254740993,"quantity":5}', 'unknown_pet', 'petId', '9007199254740993'],
    ['{"petId":9223372036854775807,"quantity":5}', 'unknown_pet', 'petId', '9223372036854775807'],
    ['{"petId":9223372036854775808,"quantity":5}', 'invalid_pet_id', 'petId', '9223372036854775808'],
    ['{"petId":2.0000000000000001,"quantity":5}', 'invalid_pet_id', 'petId', '2.0000000000000001'],
    ['{"petId":2,"quantity":4.9999999999999999}', 'invalid_quantity', 'quantity', '4.9999999999999999'],
    ['{"petId":2,"quantity":9007199254740993}', 'invalid_quantity', 'quantity', '9007199254740993'],
    ['{"petId":2,"quantity":1e-400}', 'invalid_quantity', 'quantity', '1e-400'],
    ['{"petId":2,"quantity":5,"expected":1e400}', 'invalid_quantity', 'expected', '1e400'],
  ] as const;
  const texts = rows.map(([row]) => row);
  const contents = { ndjson: texts.join('\n'), json: `[${texts.join(',\n')}]` } as const;
  for (const format of ['ndjson', 'json'] as const) {
    const report = await shop.shop.importStock(file(contents[format], { format }), keepGoing);
    expect(report.errors.map(({ code, column, value }) => [code, column, value])).toEqual(rows.map(([, ...error]) => error));
    expect(report.errors.every(({ message, value = '' }) => message.includes(`"${value}"`))).toBe(true);
    expect(await onHand(shop)).toEqual([10, 10, 10]);
  }
  const kept = await shop.shop.importStock(file('{"petId":2.0,"quantity":4e0,"note":12345678901234567890}', { format: 'ndjson' }), atomic);
  expect([kept.applied, await onHand(shop)]).toEqual([1, [10, 4, 10]]);
});

testOnEveryStore('JSON numbers are read as numbers and JSON strings like cells', async (shop) => {
  await createThreePets(shop);
  const rows = [
    { petId: 1, quantity: 7.0 },
    { petId: '2', quantity: '8' },
    { petId: 3, quantity: 1.5 },
    { petId: 3, quantity: true },
    { petId: 3, quantity: null },
    { petId: 3 },
  ];
  const report = await shop.shop.importStock(file(rows.map((row) => JSON.stringify(row)).join('\n')), keepGoing);
  expect(faults(report)).toEqual(['3 invalid_quantity', '4 invalid_quantity', '5 invalid_quantity', '6 invalid_quantity']);
  expect(await onHand(shop)).toEqual([7, 8, 10]);
});

testOnEveryStore('several JSON rows on one line are separate rows', async (shop) => {
  await createThreePets(shop);
  const changes = '[{"petId":1,"delta":5},{"petId":77,"delta":1},{"petId":2,"delta":-11}]';
  const back: unknown[] = [];
  const send = () => shop.shop.importStock(file(changes), { ...keepGoing, onRejected: ({ code }, row) => void back.push([code, row?.original]) });
  expect(counts(await send())).toBe('3 total, 1 applied, 0 unchanged, 2 rejected, 0 already applied');
  expect(back).toEqual([
    ['unknown_pet', { petId: 77, delta: 1 }],
    ['out_of_stock', { petId: 2, delta: -11 }],
  ]);
  await shop.set(2, 20);
  expect(counts(await send())).toBe('3 total, 1 applied, 0 unchanged, 1 rejected, 1 already applied');
  expect(await onHand(shop)).toEqual([15, 9, 10]);
  const twice = await shop.shop.importStock(file('[{"petId":1,"quantity":5},{"petId":1,"quantity":7}]'), keepGoing);
  expect(faults(twice)).toEqual(['1 duplicate_row', '1 duplicate_row']);
});

testOnEveryStore('refuses a JSON file that mixes quantities and deltas in any order', async (shop) => {
  await createThreePets(shop);
  const count = '{"petId":1,"quantity":5}';
  for (const text of [`${count}\n{"petId":2,"delta":3}`, `{"petId":2,"delta":3}\n${count}`, '{"petId":1,"quantity":5,"delta":2}']) {
    await shop.expectRefusal('ambiguous_columns', () => shop.shop.importStock(file(text), keepGoing), /both a quantity and a delta/);
  }
});

testOnEveryStore('applies a JSON file of deltas once, also when its first row has no delta', async (shop) => {
  await createThreePets(shop);
  const send = () => shop.shop.importStock(file('{"petId":77}\n{"petId":1,"delta":5}'), keepGoing);
  expect(counts(await send())).toBe('2 total, 1 applied, 0 unchanged, 1 rejected, 0 already applied');
  await send();
  expect((await onHand(shop))[0]).toBe(15);
});

/** Files without readable rows. */
const unreadable: readonly (readonly [ErrorCode, string | Uint8Array, RegExp])[] = [
  ['empty_file', '', /empty/],
  ['not_utf8', Buffer.from([0x70, 0x0a, 0xff, 0xfe]), /Line 2 .*UTF-8/],
  ['malformed_csv', 'petId,quantity\n1,7\n2,\0\n', /Line 3/],
  ['malformed_json', '{"petId":1,"quantity":7}\n{"petId":', /Line 2/],
  ['missing_column', 'pet,quantity\n1,7\n', /petId/],
  ['missing_column', 'petId,expected\n1,7\n', /neither a quantity nor a delta/],
  ['unknown_column', 'petId,quantity,quantiy\n1,7,8\n', /quantiy/],
  ['duplicate_column', 'petId,quantity,quantity\n1,7,8\n', /quantity/],
  ['ambiguous_columns', 'petId,quantity,delta\n1,7,8\n', /both a quantity and a delta/],
];

testOnEveryStore('a file without readable rows is refused with its reason and leaves no batch', async (shop) => {
  await createThreePets(shop);
  for (const [code, content, says] of unreadable) await shop.expectRefusal(code, () => shop.shop.importStock(file(content), keepGoing), says);
});

testOnEveryStore('a syntax error at the end of a file is found before anything is applied', async (shop) => {
  await createThreePets(shop);
  const lines = Array.from({ length: 5000 }, (_, index) => `${(index % 3) + 1},+1`).join('\n');
  await shop.expectRefusal('malformed_csv', () => shop.shop.importStock(file(`petId,delta\n${lines}\n1,"1\n`, {}, 4096), keepGoing), /Line 5002/);
});

const presentButEmpty: readonly (readonly [record: string, code: ErrorCode, column: string])[] = [
  ['{"petId":1,"quantity":5,"expected":null}', 'invalid_quantity', 'expected'],
  ['{"petId":1,"quantity":5,"expected":""}', 'invalid_quantity', 'expected'],
  ['{"petId":1,"quantity":5,"expected":" "}', 'invalid_quantity', 'expected'],
  ['{"petId":1,"quantity":null}', 'invalid_quantity', 'quantity'],
  ['{"petId":1,"quantity":5,"note":null}', 'validation_failed', 'note'],
  ['{"petId":1,"quantity":5,"note":""}', 'validation_failed', 'note'],
];

testOnEveryStore('a JSON field that is present but empty is an error of its row', async (shop) => {
  await createThreePets(shop);
  for (const [record, code, column] of presentButEmpty) {
    for (const text of [`${record}\n`, `[${record}]`]) {
      const report = await shop.shop.importStock(file(text, { format: text.startsWith('[') ? 'json' : 'ndjson' }), keepGoing);
      expect([report.applied, report.errors]).toMatchObject([0, [{ line: 1, column, code, petId: 1 }]]);
    }
  }
  expect((await onHand(shop))[0]).toBe(10);
});

testOnEveryStore('an absent JSON field and an empty cell of an optional CSV column count as omitted', async (shop) => {
  await createThreePets(shop);
  expect(counts(await shop.shop.importStock(file('{"petId":1,"quantity":5}\n', { format: 'ndjson' }), atomic))).toMatch(/^1 total, 1 applied/);
  expect(counts(await shop.shop.importStock(csv('petId,quantity,expected,note', '1,6,,'), atomic))).toMatch(/^1 total, 1 applied/);
  expect((await onHand(shop))[0]).toBe(6);
});

testOnEveryStore('in a pet import, a JSON status or quantity that is present but empty is an error of its row', async (shop) => {
  await createThreePets(shop);
  const rows = ['{"name":"A","category":1,"status":null}', '{"name":"B","category":1,"status":""}', '{"name":"C","category":1,"quantity":null}'];
  const report = await shop.shop.importPets(file(`${rows.join('\n')}\n`, { format: 'ndjson' }), keepGoing);
  expect(report.errors.map(({ line, column, code }) => [line, column, code])).toEqual([
    [1, 'status', 'validation_failed'],
    [2, 'status', 'validation_failed'],
    [3, 'quantity', 'invalid_quantity'],
  ]);
});

testOnEveryStore('refuses a file with a record deeper than 64 levels before anything is applied', async (shop) => {
  await createThreePets(shop);
  const nested = (levels: number): string => `{"petId":1,"quantity":${'['.repeat(levels)}${']'.repeat(levels)}}`;
  expect(faults(await shop.shop.importStock(file(`${nested(63)}\n`, { format: 'ndjson' }), keepGoing))).toEqual(['1 invalid_quantity']);
  for (const levels of [64, 150_000]) {
    const bytes = file(`{"petId":2,"quantity":9}\n${nested(levels)}\n`, { format: 'ndjson' }, 1 << 16);
    await expectRefusal('malformed_json', shop.shop.importStock(bytes, { ...keepGoing, onRejected: () => undefined }), /is nested deeper than 64 levels/);
  }
  expect((await onHand(shop))[1]).toBe(10);
});
