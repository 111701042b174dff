import { describe, expect, test } from 'vitest';
import { unguard } from '../../src/formats/spreadsheet.js';
import { type OutputFormat, rowWriter, type WriterOptions } from '../../src/formats/writer.js';

const columns = ['id', 'name', 'note'];
const records = [
  [1, 'Rex', undefined],
  [2, 'a\tb\nc\rd\\e "f", g', true],
];

function written(format: OutputFormat, rows: readonly (readonly unknown[])[], options?: WriterOptions): string {
  const writer = rowWriter(format, columns, options);
  return [writer.head(), ...rows.map((row) => writer.rows([row])), writer.rows([]), writer.tail()].join('');
}

describe('TSV', () => {
  test('no header, four characters escaped, nothing quoted', () => {
    expect(written('tsv', records)).toBe('1\tRex\t\n2\ta\\tb\\nc\\rd\\\\e "f", g\ttrue\n');
    expect(written('tsv', [])).toBe('');
    expect(written('tsv', [[1, '=1+1', '-']], { header: true, spreadsheet: true })).toBe('id\tname\tnote\n1\t=1+1\t-\n');
  });
});

describe('CSV', () => {
  test('a header, "\\n" line ends, quotes where they are needed', () => {
    expect(written('csv', records)).toBe('id,name,note\n1,Rex,\n2,"a\tb\nc\rd\\e ""f"", g",true\n');
    expect(written('csv', [])).toBe('id,name,note\n');
    expect(written('csv', records.slice(0, 1), { header: false })).toBe('1,Rex,\n');
  });

  test('cells with a line end of any kind are quoted', () => {
    expect(written('csv', [['a\r', 'b\n', '\r\n']], { header: false })).toBe('"a\r","b\n","\r\n"\n');
  });

  test('false, 0, null and nested values', () => {
    expect(
      written(
        'csv',
        [
          [0, false, null],
          [-1.5, { a: [1] }, ''],
        ],
        { header: false },
      ),
    ).toBe('0,false,\n-1.5,"{""a"":[1]}",\n');
  });

  test('--spreadsheet guards formulas in texts only, and unguard gives every cell back', () => {
    const cells = [
      '=1+1',
      '+1',
      '-1',
      '@a',
      '\ta',
      '\ra',
      '＝1',
      "'=1",
      "''=1",
      "'a",
      "'",
      'a=1',
      '',
      ' =1',
      'x;=1+1;y',
      "x;'=1;+2",
      'a\t@b',
      'a\n-1',
      'a;b',
      ';;=',
      '\t=1',
      'x;＝1',
    ];
    const guarded = [
      "'=1+1",
      "'+1",
      "'-1",
      "'@a",
      "'\ta",
      "'\ra",
      "'＝1",
      "''=1",
      "'''=1",
      "'a",
      "'",
      'a=1',
      '',
      ' =1',
      "x;'=1+1;y",
      "x;''=1;'+2",
      "a\t'@b",
      "a\n'-1",
      'a;b',
      ";;'=",
      "'\t'=1",
      "x;'＝1",
    ];
    for (const [index, cell] of cells.entries()) {
      const writer = rowWriter('csv', ['name'], { spreadsheet: true });
      expect(writer.rows([[cell]])).toBe(rowWriter('csv', ['name']).rows([[guarded[index]]]));
      expect(unguard(guarded[index] ?? '')).toBe(cell);
    }
    expect(written('csv', [[-1, '-1', '=x']], { header: false, spreadsheet: true })).toBe("-1,'-1,'=x\n");
    expect(written('csv', [[-1, '-1', '=x']], { header: false })).toBe('-1,-1,=x\n');
  });
});

describe('JSON', () => {
  test('an array with one record a line, absent fields left out', () => {
    expect(
      written('json', [
        [1, 'Rex', undefined],
        [2, null, { a: [1, 'é\n'] }],
      ]),
    ).toBe('[\n{"id":1,"name":"Rex"},\n{"id":2,"name":null,"note":{"a":[1,"é\\n"]}}\n]\n');
    expect(written('json', [[]])).toBe('[\n{}\n]\n');
    expect(written('json', [])).toBe('[]\n');
  });

  test('any division into rows() calls gives the same text', () => {
    const writer = rowWriter('json', columns);
    expect([writer.head(), writer.rows([]), writer.rows(records), writer.rows([]), writer.rows(records), writer.tail()].join('')).toBe(
      written('json', [...records, ...records]),
    );
  });

  test('NDJSON: one object a line', () => {
    expect(written('ndjson', records)).toBe('{"id":1,"name":"Rex"}\n{"id":2,"name":"a\\tb\\nc\\rd\\\\e \\"f\\", g","note":true}\n');
    expect(written('ndjson', [])).toBe('');
  });
});
