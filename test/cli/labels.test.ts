import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { Resvg } from '@resvg/resvg-js';
import { expect } from 'vitest';
import { prepareZXingModule, readBarcodes } from 'zxing-wasm/reader';
import { refused, testInShop } from '../support/cli.js';

const require = createRequire(import.meta.url);
const program = readFileSync(require.resolve('zxing-wasm/reader/zxing_reader.wasm'));
prepareZXingModule({ overrides: { wasmBinary: program.buffer.slice(program.byteOffset, program.byteOffset + program.byteLength) } });

/** The drawings of the labels of a page. */
const drawingsIn = (html: string): readonly string[] => [...html.matchAll(/<div>(<svg[^]*?)<\/div>/g)].map(([, drawing = '']) => drawing);

/** What a reader of barcodes sees in a drawing at a width in pixels. */
async function scanned(drawing: string, pixels: number): Promise<readonly (readonly [format: string, text: string])[]> {
  const { width, height, pixels: data } = new Resvg(drawing, { fitTo: { mode: 'width', value: pixels }, background: 'white' }).render();
  const found = await readBarcodes({ data: new Uint8ClampedArray(data), width, height, colorSpace: 'srgb' }, { tryHarder: true });
  return found.map(({ format, text }) => [format, text]);
}

/** A code, what a reader finds on its label, and the flags that draw it. */
const cases: readonly (readonly [code: string, format: string, text: string, flags?: string])[] = [
  ['4006381333931', 'EAN13', '4006381333931'],
  ['012345678905', 'EAN13', '0012345678905'],
  ['96385074', 'EAN8', '96385074'],
  ['10012345000017', 'ITF', '10012345000017'],
  ['Ring-7', 'Code128', 'Ring-7'],
  ['ラベル-1', 'QRCode', 'ラベル-1'],
  ['Ring-8', 'QRCode', 'Ring-8', '--qr'],
];

/** The sizes of the labels, and the widths of their pictures in pixels. */
const sizes = [
  ['50x25', 500],
  ['100x60', 900],
] as const;

testInShop('the labels of all kinds of codes can be scanned, at two sizes', async ({ petstore }) => {
  for (const [code, format, text, flags = ''] of cases) {
    await petstore(`code add 1 ${code}`);
    for (const [size, pixels] of sizes) {
      const { stdout } = await petstore(`label 1 --as svg --size ${size} ${flags}`);
      expect([code, size, await scanned(stdout, pixels)]).toEqual([code, size, [[format, text]]]);
    }
    await petstore(`code remove ${code}`);
  }
});

testInShop('a pet without a code gets the own number of the shop, which names it everywhere', async ({ petstore }) => {
  const number = '2000000000046';
  for (const [size, pixels] of sizes) {
    const { stdout } = await petstore(`label 4 --as svg --size ${size}`);
    expect([size, await scanned(stdout, pixels)]).toEqual([size, [['EAN13', number]]]);
  }
  expect((await petstore(`pet view ${number} --json id`)).stdout).toBe('{\n  "id": 4\n}\n');
});

testInShop('labels fill a sheet from the first free place, as many as copies say', async ({ petstore }) => {
  const { stdout, stderr } = await petstore('label 1 2 --copies 13 --sheet A4:3x8 --start 5');
  const pages = stdout.split('<section>').slice(1);
  expect(pages.map((page) => [page.split('<div>').length - 1, drawingsIn(page).length])).toEqual([
    [24, 20],
    [6, 6],
  ]);
  expect(stdout).toContain('@page { size: 210mm 297mm; margin: 0; }');
  expect(stdout).toContain('grid-template-columns: repeat(3, 70mm); grid-auto-rows: 37.1mm;');
  expect(stderr).toBe('26 labels for 2 pets.\n');
  const own = await petstore('label 1 --size 40x20');
  expect(own.stdout).toContain('@page { size: 40mm 20mm; margin: 0; }');
});

testInShop('a name is text on a label, and is cut where it is too long', async ({ petstore }) => {
  await petstore(['pet', 'edit', '1', '--name', '<b>&"Rex"</b>']);
  expect((await petstore('label 1')).stdout).toContain('&lt;b&gt;&amp;&quot;Rex&quot;&lt;/b&gt;');
  await petstore(['pet', 'edit', '1', '--name', 'x'.repeat(100)]);
  expect((await petstore('label 1 --size 30x20')).stdout).toMatch(/>x{10,40}…</);
});

testInShop('a delivery gets a label for each unit, and --missing-code those without a code', async ({ petstore }) => {
  await petstore('inventory import -', { stdin: 'petId,delta\n1,2\n4,3\n' });
  expect((await petstore('label --batch 1')).stderr).toBe('5 labels for 2 pets.\n');
  await petstore('code add 1 ring-1');
  expect((await petstore('label 1 4 --missing-code')).stderr).toBe('1 label for 1 pet.\n');
  expect((await petstore('label 1 --missing-code')).stderr).toContain('Every one of these pets has a code.');
});

testInShop('a label printer gets its own language', async ({ petstore }) => {
  await petstore('code add 1 4006381333931');
  await petstore(['pet', 'edit', '1', '--name', 'Zoé ^XA~']);
  const { stdout } = await petstore('label 1 --as zpl --copies 3');
  expect(stdout).toMatch(/^\^XA\^CI28\n\^PW400\^LL200\n/);
  expect(stdout).toContain('^FDZo_C3_A9_20_5EXA_7E^FS');
  // The printer adds the check digit.
  expect(stdout).toMatch(/\^BEN,\d+,Y,N\^FH\^FD400638133393\^FS\n\^PQ3\^XZ\n$/);
});

testInShop('labels that cannot be made are refused', async ({ petstore }) => {
  await petstore('inventory import -', { stdin: 'petId,delta\n1,-1\n' });
  for (const [line, sentence] of [
    ['label --batch 1', 'No pet is selected, so there are no labels.'],
    ['label', 'Which pets? Name them, or use --category, --missing-code, --count or --batch.'],
    ['label 1 2 --as svg', 'An SVG is one label, and these are 2 pets; use --as html.'],
    ['label 1 --size 5x5', '--size takes a width and a height of 10 to 300 mm, such as 50x25, not "5x5".'],
    ['label 1 --sheet A4', '--sheet takes A4, A5 or letter with columns and rows, such as A4:3x8, not "A4".'],
    ['label 1 --copies 0', '--copies takes a number of at least 1, not "0".'],
    ['label 1 --sheet A4:3x8 --start 25', '--start: the sheet has 24 labels, not 25.'],
  ] as const) {
    const { exitCode, stdout, stderr } = await petstore(line);
    expect([line, exitCode, stdout, stderr.split('\n')[0]]).toEqual([line, 2, '', `error: ${sentence}`]);
  }
  const advice = 'To keep them in a file, add: > labels.';
  for (const [line, as] of [
    ['label 1', 'html'],
    ['label 1 --as zpl', 'zpl'],
  ] as const)
    expect(await petstore(line, { terminal: 80 })).toEqual(refused(2, 'error: Labels are not shown at a terminal.', `hint: ${advice}${as}`));
  const many = await petstore('label 1 --copies 10001');
  expect([many.exitCode, many.stderr]).toEqual([6, expect.stringContaining('one command makes at most 10000.')]);
});
