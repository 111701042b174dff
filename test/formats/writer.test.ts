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
  test('writes no header, escapes four characters and quotes nothing', () => {
    expect(written('tsv', records)).toBe('1\tRex\t\n2\ta\\tb\\nc\\rd\\\\e "f", g\ttrue\n');
    expect(written('tsv', [])).toBe('');
    expect(written('tsv', [[1, '=1+1', '-']], { header: true, spreadsheet: true })).toBe('id\tname\tnote\n1\t=1+1\t-\n');
  });
});

describe('CSV', () => {
  test('writes a header, "\\n" line ends and quotes only where needed', () => {
    expect(written('csv', records)).toBe('id,name,note\n1,Rex,\n2,"a\tb\nc\rd\\e ""f"", g",true\n');
    expect(written('csv', [])).toBe('id,name,note\n');
    expect(written('csv', records.slice(0, 1), { header: false })).toBe('1,Rex,\n');
  });

  test('quotes cells with any line break', () => {
    expect(written('csv', [['a\r', 'b\n', '\r\n']], { header: false })).toBe('"a\r","b\n","\r\n"\n');
  });

  test('writes false, 0, null and nested values', () => {
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

  test('--spreadsheet escapes formulas only in texts, and every escape can be reversed', () => {
    const cells = [
      ['=1+1', "'=1+1"],
      ['+1', "'+1"],
      ['-1', "'-1"],
      ['@a', "'@a"],
      ['\ta', "'\ta"],
      ['\ra', "'\ra"],
      ['＝1', "'＝1"],
      ["'=1", "''=1"],
      ["''=1", "'''=1"],
      ["'a", "'a"],
      ["'", "'"],
      ['a=1', 'a=1'],
      ['', ''],
      [' =1', ' =1'],
      ['x;=1+1;y', "x;'=1+1;y"],
      ["x;'=1;+2", "x;''=1;'+2"],
      ['a\t@b', "a\t'@b"],
      ['a\n-1', "a\n'-1"],
      ['a;b', 'a;b'],
      [';;=', ";;'="],
      ['\t=1', "'\t'=1"],
      ['x;＝1', "x;'＝1"],
    ] as const;
    for (const [cell, guarded] of cells) {
      const writer = rowWriter('csv', ['name'], { spreadsheet: true });
      expect(writer.rows([[cell]])).toBe(rowWriter('csv', ['name']).rows([[guarded]]));
      expect(unguard(guarded)).toBe(cell);
    }
    expect(written('csv', [[-1, '-1', '=x']], { header: false, spreadsheet: true })).toBe("-1,'-1,'=x\n");
    expect(written('csv', [[-1, '-1', '=x']], { header: false })).toBe('-1,-1,=x\n');
  });
});

describe('JSON', () => {
  test('writes an array with one record per line, without absent fields', () => {
    expect(
      written('json', [
        [1, 'Rex', undefined],
        [2, null, { a: [1, 'é\n'] }],
      ]),
    ).toBe('[\n{"id":1,"name":"Rex"},\n{"id":2,"name":null,"note":{"a":[1,"é\\n"]}}\n]\n');
    expect(written('json', [[]])).toBe('[\n{}\n]\n');
    expect(written('json', [])).toBe('[]\n');
  });

  test('any division into rows() calls writes the same text', () => {
    const writer = rowWriter('json', columns);
    expect([writer.head(), writer.rows([]), writer.rows(records), writer.rows([]), writer.rows(records), writer.tail()].join('')).toBe(
      written('json', [...records, ...records]),
    );
  });

  test('NDJSON: one object per line', () => {
    expect(written('ndjson', records)).toBe('{"id":1,"name":"Rex"}\n{"id":2,"name":"a\\tb\\nc\\rd\\\\e \\"f\\", g","note":true}\n');
    expect(written('ndjson', [])).toBe('');
  });
});
