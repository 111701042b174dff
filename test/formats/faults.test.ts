import { execFileSync } from 'node:child_process';
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { read, refusal } from './input.js';

const columns = 'The columns are petId, quantity, delta, expected and note.';
const ndjson = { name: 'recount.ndjson' };
const json = { name: 'recount.json' };
const mebibyte = 1024 * 1024;

function bytes(...parts: readonly (string | readonly number[])[]): Uint8Array {
  return Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(part) : Buffer.from(part))));
}

describe('not_utf8', () => {
  const hint = '{"encoding":"windows-1252"}';
  test.each([
    ['Latin-1', bytes('petId,note\n1,a\n2,caf', [0xe9], '\n'), 3],
    ['after CRLF and lone CR', bytes('petId,note\r\n1,a\r2,caf', [0xe9], 'x\n'), 3],
    ['an unfinished character at the end', bytes('petId,note\n1,', [0xf0, 0x9f, 0x98]), 2],
    ['an overlong form', bytes('petId,note\n1,', [0xc0, 0x80], '\n'), 2],
    ['a surrogate', bytes('petId,note\n1,', [0xed, 0xa0, 0x80], '\n'), 2],
    ['a stray continuation byte', bytes('petId,note\n\n\n1,', [0x80], '\n'), 4],
    ['far down', bytes('petId,note\n', '1,aé\n'.repeat(40_000), [0xff], '\n'), 40_002],
  ])('%s, with its line', async (_, content, line) => {
    for (const size of [1, 7, 65_536]) {
      expect(await refusal(content, {}, size)).toBe(`not_utf8: Line ${line} of recount.csv is not valid UTF-8.\n${hint}`);
    }
  });

  test('names UTF-16 in the error', async () => {
    const little = Buffer.from('\uFEFFpetId,quantity\n1,2\n', 'utf16le');
    expect(await refusal(little)).toBe('not_utf8: recount.csv is UTF-16 text, not UTF-8.\n{"encoding":"utf-16"}');
    expect(await refusal(Buffer.from(little).swap16(), { name: undefined }, 1)).toContain('Standard input is UTF-16 text, not UTF-8.');
  });
});

const quoteAdvice = 'Enclose a cell that contains a quote in quotes, and double each quote inside it: "5"" pipe".';

