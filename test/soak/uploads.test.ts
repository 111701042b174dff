import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { isFull } from '../support/chance.js';
import { built, prepare, runProgram } from '../support/program.js';

const folder = mkdtempSync(join(tmpdir(), 'petstore-uploads-'));

beforeAll(built);
afterAll(() => rmSync(folder, { recursive: true }));

const scale = isFull ? 12 : 1;
/** What a command may keep in JavaScript, in MB; a record of each row would take more. */
const heapMegabytes = 32;

/** Files whose rows are all kept by an import that collects what they have in common, and how many rows they have. */
const files: readonly (readonly [name: string, rows: number, text: (index: number) => string, args: readonly string[]])[] = [
  ['changes of one pet', 300_000, () => '1,1,\n', []],
  ['a note for each row', 200_000, (index) => `${(index % 30) + 1},1,van number ${index} of the day\n`, []],
  ['refused rows that each name another pet', 100_000, (index) => `${index + 1},x,\n`, ['--rejects', join(folder, 'faults.csv')]],
  ['rows of pets that are not there', 100_000, (index) => `${index + 1000},1,\n`, ['--rejects', join(folder, 'unknown.csv')]],
  ['every second row refused', 400_000, (index) => `1,${index % 2 === 0 ? '1' : 'x'},\n`, []],
];

for (const [name, atOnce, text, args] of files) {
  const rows = atOnce * scale;
  test(`an import takes the same memory for any number of rows: ${name}`, async () => {
    const store = join(folder, `${name}.db`);
    await prepare(store, ['init', '--sample']);
    const path = join(folder, 'rows.csv.gz');
    writeFileSync(path, gzipSync(`petId,delta,note\n${Array.from({ length: rows }, (_, index) => text(index)).join('')}`, { level: 1 }));
    const { exitCode, stdout, stderr } = await runProgram(store, ['inventory', 'import', path, '--json', '--keep-going', ...args], '', {
      NODE_OPTIONS: `--max-old-space-size=${heapMegabytes}`,
    });
    expect([stderr, [0, 5, 6].includes(exitCode ?? 1)]).toEqual(['', true]);
    expect(JSON.parse(stdout)).toMatchObject({ total: rows });
  }, 600_000);
}
