import { stripVTControlCharacters } from 'node:util';
import stringWidth from 'string-width';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { barChart, dayChart, largest, turnover, type Bar } from '../../src/cli/output/charts.js';
import { plain } from '../../src/cli/output/colours.js';
import { testInShop, lines, type CliFixture } from '../support/cli.js';

function bar(name: string, gain: number, loss = 0): Bar {
  return { name, figures: [String(gain - loss)], gain, loss };
}

function bars(all: readonly Bar[], columns: number): string {
  return barChart(['category', 'units'], all, { columns, paint: plain });
}

test('the length of a bar is its share of the longest, in eighths of a cell', async () => {
  expect(bars([bar('Dogs', 16), bar('Cats', 5), bar('Fish', 1), bar('Birds', 0)], 33)).toBe(
    lines('category  units', 'Dogs         16  ████████████████', 'Cats          5  █████', 'Fish          1  █', 'Birds         0'),
  );
  expect(bars([bar('Dogs', 16), bar('Cats', 3), bar('Fish', 1)], 25)).toBe(
    lines('category  units', 'Dogs         16  ████████', 'Cats          3  █▌', 'Fish          1  ▌'),
  );
});

test('draws the smallest positive value and nothing for zero', async () => {
  const [, , least = '', none = ''] = bars([bar('Dogs', 2 ** 31), bar('Cats', 1), bar('Fish', 0)], 80).split('\n');
  expect(least).toMatch(/1 {2}▏$/);
  expect(none).toMatch(/0$/);
});

test('draws negative values to the left of a common axis', async () => {
  expect(bars([bar('Dogs', 8), bar('Cats', 2, 4), bar('Fish', 0, 1), bar('Birds', 0)], 30)).toBe(
    lines('category  units', 'Dogs          8      │████████', 'Cats         -2  ████│██', 'Fish         -1     █│', 'Birds         0      │'),
  );
  expect(bars([bar('Dogs', 0, 8), bar('Cats', 0, 4)], 26)).toBe(lines('category  units', 'Dogs         -8  ███████│', 'Cats         -4     ▐███│'));
});

test('bars stay aligned after wide names, and long names are cut', async () => {
  const drawn = bars([bar('犬', 4), bar('👩\u200d🚀 & co', 4), bar('Zoe\u0308', 4), bar('日'.repeat(50), 4)], 40);
  const rows = drawn.trimEnd().split('\n').slice(1);
  expect(rows.map((row) => stringWidth(row.slice(0, row.indexOf('█'))))).toEqual([22, 22, 22, 22]);
  expect(rows.map((row) => stringWidth(row))).toEqual([40, 40, 40, 40]);
  expect(rows[3]).toMatch(/^日日日日日日…/);
});

test('draws no chart without values or without room', async () => {
  expect(bars([], 80)).toBe('');
  expect(bars([bar('Dogs', 0)], 80)).toBe('');
  expect(bars([bar('Dogs', 7)], 20)).toBe('');
});

test('no bar chart is wider than its terminal', async () => {
  const one = fc.record({
    // These names contain no bar characters and no ellipsis.
    name: fc.string({ unit: 'grapheme', minLength: 1, maxLength: 100 }).filter((name) => !/[\p{C}█▐│…]/u.test(name)),
    gain: fc.nat(2 ** 31),
    loss: fc.nat(2 ** 31),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(one, { minLength: 1, maxLength: 8 }), fc.integer({ min: 40, max: 200 }), async (all, columns) => {
      const drawn = bars(
        all.map(({ name, gain, loss }) => bar(name, gain, loss)),
        columns,
      );
      expect(drawn).not.toMatch(/[█▐│].*…/);
      for (const row of drawn.split('\n')) expect(stringWidth(row)).toBeLessThanOrEqual(columns);
    }),
    { numRuns: 200 },
  );
});

test('of many bars the largest are drawn in their original order', () => {
  const all = [bar('Dogs', 1), bar('Cats', 9), bar('Fish', 0, 7), bar('Birds', 3)];
  expect(largest(all, 2).map(({ name }) => name)).toEqual(['Cats', 'Fish']);
  expect(largest(all, 4)).toBe(all);
});

test('the daily net change is the closing less the opening', () => {
  const figure = fc.integer({ min: -1000, max: 1000 });
  fc.assert(
    fc.property(figure, figure, figure, figure, figure, (received, sold, returned, writtenOff, counted) => {
      const { gain, loss } = turnover({ opening: 0, received, sold, returned, writtenOff, counted, closing: 0 });
      expect(gain - loss).toBe(received - sold + returned - writtenOff + counted);
      expect(Math.min(gain, loss)).toBeGreaterThanOrEqual(0);
    }),
  );
  // An undo on a later day than the sale that it reverses.
  expect(turnover({ opening: 0, received: 0, sold: -2, returned: 0, writtenOff: 0, counted: 0, closing: 2 })).toEqual({ gain: 2, loss: 0 });
});