describe('malformed_csv', () => {
  test('a NUL byte', async () => {
    expect(await refusal('petId,note\n1,"a\nb"\n2,\0\n')).toMatch(/^malformed_csv: Line 4 of recount\.csv contains a NUL byte\.\n/);
    const unmarked = Buffer.from('petId,note\n1,a\n', 'utf16le');
    expect(await refusal(unmarked)).toMatch(/^malformed_csv: Line 1 of recount\.csv contains a NUL byte\.\n.*UTF-16/);
    expect(await refusal('petId\tnote\n1\t\0\n', { format: 'tsv' })).toContain('Line 2 of recount.csv contains a NUL byte.');
  });

  test.each([
    ['on the last line', 'petId,note\n1,a\n2,"b\n', 3],
    ['several lines above the end', 'petId,note\n1,"a\r\nb"\r\n\n2,"b\n3,c\n4,d\n', 5],
    ['in the header', 'petId,"note\n1,a\n', 1],
  ])('a quote that is never closed: %s', async (_, content, line) => {
    expect(await refusal(content)).toBe(`malformed_csv: Line ${line} of recount.csv opens a quote that is never closed.`);
  });

  test('a quote that is not closed within the maximum row length', async () => {
    for (const cell of ['"a', '5" pipe'])
      expect(await refusal(`petId,note\n1,${cell}\n${'2,b\n'.repeat(mebibyte)}`)).toBe(
        `malformed_csv: Line 2 of recount.csv starts a row longer than 1 MiB.\nA closing quote may be missing. ${quoteAdvice}`,
      );
  });

  test.each([
    ['inside a cell', 'petId,note\n1,a\n2,5" pipe\n', 3],
    ['behind a quoted cell', 'petId,note\n1,"a\nb"c\n', 2],
    ['in the first cell, after quoted line ends', 'petId,note\n1,"a\n\r\nb"\nx"y,2\n', 5],
    ['behind a space', 'petId,note\n1, "a"\n', 2],
    ['with another one far below', `petId,note\n1,5" pipe\n${'2,b\n'.repeat(50_000)}3,6" pipe\n`, 2],
  ])('a stray quote: %s', async (_, content, line) => {
    expect(await refusal(content)).toBe(`malformed_csv: Line ${line} of recount.csv has a stray quote.\n${quoteAdvice}`);
  });

  test('a row longer than 1 MiB', async () => {
    const wide = 'x'.repeat(mebibyte);
    const message = 'malformed_csv: Line 3 of recount.csv starts a row longer than 1 MiB.';
    expect(await refusal(`petId,note\n1,a\n2,${wide}${wide}\n3,b\n`)).toBe(message);
    expect(await refusal(`petId,note\n1,a\n2,"${wide}${wide}"\n3,b\n`)).toBe(`${message}\nA closing quote may be missing. ${quoteAdvice}`);
    expect(await refusal(`petId\tnote\n1\ta\n2\t${wide}${wide}\n`, { format: 'tsv' })).toBe(message);
    expect((await read(`petId,note\n1,a\n2,${wide.slice(4)}\n3,b\n`)).rows).toHaveLength(3);
    expect((await read(`petId,note\n1,a\n2,"${wide.slice(6)}"\n3,b\n`)).rows).toHaveLength(3);
  });

  test('a damaged gzip file', async () => {
    const packed = gzipSync('petId,quantity\n1,2\n');
    const message = ' cannot be decompressed: its gzip data is damaged or incomplete.';
    expect(await refusal(packed.subarray(0, -4), { name: 'a.csv.gz' })).toBe(`malformed_csv: a.csv.gz${message}`);
    expect(await refusal(packed.fill(0, 10, 16), { name: 'a.json.gz' })).toBe(`malformed_json: a.json.gz${message}`);
  });
});

