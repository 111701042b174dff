import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { prepare, runShell } from '../support/program.js';
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
    expect((await runShell(store, 'petstore log --format count')).stdout).toBe('1\n');
  });
}

/** Values of TZ, and the zone in which a report shows its days; undefined where the value is refused. */
const zones: readonly (readonly [tz: string, zone: string | undefined])[] = [
  ['Nope/Zone', undefined],
  ['CET-1CEST', undefined],
  ['UTC+3', undefined],
  ['europe/berlin', 'europe/berlin'],
  [':Europe/Berlin', 'Europe/Berlin'],
  ['/usr/share/zoneinfo/Europe/Berlin', 'Europe/Berlin'],
  ['Asia/Tokyo', 'Asia/Tokyo'],
  ['Etc/UTC', 'Etc/UTC'],
  ['UTC', 'UTC'],
];

for (const [tz, zone] of zones) {
  test.skipIf(process.platform === 'win32')(`TZ=${tz} ${zone === undefined ? 'is refused' : `is ${zone}`}`, async () => {
    const shown = await runShell(sampleStore, `TZ=${tz} petstore report stock --at today --format table`);
    if (zone !== undefined) return expect(shown).toMatchObject({ exitCode: 0, stdout: expect.stringContaining(`, ${zone}\n`) });
    const advice = 'hint: Set TZ to a name such as America/Los_Angeles or UTC, or use --utc.\n';
    expect(shown).toMatchObject({ exitCode: 2, stdout: '', stderr: `error: TZ is "${tz}", which is not the name of a time zone.\n${advice}` });
    expect(await runShell(store, `TZ=${tz} petstore category list --utc`)).toMatchObject({ exitCode: 0, stderr: '' });
  });
}
