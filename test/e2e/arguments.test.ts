import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { prepare, runHosted, runShell } from '../support/program.js';
import { testFolder } from '../support/files.js';

const folder = testFolder();
const store = join(folder, 'shop.db');
const sampleStore = join(folder, 'sample.db');

beforeAll(async () => {
  await prepare(sampleStore, ['init', '--sample']);
  await prepare(store, ['init'], ['category', 'create', '--name', 'Dogs']);
});

const hint = 'hint: Set the terminal to UTF-8, or give the text in UTF-8.\n';

/** Bash lines with a text that is not UTF-8, and the name in the error. */
const malformed: readonly (readonly [line: string, subject: string])[] = [
  [String.raw`petstore pet create --category Dogs --name $'Zo\xeb'`, 'The argument "Zo\u{fffd}"'],
  [String.raw`petstore pet create --category Dogs --name=$'\xc3\x28'`, 'The argument "--name=\u{fffd}("'],
  [String.raw`petstore pet create --category Dogs --name $'\xed\xa0\x80'`, 'The argument "\u{fffd}\u{fffd}\u{fffd}"'],
  [String.raw`petstore category create --name Cats --description $'\xff' ''`, 'The argument "\u{fffd}"'],
  [String.raw`PETSTORE_ACTOR=$'Zo\xeb' petstore category create --name Cats`, 'The variable PETSTORE_ACTOR'],
];

for (const [line, subject] of malformed) {
  test.skipIf(process.platform === 'win32')(`refuses an argument or a variable that is not UTF-8: ${line}`, async () => {
    expect(await runShell(store, line)).toMatchObject({ exitCode: 2, stdout: '', stderr: `error: ${subject} is not valid UTF-8.\n${hint}` });
    expect((await runHosted(store, ['log', '--format', 'count'])).stdout).toBe('1\n');
  });
}

test.skipIf(process.platform === 'win32')('days are those of TZ', async () => {
  for (const zone of ['Asia/Tokyo', 'UTC'])
    expect(await runShell(sampleStore, `TZ=${zone} petstore report stock --at today --format table`)).toMatchObject({
      exitCode: 0,
      stdout: expect.stringContaining(`, ${zone}\n`),
    });
});
