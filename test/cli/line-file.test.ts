import { expect, test } from 'vitest';
import { readLineFile } from '../../src/cli/commands/count/record-file.js';

async function read(text: string) {
  async function* bytes() {
    yield Buffer.from(text);
  }
  const { lines, problems } = await readLineFile(bytes());
  return { lines: lines.map(({ pet, number, adds }) => `${pet}: ${adds ? '+' : ''}${number}`), problems: problems.map(({ line }) => line) };
}

test('a line is a pet alone, for one scan, or a pet and a number after the last tab, comma or semicolon', async () => {
  expect(await read('3\t42\nKoi, small , +2\r\n"Rex ""junior""";"4"\n 7   9\n')).toEqual({
    lines: ['3: 42', 'Koi, small: +2', 'Rex "junior": 4', '7: 9'],
    problems: [],
  });
  expect(await read('3\nKoi,\n,4\n,\n\t \n4,5,\n')).toEqual({ lines: ['3: +1'], problems: [2, 3, 4, 6] });
});

test('a line of many spaces or separators is read at once', async () => {
  const gap = ' '.repeat(3000);
  const texts = [`a,${gap}x${gap},`, `7${gap}x`, `${gap}7${gap}9x`, ', '.repeat(3000), `a,${gap}`, `${gap},${gap}x${gap}y`];
  const started = process.cpuUsage();
  expect((await read(texts.join('\n'))).problems).toEqual([1, 4, 5, 6]);
  expect(process.cpuUsage(started).user).toBeLessThan(2_000_000);
});
