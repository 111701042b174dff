import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { openRows } from '../../src/formats/reader.js';
import { cellsOf, linesOf, pieces, read, stockOptions } from './input.js';

const expectedRows = [
  ['7', '3'],
  ['9', '0'],
];

describe('CSV', () => {
  test('returns the requested columns in the requested order, with any order of the header', async () => {
    const reading = await read('quantity,name,petId\n3,Rex,7\n0,Tom,9\n');
    expect(cellsOf(reading)).toEqual(expectedRows);
    expect(reading.rows[0]).toEqual({ line: 2, cells: ['7', '3', undefined, undefined, undefined], original: ['3', 'Rex', '7'] });
    expect(reading.file).toMatchObject({ format: 'csv', header: ['quantity', 'name', 'petId'], present: ['petId', 'quantity'], unknown: [] });
  });

  test.each([
    ['LF', 'petId,quantity\n7,3\n9,0\n', [2, 3]],
    ['no last line end', 'petId,quantity\n7,3\n9,0', [2, 3]],
    ['CRLF', 'petId,quantity\r\n7,3\r\n9,0\r\n', [2, 3]],
    ['lone CR', 'petId,quantity\r7,3\r9,0', [2, 3]],
    ['mixed ends', 'petId,quantity\r7,3\r\n9,0\n', [2, 3]],
    ['BOM', '\uFEFFpetId,quantity\n7,3\n9,0\n', [2, 3]],
    ['BOM and quotes', '\uFEFF"petId","quantity"\n"7","3"\n"9","0"\n', [2, 3]],
    ['spaces around names', ' petId , quantity \n7,3\n9,0\n', [2, 3]],
    ['blank lines', '\n\r\npetId,quantity\n\n7,3\n  \n\n9,0\n\n', [5, 8]],
    ['blank lines among quotes', '\npetId,quantity\n\n"7",3\n\n9,"0"\n\n', [4, 6]],
    ['lone CR among quotes', 'petId,quantity\r"7",3\r\r9,"0"', [2, 4]],
    ['nameless columns', 'petId,quantity,,\n7,3,,\n9,0,,\n', [2, 3]],
    ['semicolons', 'petId;quantity\n7;3\n9;0\n', [2, 3]],
    ['semicolons and quotes', '"petId";"quantity";"note"\n7;3;\n9;0;\n', [2, 3]],
    ['tabs in a .csv file', 'petId\tquantity\n7\t3\n9\t0\n', [2, 3]],
    ['a comma only inside quotes', '"petId";"quantity";"note"\n7;3;"a,b"\n9;0;\n', [2, 3]],
  ])('%s', async (_, content, lines) => {
    const reading = await read(content, { unknownColumns: 'ignore' });
    expect(reading.rows.map(({ cells }) => cells.slice(0, 2))).toEqual(expectedRows);
    expect(linesOf(reading)).toEqual(lines);
  });

  test('line numbers are physical after quoted cells with any line breaks', async () => {
    const reading = await read('petId,"quantity","a\nb"\n1,2,"x\ny\r\nz\rend"\n\n2,3,"""\n"""\n3,4,\n', { unknownColumns: 'ignore' });
    expect(linesOf(reading)).toEqual([3, 8, 10]);
    expect(reading.rows.map(({ original }) => original)).toEqual([
      ['1', '2', 'x\ny\r\nz\rend'],
      ['2', '3', '"\n"'],
      ['3', '4', ''],
    ]);
    expect(reading.file.header).toEqual(['petId', 'quantity', 'a\nb']);
  });

  test('cells are returned untrimmed and as text', async () => {
    expect(cellsOf(await read('petId,quantity,note\n 007 , 1e3,"  "\n'))).toEqual([[' 007 ', ' 1e3', undefined, undefined, '  ']]);
  });

  test('a row with a wrong number of cells is marked and keeps its cells', async () => {
    const { rows } = await read('petId,quantity,note\n7,3\n8\n9,1,a,b\n10,1,ok\n');
    expect(rows.map(({ line, problem }) => [line, problem])).toEqual([
      [2, 'has 2 cells, the header has 3'],
      [3, 'has 1 cell, the header has 3'],
      [4, 'has 4 cells, the header has 3'],
      [5, undefined],
    ]);
    expect(rows[2]?.original).toEqual(['9', '1', 'a', 'b']);
  });

  test('a row of empty cells is a row, not a blank line', async () => {
    expect(cellsOf(await read('petId,quantity\n,\n7,3\n'))).toEqual([
      ['', ''],
      ['7', '3'],
    ]);
  });

  test('--delimiter accepts any single character', async () => {
    expect(cellsOf(await read('petId|quantity\n7|3\n"9"|0\n'))).toEqual(expectedRows);
    expect(cellsOf(await read('petId§quantity\n7§3\n"9"§0\n', { delimiter: '§' }))).toEqual(expectedRows);
    expect(cellsOf(await read('petId\tquantity\n7\t3\n"9"\t0\n', { delimiter: '\t' }))).toEqual(expectedRows);
  });

  test('--map renames columns, and unknown columns are reported and skipped', async () => {
    const map = new Map([
      ['Pet', 'petId'],
      [' Qty on hand ', 'quantity'],
    ]);
    const reading = await read('Qty on hand,Pet,Colour\n3,7,red\n0,9,blue\n', { map, unknownColumns: 'ignore' });
    expect(cellsOf(reading)).toEqual(expectedRows);
    expect(reading.file).toMatchObject({ header: ['Qty on hand', 'Pet', 'Colour'], present: ['petId', 'quantity'], unknown: ['Colour'] });
  });

  test('an unknown column that is ignored may occur twice', async () => {
    const reading = await read('petId,Price,quantity,Price\n7,1,3,2\n9,1,0,2\n', { unknownColumns: 'ignore' });
    expect(cellsOf(reading)).toEqual(expectedRows);
    expect(reading.file).toMatchObject({ header: ['petId', 'Price', 'quantity', 'Price'], unknown: ['Price'] });
  });
});