/** The row of the line in each column of a chart, from the top; undefined where there is none. */
function heights(drawn: string): readonly (readonly number[])[] {
  const rows = drawn.split('\n').slice(1, -3);
  const start = (rows.find((row) => row.includes('┤'))?.indexOf('┤') ?? 0) + 1;
  const width = Math.max(...rows.map((row) => row.length)) - start;
  return Array.from({ length: width }, (_, column) => rows.flatMap((row, height) => (/[━┓┛┏┗]/.test(row[start + column] ?? '') ? [height] : [])));
}

test('a line has a point for every day, zero without movements and negative for losses', async () => {
  const days = [
    { day: '2026-11-01', units: 40 },
    { day: '2026-11-04', units: -20 },
  ];
  expect(await dayChart('units', days, { from: '2026-11-01', to: '2026-11-08' }, { columns: 36, paint: plain })).toBe(
    lines(
      'units',
      '   ▲',
      ' 40┤━━━┓',
      '   │   ┃',
      '   │   ┃',
      '   │   ┃',
      '   │   ┃',
      '   │   ┃',
      '  0┤   ┗━━━━━━━┓   ┏━━━━━━━━━━━━━',
      '   │           ┃   ┃',
      '   │           ┃   ┃',
      '-20┤           ┗━━━┛',
      '   └─────────────────────────────▶',
      '    2026-11-01         2026-11-08',
    ),
  );
});

test('many days share cells and keep their sum', async () => {
  const days = [
    { day: '2026-01-01', units: 5 },
    { day: '2026-01-02', units: 5 },
    { day: '2026-12-31', units: 10 },
  ];
  const drawn = await dayChart('units', days, { from: '2026-01-01', to: '2026-12-31' }, { columns: 80, paint: plain });
  expect(drawn).toMatch(/^units, 11 days at a time\n/);
  expect(drawn).toMatch(/^10┤━┓ +┏━/m);
  for (const row of drawn.split('\n')) expect(stringWidth(row)).toBeLessThanOrEqual(80);
});

test('draws no line chart for one day or without room', async () => {
  const days = [{ day: '2026-11-20', units: 5 }];
  expect(await dayChart('units', days, { from: '2026-11-20', to: '2026-11-20' }, { columns: 80, paint: plain })).toBe('');
  expect(await dayChart('units', days, { from: '2026-11-19', to: '2026-11-20' }, { columns: 20, paint: plain })).toBe('');
});

test('no line chart is wider than its terminal with any figures', async () => {
  const units = fc.array(fc.integer({ min: -(2 ** 31), max: 2 ** 31 }), { minLength: 1, maxLength: 40 });
  await fc.assert(
    fc.asyncProperty(units, fc.integer({ min: 30, max: 200 }), async (figures, columns) => {
      const days = figures.map((moved, index) => ({ day: new Date(Date.UTC(2026, 0, 1 + 3 * index)).toISOString().slice(0, 10), units: moved }));
      const drawn = await dayChart('units', days, { from: '2026-01-01', to: '2026-06-30' }, { columns, paint: plain });
      for (const row of drawn.split('\n')) expect(stringWidth(row)).toBeLessThanOrEqual(columns);
      if (drawn !== '')
        expect(
          heights(drawn)
            .slice(0, -2)
            .every((column) => column.length > 0),
        ).toBe(true);
    }),
    { numRuns: 50 },
  );
});

const charted = ['report stock', 'report movements', 'report movements --by day --from 2026-11-13', 'report sell-through'];

async function withoutChart({ petstore }: CliFixture, line: string): Promise<void> {
  const { stdout } = await petstore(line, { terminal: 80 });
  expect(stdout).toMatch(/\n\n.*(\n.*)*[█━]/);
  for (const columns of ['--fields closing', '--fields onHand']) {
    const { stdout: narrow } = await petstore(`${line} ${columns}`, { terminal: 80 });
    expect(narrow).not.toMatch(/[█━]/);
  }
  // A table in a file and other formats have no chart.
  for (const format of ['table', 'tsv', 'csv', 'json', 'ndjson']) {
    const { stdout: piped } = await petstore(`${line} --format ${format}`);
    for (const drawn of ['█', '━', '\u001b']) expect(piped).not.toContain(drawn);
    if (format !== 'table') expect((await petstore(`${line} --format ${format}`, { terminal: 80 })).stdout).toBe(piped);
  }
}

for (const line of charted) testInShop(`${line} draws its chart only in a terminal`, (cli) => withoutChart(cli, line));

testInShop('a chart uses the colours of its terminal and has the same text without colours', async ({ petstore }) => {
  const coloured = await petstore('report stock', { terminal: 80, environment: { NO_COLOR: '', FORCE_COLOR: '1' } });
  expect(coloured.stdout).toContain('\u001b[36m█');
  // Compares only the chart: with colours the table has status dots.
  const chart = (text: string) => stripVTControlCharacters(text).split('\n\n')[1];
  expect(chart(coloured.stdout)).toBe(chart((await petstore('report stock', { terminal: 80 })).stdout));
});

testInShop('escape sequences in a name are removed from a chart', async ({ petstore, sql }) => {
  sql('UPDATE categories SET name = ? WHERE id = 3', 'Fi\u001b[31m\u202esh\n');
  const { stdout } = await petstore('report stock', { terminal: 80 });
  for (const control of ['\u001b', '\u202e']) expect(stdout).not.toContain(control);
});