describe('malformed_json', () => {
  test('an invalid NDJSON line', async () => {
    expect(await refusal('{"petId":1}\n\n{"petId":}\n', ndjson)).toBe('malformed_json: Line 3 of recount.ndjson is not valid JSON: {"petId":}.');
    expect(await refusal('{\n "petId": 1\n}\n', { name: undefined })).toBe('malformed_json: Line 1 of standard input is not valid JSON: {.');
    expect(await refusal(`{"petId":1 ${'x'.repeat(500)}`, ndjson)).toMatch(/not valid JSON: \{"petId":1 x{48}…\.$/);
  });

  test.each([
    ['a bad element', '[{"petId":1},\n\n {"petId":\n}]', 'Line 3 of recount.json is not valid JSON: {"petId": }.'],
    ['a missing comma', '[{"petId":1}\n{"petId":2}]', 'Line 1 of recount.json is not valid JSON: {"petId":1} {"petId":2}.'],
    ['a comma too many at the end', '[{"petId":1},\n]', 'Line 1 of recount.json has a comma without a record.'],
    ['a comma too many at the start', '[\n,{"petId":1}]', 'Line 1 of recount.json has a comma without a record.'],
    ['a bracket too many', '[\n{"petId":1}}]', 'Line 2 of recount.json is not valid JSON: {"petId":1}}.'],
    ['the wrong bracket', '[\n{"petId":1]\n', 'Line 2 of recount.json starts a record that is cut off by the end of the input.'],
    ['a cut record', '[{"petId":1},\n{"petId":2,\n"no', 'Line 2 of recount.json starts a record that is cut off by the end of the input.'],
    ['no closing bracket', '[{"petId":1},\n', 'Line 2 of recount.json ends the input before its JSON array is closed with "]".'],
    ['only the opening bracket', '[', 'Line 1 of recount.json ends the input before its JSON array is closed with "]".'],
    ['something after the array', '[{"petId":1}]\n\n[]', 'Line 3 of recount.json continues after the end of the JSON array.'],
    ['a number', '\n5', 'Line 2 of recount.json does not start a JSON array ("[").'],
  ])('an array with %s', async (_, content, message) => {
    for (const size of [1, 65_536]) expect(await refusal(content, json, size)).toBe(`malformed_json: ${message}`);
  });

  test('NDJSON lines in a .json file', async () => {
    const message = 'malformed_json: Line 1 of recount.json does not start a JSON array ("[").';
    expect(await refusal('{"petId":1}\n', json)).toBe(`${message}\nIf it has one object on each line, add --input-format ndjson.`);
  });

  test('a record longer than 1 MiB', async () => {
    const wide = `{"petId":1,"note":"${'x'.repeat(mebibyte)}"}`;
    const message = 'starts a record longer than 1 MiB.';
    for (const record of [wide, wide.repeat(2)]) {
      expect(await refusal(`[{"petId":1},\n\n${record}]`, json)).toBe(`malformed_json: Line 3 of recount.json ${message}`);
      expect(await refusal(`{"petId":1}\n\n${record}\n`, ndjson)).toBe(`malformed_json: Line 3 of recount.ndjson ${message}`);
    }
  });
});

describe('empty_file', () => {
  test.each([
    ['', {}, 'recount.csv is empty.'],
    ['', { name: undefined }, 'Standard input is empty.'],
    ['\uFEFF', {}, 'recount.csv is empty.'],
    ['\n \r\n\n', {}, 'recount.csv contains only blank lines.'],
    ['\npetId,quantity\n\n', {}, 'recount.csv has a header (line 2) but no rows below it.'],
    ['petId,quantity', {}, 'recount.csv has a header (line 1) but no rows below it.'],
    ['', json, 'recount.json is empty.'],
    ['\n\n', json, 'recount.json contains no records.'],
    [' [ \n ] \n', json, 'recount.json contains no records.'],
    ['\n\n', ndjson, 'recount.ndjson contains no records.'],
  ])('%j', async (content, options, message) => {
    expect(await refusal(content, options)).toBe(`empty_file: ${message}`);
  });

  test('an empty compressed file', async () => {
    expect(await refusal(gzipSync(''), { name: 'a.csv.gz' })).toBe('empty_file: a.csv.gz is empty.');
  });
});

describe('columns', () => {
  test('missing_column names the header and the nearest column to map', async () => {
    expect(await refusal('\nid,Pet-ID,quantity\n1,2,3\n')).toBe(
      'missing_column: recount.csv has no column "petId"; its header (line 2) has "id", "Pet-ID" and "quantity".\n{"map":["Pet-ID","petId"]}',
    );
    expect(await refusal('quantity,delta\n1,2\n')).toContain('add --map "<their column>=petId"');
    expect(await refusal('pet!quantity\n1!2\n')).toContain('give it with --delimiter');
  });

  test('unknown_column suggests the nearest column', async () => {
    expect(await refusal('petId,quantitty\n1,2\n')).toBe(
      `unknown_column: Line 1 of recount.csv has an unknown column "quantitty"; did you mean "quantity"?\n{"map":["quantitty","quantity"]}`,
    );
    expect(await refusal('petId,Colour\n1,2\n')).toBe(
      `unknown_column: Line 1 of recount.csv has an unknown column "Colour".\n${columns} To read it as one of them, add --map "Colour=<column>"; to ignore it, add --ignore-unknown.`,
    );
    expect(await refusal('petId,catgory\n1,2\n')).toContain('did you mean "category"?');
  });

  test('the --map of a hint is the name of the column when it is pasted into a shell, or a placeholder', async () => {
    const mapped = async (column: string): Promise<string> => {
      const content = JSON.stringify([{ petId: 1, [column]: 2 }]);
      const [, flag = ''] = /add --map (.*); to ignore/s.exec(await refusal(content, json)) ?? [];
      return execFileSync('bash', ['-c', `printf %s ${flag}`], { encoding: 'utf8' }).replace(/=<column>$/, '');
    };
    for (const column of [
      "Animal's Name",
      'the "old" one',
      `both ' and "`,
      '$HOME',
      '`date`',
      '$(date)',
      'a\\b',
      'now!',
      'a=b',
      '-x',
      '*',
      '~',
      '#1',
      '毛色',
    ]) {
      expect(await mapped(column)).toBe(column);
    }
    // Names that a message cuts, changes or does not show.
    for (const column of ['x'.repeat(100), 'two  spaces', 'two\nlines', 'an\u001bescape', 'a\u200bb']) expect(await mapped(column)).toBe('<their column>');
  });

  test.each([
    [json, '[{"petId":1},\n{"petId":2,"quantitty":3}]', 'recount.json'],
    [ndjson, '{"petId":1}\n{"petId":2,"quantitty":3}', 'recount.ndjson'],
  ])('unknown_column names the line of a JSON key', async (options, content, name) => {
    expect(await refusal(content, options)).toContain(`unknown_column: Line 2 of ${name} has an unknown column "quantitty"; did you mean "quantity"?`);
  });

  test('--map of a column that is not in the file', async () => {
    const map = new Map([['Qyt', 'quantity']]);
    expect(await refusal('petId,Qty\n1,2\n', { map })).toBe(
      'unknown_column: recount.csv has no column "Qyt" to read as quantity; did you mean "Qty"?\nIts columns are "petId" and "Qty".',
    );
  });

  test('--map to an unknown column', async () => {
    expect(await refusal('Pet,quantity\nRex,2\n', { columns: ['petId', 'quantity'], map: new Map([['Pet', 'name']]) })).toBe(
      'unknown_column: "Pet" can be read as name only if pets are matched by name.\nAdd --match name.',
    );
    expect(await refusal('petId,Qty\n1,2\n', { map: new Map([['Qty', 'quantitty']]) })).toBe(
      `unknown_column: "Qty" cannot be read as "quantitty", which is not a column that can be imported; did you mean "quantity"?\n${columns}`,
    );
  });

  test('duplicate_column, also by --map and in one JSON record', async () => {
    const map = new Map([['Qty', 'quantity']]);
    expect(await refusal('petId,quantity, petId\n1,2,3\n')).toBe('duplicate_column: Line 1 of recount.csv has the column "petId" twice.');
    expect(await refusal('petId,a,a\n1,2,3\n')).toContain('has the column "a" twice.');
    expect(await refusal('petId,quantity,quantity\n1,2,3\n', { unknownColumns: 'ignore' })).toContain('has the column "quantity" twice.');
    expect(await refusal('petId,Qty,quantity\n1,2,3\n', { map })).toBe(
      'duplicate_column: Line 1 of recount.csv has two columns for quantity: "Qty" and "quantity".',
    );
    expect(await refusal('{"petId":1}\n{"petId":1,"quantity":2,"Qty":3}\n', { ...ndjson, map })).toBe(
      'duplicate_column: Line 2 of recount.ndjson has two columns for quantity: "quantity" and "Qty".',
    );
  });
});

describe('usage', () => {
  test('an invalid delimiter', async () => {
    for (const delimiter of ['', ',,', '"', '\n']) {
      expect(await refusal('petId,quantity\n1,2\n', { delimiter })).toMatch(/^usage: --delimiter takes one character other than a quote or a line end/);
    }
  });

  test('a delimiter for another format', async () => {
    expect(await refusal('petId\tquantity\n1\t2\n', { name: 'a.tsv', delimiter: ';' })).toBe('usage: --delimiter is for CSV, and a.tsv is read as tsv.');
  });
});