describe('TSV', () => {
  test('decodes backslash sequences and treats quotes as ordinary characters', async () => {
    const content = 'petId\tquantity\tnote\n7\t3\ta\\tb\\nc\\\\n\\r\\x\n9\t0\t5" "pipe"\n';
    expect(cellsOf(await read(content, { name: 'recount.tsv' }))).toEqual([
      ['7', '3', undefined, undefined, 'a\tb\nc\\n\r\\x'],
      ['9', '0', undefined, undefined, '5" "pipe"'],
    ]);
  });

  test('blank lines count for line numbers', async () => {
    expect(linesOf(await read('petId\tquantity\r\n\r\n7\t3\r\n\n9\t0', { name: 'recount.tsv' }))).toEqual([3, 5]);
  });
});

describe('JSON', () => {
  test('NDJSON: values keep their types, and blank lines and CRLF count for line numbers', async () => {
    const content = '{"petId":7,"quantity":3.5,"note":null}\r\n\n{"quantity":"0","petId":[9],"name":"x"}';
    const reading = await read(content, { name: 'recount.ndjson' });
    expect(cellsOf(reading)).toEqual([
      [7, 3.5, undefined, undefined, null],
      [[9], '0'],
    ]);
    expect(linesOf(reading)).toEqual([1, 3]);
    expect(reading.rows[1]?.original).toEqual({ quantity: '0', petId: [9], name: 'x' });
    expect(reading.file).toMatchObject({ format: 'ndjson', header: ['petId', 'quantity', 'note'], present: ['petId', 'quantity', 'note'] });
  });

  test('an array: elements have the number of their physical line in any layout', async () => {
    const content = '\n [ {"petId":1},\n{"petId":2,\n "note":"a,]}\\"[{"}, {"petId":3\n}\n\n,\n{"petId":4,"expected":[{"a":[]},"]"]}]\n\n';
    const reading = await read(content, { name: 'recount.json' });
    expect(reading.rows.map(({ line, cells }) => [line, cells[0]])).toEqual([
      [2, 1],
      [3, 2],
      [4, 3],
      [8, 4],
    ]);
    expect(reading.rows[1]?.cells[4]).toBe('a,]}"[{');
    expect(reading.rows[3]?.cells[3]).toEqual([{ a: [] }, ']']);
  });

  test.each(['json', 'ndjson'] as const)('%s: a record that is not an object is a row with a problem', async (format) => {
    const records = ['5', '"a"', 'null', '[1,2]', 'true', '{"petId":1}'];
    const content = format === 'json' ? `[${records.join(',\n')}]` : records.join('\n');
    const { rows, file } = await read(content, { format });
    expect(rows.map(({ problem }) => problem)).toEqual([
      'is a number, not an object',
      'is a string, not an object',
      'is null, not an object',
      'is an array, not an object',
      'is a boolean, not an object',
      undefined,
    ]);
    expect(rows[3]).toMatchObject({ line: 4, original: { record: [1, 2] } });
    expect(file).toMatchObject({ header: [], present: [] });
  });

  test('--map renames keys, and unknown keys are reported while reading', async () => {
    const options = { format: 'ndjson', map: new Map([['Pet', 'petId']]), unknownColumns: 'ignore' } as const;
    const reading = await read('{"Pet":7,"Colour":"red"}\n{"petId":9,"Size":1,"__proto__":{"quantity":5}}\n', options);
    expect(cellsOf(reading)).toEqual([[7], [9]]);
    expect(reading.file.unknown).toEqual(['Colour', 'Size', '__proto__']);
  });

  test('equal keys in nested values and colons in strings are not duplicate keys', async () => {
    const content = '{"petId":1,"note":{"a":1,"b":{"a":1}},"expected":"x:\\"petId\\":"}';
    expect(cellsOf(await read(content, { format: 'ndjson' }))).toEqual([[1, undefined, undefined, 'x:"petId":', { a: 1, b: { a: 1 } }]]);
    const wide = `{"petId":1,"note":"${':\\"'.repeat(300_000)}"}`;
    expect((await read(wide, { format: 'ndjson' })).rows).toHaveLength(1);
  });
});

