import { expect } from 'vitest';
import { runAll, done, testInShop, lines, refused, type CliFixture } from '../support/cli.js';

/** The first records of a noun with the same two fields, in every format. */
interface Sample {
  readonly list: string;
  readonly fields: string;
  readonly rows: readonly (readonly [string | number, string | number])[];
  readonly heads: readonly [string, string];
  readonly ids: readonly number[];
  /** The headings of the fields in a terminal. */
  readonly headings: readonly [string, string];
}

const samples: readonly Sample[] = [
  {
    list: 'pet list --category Dogs',
    fields: 'name,reserved',
    heads: ['name', 'reserved'],
    headings: ['Name', 'Reserved'],
    rows: [
      ['Rex', 0],
      ['Bella', 2],
    ],
    ids: [1, 2],
  },
  {
    list: 'category list --search d',
    fields: 'description,id',
    heads: ['description', 'id'],
    headings: ['Description', 'ID'],
    rows: [['All breeds', 1]],
    ids: [1],
  },
  {
    list: 'log --pet 4 --since 2026-11-20',
    fields: 'kind,id',
    heads: ['kind', 'id'],
    headings: ['Kind', 'ID'],
    rows: [
      ['order.placed', 13],
      ['sale', 14],
    ],
    ids: [13, 14],
  },
];

function table({ headings, rows }: Sample): string {
  const width = Math.max(headings[0].length, ...rows.map(([first]) => String(first).length));
  return lines(
    ...[headings, ...rows].map(
      ([first, second]) =>
        `${String(first).padEnd(width)}  ${String(second).padStart(Math.max(headings[1].length, ...rows.map((row) => String(row[1]).length)))}`,
    ),
  );
}

for (const sample of samples) {
  const { list, fields, heads, rows, ids } = sample;
  const records = rows.map((row) => JSON.stringify({ [heads[0]]: row[0], [heads[1]]: row[1] }));
  const texts: Readonly<Record<string, string>> = {
    table: table(sample),
    tsv: lines(...rows.map((row) => row.join('\t'))),
    csv: lines(heads.join(','), ...rows.map((row) => row.join(','))),
    json: `[\n${records.join(',\n')}\n]\n`,
    ndjson: lines(...records),
    ids: lines(...ids.map(String)),
    count: `${rows.length}\n`,
  };
  testInShop(`${list}: prints every format, with fields, in a pipe and in a terminal`, async ({ petstore }) => {
    for (const [format, text] of Object.entries(texts)) {
      expect([format, await petstore(`${list} --format ${format} --fields ${fields}`)]).toEqual([format, done(text)]);
      expect([format, await petstore(`${list} --fields=${fields} --format=${format}`, { terminal: 80 })]).toEqual([format, done(text)]);
      expect([format, await petstore(`${list} --fields ${fields}`, { environment: { PETSTORE_FORMAT: format } })]).toEqual([format, done(text)]);
    }
    expect(await petstore(`${list} --json ${fields}`)).toEqual(done(texts['json'] ?? ''));
  });
}

testInShop('--format overrides PETSTORE_FORMAT, and --json overrides both', async ({ petstore }) => {
  const environment = { PETSTORE_FORMAT: 'json' };
  expect(await petstore('pet list --format ids -L 1', { environment })).toEqual(done('1\n'));
  expect(await petstore('pet list -L 1 --json id', { environment: { PETSTORE_FORMAT: 'csv' } })).toEqual(done('[\n{"id":1}\n]\n'));
});

testInShop('a field without a value is omitted in JSON and empty in other formats', async ({ petstore }) => {
  expect(await petstore('category list --json id,description')).toEqual(done(lines('[', '{"id":1,"description":"All breeds"},', '{"id":2},', '{"id":3}', ']')));
  expect(await petstore('category view 2 --json id,description')).toEqual(done('{\n  "id": 2\n}\n'));
  expect(await petstore('category list --format csv --fields description,id')).toEqual(done(lines('description,id', 'All breeds,1', ',2', ',3')));
});

const emptyLists = [
  'pet list --search nobody',
  'category list --search nothing',
  'order list --pet 5',
  'inventory list --short',
  'inventory batch list',
  'log --actor nobody',
];

