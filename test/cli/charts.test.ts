import stringWidth from 'string-width';
import { expect, test } from 'vitest';
import { barChart } from '../../src/cli/output/bar-chart.js';
import { plain } from '../../src/cli/output/colours.js';
import { testInShop, lines } from '../support/cli.js';

function bars(values: Readonly<Record<string, number>>, columns: number): string {
  return barChart(new Map(Object.entries(values)), { names: 'Category', figures: 'Units', figureText: String }, { columns, paint: plain });
}

test('a bar is as long as its part of the largest value, at least a cell, and none for zero and less', () => {
  expect(bars({ Dogs: 16, Cats: 5, Fish: 0.1, Birds: 0, Frogs: -3 }, 33)).toBe(
    lines('Category  Units', 'Dogs         16  ████████████████', 'Cats          5  █████', 'Fish        0.1  █', 'Birds         0', 'Frogs        -3'),
  );
  for (const [values, columns] of [
    [{}, 80],
    [{ Dogs: 0 }, 80],
    [{ Dogs: 7 }, 20],
  ] as const)
    expect(bars(values, columns)).toBe('');
});

test('bars stay aligned after wide names, long names are cut, and no line is wider than the terminal', () => {
  const rows = bars({ 犬: 4, '👩\u200d🚀 & co': 4, 'Zoe\u0308': 4, ['日'.repeat(50)]: 4 }, 40)
    .trimEnd()
    .split('\n')
    .slice(1);
  expect(rows.map((row) => [stringWidth(row.slice(0, row.indexOf('█'))), stringWidth(row)])).toEqual(Array.from({ length: 4 }, () => [22, 40]));
});

test('of many bars the largest are drawn in their order', () => {
  const drawn = bars(Object.fromEntries(Array.from({ length: 50 }, (_, index) => [`c${index}`, index])), 80).split('\n');
  expect([drawn[1], drawn[30], drawn[31]]).toEqual([expect.stringMatching(/^c20 /), expect.stringMatching(/^c49 /), 'The 30 largest of 50.']);
});

testInShop('reports draw their bars only in a terminal, in its colours, and not with --fields', async ({ petstore }) => {
  for (const line of ['report stock', 'report movements', 'report movements --by day --from 2026-11-13', 'report sell-through']) {
    expect([line, (await petstore(line, { terminal: 80 })).stdout]).toEqual([line, expect.stringMatching(/\n\n.*(\n.*)*█/)]);
    expect((await petstore(`${line} --fields closing`, { terminal: 80 })).stdout).not.toContain('█');
    for (const format of ['table', 'csv']) expect((await petstore(`${line} --format ${format}`)).stdout).not.toContain('█');
  }
  const coloured = await petstore('report stock', { terminal: 80, environment: { NO_COLOR: '', FORCE_COLOR: '1' } });
  expect(coloured.stdout).toContain('\u001b[36m█');
});

testInShop('escape sequences in a name are removed from a chart', async ({ petstore, sql }) => {
  sql('UPDATE categories SET name = ? WHERE id = 3', 'Fi\u001b[31m\u202esh\n');
  const { stdout } = await petstore('report stock', { terminal: 80 });
  for (const control of ['\u001b', '\u202e']) expect(stdout).not.toContain(control);
});