describe('the format', () => {
  const samples = {
    csv: 'petId,quantity\n7,3\n',
    tsv: 'petId\tquantity\n7\t3\n',
    ndjson: '{"petId":"7","quantity":"3"}\n',
    json: '[{"petId":"7","quantity":"3"}]\n',
  };
  test.each([
    ['csv', 'a.csv'],
    ['csv', 'A.CSV'],
    ['tsv', 'a.b.tsv'],
    ['ndjson', 'a.ndjson'],
    ['ndjson', 'a.jsonl'],
    ['json', 'a.json'],
  ] as const)('%s by the extension of %s, also compressed', async (format, name) => {
    const packed = await read(gzipSync(samples[format]), { name: `${name}.gz` });
    for (const reading of [await read(samples[format], { name }), packed]) {
      expect(reading.file.format).toBe(format);
      expect(cellsOf(reading)).toEqual([['7', '3']]);
    }
  });

  test.each(Object.entries(samples))('%s by its first character, also compressed', async (format, content) => {
    for (const bytes of [content, `\uFEFF\n \n${content}`, gzipSync(content)]) {
      const reading = await read(bytes, { name: undefined });
      expect(reading.file.format).toBe(format);
      expect(cellsOf(reading)).toEqual([['7', '3']]);
    }
  });

  test('--input-format overrides the extension, and a .gz file that is not compressed is read as it is', async () => {
    expect((await read(samples.ndjson, { name: 'a.json', format: 'ndjson' })).file.format).toBe('ndjson');
    expect(cellsOf(await read(samples.csv, { name: 'a.csv.gz' }))).toEqual([['7', '3']]);
  });

  test('a gzip file of several members, in chunks', async () => {
    const packed = Buffer.concat([gzipSync('petId,quantity\n7,3\n'), gzipSync('9,0\n')]);
    expect(cellsOf(await read(packed, { name: 'a.csv.gz' }, 1))).toEqual(expectedRows);
  });
});