for (const list of emptyLists) {
  testInShop(`${list}: an empty result is a success`, async ({ petstore }) => {
    expect(await petstore(list, { terminal: 80 })).toEqual(done('', 'Nothing found.\n'));
    expect(await petstore(`${list} --quiet`, { terminal: 80 })).toEqual(done(''));
    expect(await petstore(list)).toEqual(done(''));
    expect(await petstore(`${list} --json`)).toEqual(done('[]\n'));
    expect(await petstore(`${list} --format ndjson`)).toEqual(done(''));
    expect(await petstore(`${list} --format ids`)).toEqual(done(''));
    expect(await petstore(`${list} --format count`)).toEqual(done('0\n'));
    expect((await petstore(`${list} --format csv`)).stdout).toMatch(/^[a-zA-Z,]+\n$/);
  });
}

testInShop('TSV escapes line breaks and tabs, CSV quotes them', async (cli) => {
  nameWith(cli, 'A\tB\nC\rD\\E"F,G');
  expect(await cli.petstore('pet list -L 1 --fields id,name')).toEqual(done('1\tA\\tB\\nC\\rD\\\\E"F,G\n'));
  expect(await cli.petstore('pet list -L 1 --fields id,name --format csv')).toEqual(done('id,name\n1,"A\tB\nC\rD\\E""F,G"\n'));
  expect(await cli.petstore('pet list -L 1 --json id,name')).toEqual(done('[\n{"id":1,"name":"A\\tB\\nC\\rD\\\\E\\"F,G"}\n]\n'));
});

function nameWith({ sql }: CliFixture, name: string): void {
  sql('UPDATE pets SET name = ? WHERE id = 1', name);
}

const changes = ['pet edit 1 --name Max', 'category edit 1 --name Hounds', 'order edit 1 --quantity 3', 'inventory set 1 3'];
const answers: Readonly<Record<string, readonly string[]>> = {
  tsv: ['1\tMax\tDogs\tavailable\t1', '1\tHounds\t2\tAll breeds', '1\t2\tBella\t3\t2026-12-24T09:00:00.000Z\topen', '1\tMax\t3\t0\t3\tavailable'],
  ids: ['1', '1', '1', '1'],
  count: ['1', '1', '1', '1'],
  ndjson: [
    '{"id":1,"name":"Max","categoryId":1,"status":"available"}',
    '{"id":1,"name":"Hounds","description":"All breeds"}',
    '{"id":1,"petId":2,"quantity":3,"shipDate":"2026-12-24T09:00:00.000Z","complete":false}',
    '{"petId":1,"quantity":3,"status":"available","reserved":0,"available":3}',
  ],
};

for (const [format, expected] of Object.entries(answers)) {
  testInShop(`a change prints its record in ${format}`, async ({ petstore }) => {
    for (const [index, change] of changes.entries()) {
      expect([change, await petstore(`${change} --format ${format}`)]).toEqual([change, done(`${expected[index]}\n`)]);
    }
  });
}

testInShop('status, init and the imports refuse an unknown field', async ({ petstore }) => {
  for (const line of ['status --format table', 'init', 'inventory import -', 'pet import -']) {
    const { exitCode } = await petstore(`${line} --fields nope`, { stdin: line.startsWith('pet') ? 'name,category\nMax,Dogs\n' : 'petId,quantity\n1,1\n' });
    expect([line, exitCode]).toEqual([line, 2]);
  }
});

testInShop('status prints a format or refuses it', async ({ petstore }) => {
  for (const format of ['ids', 'count']) {
    expect(await petstore(`status --format ${format}`)).toEqual(refused(2, `error: status has no format ${format}.`, 'hint: petstore pet list --format count'));
  }
  expect((await petstore('status --fields figure,value')).stdout).toMatch(/^store\t.*\ncategories\t3\n/);
  expect((await petstore('status --json value,figure')).stdout).toContain('{"value":3,"figure":"categories"},\n');
  expect((await petstore('status --format ndjson --fields value')).stdout).toContain('{"value":3}\n');
  expect(JSON.parse((await petstore('status --json')).stdout)).toMatchObject({ categories: 3 });
});

testInShop('refuses an unknown format or field before anything changes', async (cli) => {
  const { petstore, expectUnchanged } = cli;
  await expectUnchanged(async () => {
    expect(await petstore('pet hold 1 --format xml')).toEqual(
      refused(2, 'error: "xml" is not a format.', 'hint: The formats are table, tsv, csv, json, ndjson, ids, count.'),
    );
    for (const change of [...changes, 'order complete 1', 'pet hold 1', 'pet delete 1 -y', 'category delete 3 -y --move-to 1', 'inventory low-at 1 3']) {
      const { exitCode, stdout, stderr } = await petstore(`${change} --fields nope`);
      expect([change, exitCode, stdout, stderr.split('\n')[0]]).toEqual([change, 2, '', 'error: "nope" is not a field of this command.']);
    }
  });
  await runAll(cli, changes);
});