describe('streaming', () => {
  test('chunks have at most 2,000 rows, with all line numbers', async () => {
    const count = 30_000;
    const file = await openRows(pieces(`petId,quantity\n${Array.from({ length: count }, (_, index) => `${index},1\n`).join('')}`), stockOptions);
    let line = 1;
    const sizes: number[] = [];
    for await (const chunk of file.chunks()) {
      sizes.push(chunk.length);
      for (const row of chunk) expect([row.line, row.cells[0]]).toEqual([(line += 1), String(line - 2)]);
    }
    expect(line).toBe(count + 1);
    expect(Math.max(...sizes)).toBe(2000);
  });

  test('wide rows are returned in smaller chunks', async () => {
    const row = `1,${'x'.repeat(100_000)}\n`;
    const file = await openRows(pieces(`petId,note\n${row.repeat(200)}`), stockOptions);
    const sizes: number[] = [];
    for await (const chunk of file.chunks()) sizes.push(chunk.length);
    expect(sizes.reduce((sum, size) => sum + size)).toBe(200);
    expect(Math.max(...sizes)).toBeLessThanOrEqual(16);
  });

  test.each(['json', 'ndjson', 'csv', 'tsv'] as const)('%s is read on demand', async (format) => {
    let taken = 0;
    async function* endless(): AsyncGenerator<Uint8Array, void> {
      yield* pieces(format === 'json' ? '[' : format === 'csv' ? 'petId,quantity\n' : format === 'tsv' ? 'petId\tquantity\n' : '');
      const record = { json: '{"petId":1},\n', ndjson: '{"petId":1}\n', csv: '1,2\n', tsv: '1\t2\n' }[format];
      for (;;) {
        taken += 1;
        yield* pieces(record.repeat(1000));
      }
    }
    const file = await openRows(endless(), { ...stockOptions, format });
    let rows = 0;
    for await (const chunk of file.chunks()) {
      rows += chunk.length;
      if (rows > 100_000) break;
    }
    expect(taken).toBeLessThan(200);
  });

  test.each([
    ['a header fault', 'petId,petId\n', false],
    ['a caller that stops', 'petId,note\n', true],
  ])('the source is closed after %s', async (_, header, accepted) => {
    const content = header + '1,2\n'.repeat(1_000_000);
    for (const bytes of [Buffer.from(content), gzipSync(content, { level: 0 })]) {
      let taken = 0;
      let closed = false;
      async function* source(): AsyncGenerator<Uint8Array, void> {
        try {
          for await (const piece of pieces(bytes)) {
            taken += piece.length;
            yield piece;
          }
        } finally {
          closed = true;
        }
      }
      const opened = openRows(source(), stockOptions);
      if (accepted) {
        for await (const _chunk of (await opened).chunks()) break;
      } else await expect(opened).rejects.toThrow('twice');
      await new Promise((resolve) => setImmediate(resolve));
      expect(closed).toBe(true);
      expect(taken).toBeLessThan(bytes.length / 4);
    }
  });

  test('an error of the source is passed on unchanged', async () => {
    for (const head of ['petId,quantity\n1,2\n', gzipSync('petId,quantity\n1,2\n').subarray(0, 12)]) {
      const failure = Object.assign(new Error('disk on fire'), { code: 'EIO' });
      async function* source(): AsyncGenerator<Uint8Array, void> {
        yield* pieces(head);
        throw failure;
      }
      await expect(openRows(source(), stockOptions)).rejects.toBe(failure);
    }
  });
});
