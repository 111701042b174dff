import { chmodSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, beforeEach, expect, test } from 'vitest';
import { dump } from '../support/cli.js';
import { runHosted, stockedShop, type CommandResult } from '../support/program.js';
import { startProxy } from '../support/proxy.js';
import { startServer } from '../support/server-process.js';
import { testFolder } from '../support/files.js';
import { keys, plain, runInTerminal, testInTerminal } from '../support/terminal.js';

const folder = testFolder();
const store = join(folder, 'shop.db');
const editor = join(folder, 'editor');
const edited = join(folder, 'edited');

beforeAll(() => stockedShop(store, 3, 10));

function clearEdited(): void {
  rmSync(edited, { recursive: true, force: true });
  mkdirSync(edited);
}

beforeEach(clearEdited);

/** The environment in which the editor runs a shell script; "$1" is the file. */
function editorRuns(script: string): Readonly<Record<string, string>> {
  writeFileSync(editor, `#!/bin/sh\n${script}\n`);
  chmodSync(editor, 0o700);
  return { VISUAL: editor, TMPDIR: edited };
}

/** The texts of the edited files that were kept. */
function keptFiles(): readonly string[] {
  const names = readdirSync(edited, { recursive: true }).map(String);
  return names.filter((name) => name.endsWith('stock.txt')).map((name) => readFileSync(join(edited, name), 'utf8'));
}

function edit(script: string, ...flags: readonly string[]): Promise<CommandResult> {
  return runHosted(store, ['inventory', 'edit', ...flags], editorRuns(script));
}

/** The quantities of the pets by id. */
function quantities(): readonly number[] {
  return (dump(store)['stock'] as readonly { readonly quantity: number }[]).map(({ quantity }) => quantity);
}

test('opens the stock as aligned text and changes what was edited; a removed line leaves its pet as it is', async () => {
  const { stdout, exitCode } = await edit(String.raw`cp "$1" "${folder}/opened"; sed -i -e 's/^\( *1  *10  *\)10/\112/' -e '/Guppy 2/d' "$1"`);
  expect(readFileSync(join(folder, 'opened'), 'utf8').split('\n').slice(2)).toEqual([
    '#  petId  expected  quantity  name',
    '       1        10        10  Guppy 1',
    '       2        10        10  Guppy 2',
    '       3        10        10  Guppy 3',
    '',
  ]);
  expect([exitCode, stdout]).toEqual([0, expect.stringMatching(/^✓ 1 applied, 1 unchanged, 0 rejected/)]);
  expect([quantities(), keptFiles()]).toEqual([[12, 10, 10], []]);
});

test('a filter selects the pets; --format csv edits CSV, whose answer is the same', async () => {
  const { stdout } = await edit(
    String.raw`cat "$1" > "${folder}/opened"; sed -i 's/^3,Guppy 3,10,10/3,Guppy 3,10,11/' "$1"`,
    '--search',
    '3',
    '--format',
    'csv',
  );
  expect(readFileSync(join(folder, 'opened'), 'utf8').split('\n').slice(2)).toEqual(['petId,name,expected,quantity', '3,Guppy 3,10,10', '']);
  expect(stdout).toMatch(/^✓ 1 applied/);
  expect(quantities()).toEqual([12, 10, 11]);
});

test('an unchanged file, an empty one and one with comments only change nothing', async () => {
  const before = dump(store);
  for (const script of ['exit 0', ': > "$1"', 'sed -i \'/^ /d\' "$1"']) {
    const { exitCode, stdout, stderr } = await edit(script);
    expect([script, exitCode, stdout, stderr]).toEqual([script, 0, '', expect.stringMatching(/nothing was changed\.\n$/)]);
  }
  expect([dump(store), keptFiles()]).toEqual([before, []]);
});

test('a pet that was not listed is added by its id, with - for no expected quantity', async () => {
  await edit('echo "2 - 25" >> "$1"', '--search', '3');
  expect(quantities()).toEqual([12, 25, 11]);
});

test('the same edit is applied again after its stock is back, and refused where a sale left the new quantity', async () => {
  const toTwelve = String.raw`sed -i 's/^\( *2  *25  *\)25/\112/' "$1"`;
  for (const _ of ['first', 'again']) {
    await runHosted(store, ['inventory', 'set', '2', '25']);
    expect((await edit(toTwelve, '--search', '2')).stdout).toMatch(/^✓ 1 applied/);
  }
  await runHosted(store, ['inventory', 'set', '2', '25']);
  const refused = await edit(`${toTwelve}; "${process.execPath}" bin/petstore.js inventory set 2 12 --quiet`, '--search', '2');
  expect([refused.exitCode, refused.stderr]).toEqual([4, expect.stringContaining('has 12 on hand, expected 25.')]);
  clearEdited();
  await runHosted(store, ['inventory', 'set', '2', '25']);
});

test('a line that cannot be applied changes nothing, is named with its reason, and the file is kept', async () => {
  const before = quantities();
  for (const [line, reason, ends] of [
    ['1 12 many', 'quantity "many" is not a whole number.', 6],
    ['1 12', 'This line needs the id of a pet, the expected quantity or -, and the new quantity.', 6],
    ['99 1 2', 'There is no pet 99.', 6],
    ['1 7 9', 'Pet 1 has 12 on hand, expected 7.', 4],
    ['2 25 27', 'Pet 2 has more than one line.', 6],
  ] as const) {
    const { exitCode, stderr } = await edit(`printf '2 25 26\\n${line}\\n' > "$1"`);
    expect([exitCode, stderr]).toEqual([ends, expect.stringContaining(`stock.txt:2: ${reason}`)]);
    expect(stderr).toMatch(/[12] lines? of the edited file cannot be applied; nothing was changed\./);
  }
  expect(quantities()).toEqual(before);
  expect(keptFiles().toSorted()[0]).toBe('2 25 26\n1 12\n');
});

test('an editor that fails, is killed or is missing changes nothing; what was typed is kept', async () => {
  const before = dump(store);
  expect(await edit('exit 3')).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('ended with 3; nothing was changed.') });
  expect(keptFiles()).toEqual([]);
  const killed = await edit('echo "1 12 1" > "$1"; kill -9 $$');
  expect(killed).toMatchObject({ exitCode: 1, stderr: expect.stringMatching(/The edited file is kept at .*\.txt\.\nerror: .*was stopped by SIGKILL/) });
  expect(keptFiles()).toEqual(['1 12 1\n']);
  const missing = await runHosted(store, ['inventory', 'edit'], { ...editorRuns(''), VISUAL: '', EDITOR: 'no-such-editor' });
  expect(missing).toMatchObject({ exitCode: 2, stderr: 'error: The editor "no-such-editor" cannot be run.\nhint: Set VISUAL or EDITOR to your editor.\n' });
  expect(dump(store)).toEqual(before);
});

test('more than 5000 pets are refused before the editor opens; a filter narrows them', async () => {
  const large = join(folder, 'large.db');
  await stockedShop(large, 5001, 1);
  const run = (...flags: readonly string[]): Promise<CommandResult> => runHosted(large, ['inventory', 'edit', ...flags], editorRuns('exit 3'));
  expect(await run()).toMatchObject({
    exitCode: 2,
    stderr: expect.stringMatching(/^error: 5,001 pets are too many to edit at once; at most 5,000 can be edited\.\nhint: Narrow them with a filter/),
  });
  expect(await run('--search', '42')).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('ended with 3') });
});

test('reads the line ends, the byte order mark and the new file of an editor, and names what it cannot read', async () => {
  const [pet, ...others] = quantities();
  for (const script of ['tr "\\n" "\\r" < "$1" > "$1.new"', String.raw`printf '\357\273\277' > "$1.new"; sed 's/$/\r/' "$1" >> "$1.new"`])
    for (const format of ['table', 'csv']) {
      const { stdout, stderr } = await edit(`${script}; mv "$1.new" "$1"`, '--format', format);
      expect([stderr, stdout]).toEqual(['', expect.stringMatching(/^✓ 0 applied, 3 unchanged/)]);
    }
  const utf16 = await edit(String.raw`printf '1\0 \0-\0 \0009\0' > "$1"`);
  expect(utf16).toMatchObject({ exitCode: 6, stderr: expect.stringContaining('The edited file contains a NUL byte; nothing was changed.') });
  const removed = await edit('rm "$1"');
  expect(removed).toMatchObject({ exitCode: 2, stderr: expect.stringMatching(/^error: .*stock\.txt does not exist\.\n$/) });
  const replaced = await edit('rm "$1"; mkdir "$1"');
  expect(replaced).toMatchObject({ exitCode: 2, stderr: expect.stringMatching(/stock\.txt is no longer a file; nothing was changed\.\n$/) });
  expect(quantities()).toEqual([pet, ...others]);
});

test('a link to a device, a FIFO or a very large file in place of the edited one is refused without being read', async () => {
  for (const script of ['ln -sf /dev/zero "$1"', 'rm "$1"; mkfifo "$1"']) {
    const { exitCode, stderr } = await edit(script);
    expect([exitCode, stderr]).toEqual([2, expect.stringContaining('is no longer a file; nothing was changed.')]);
  }
  const { exitCode, stderr } = await edit('truncate -s 3G "$1"');
  expect([exitCode, stderr]).toEqual([6, expect.stringContaining('The edited file has 3221225472 bytes; at most 16777216 can be read.')]);
  clearEdited();
});

test('the lines of an edited CSV file are named as they are numbered in it', async () => {
  const { stderr } = await edit(String.raw`printf '\n# a comment\npetId,quantity\n# another\n\n99,1\n' > "$1"`, '--format', 'csv');
  expect(stderr).toContain('stock.csv:6: There is no pet 99.');
  const noHeader = await edit('sed -i /petId/d "$1"', '--format', 'csv');
  expect(noHeader.stderr).toContain('the edited file');
});

test('a connection that is lost while the figures are sent keeps the edited file, and says how to find out whether they were applied', async () => {
  const server = await startServer(store);
  const proxy = await startProxy(Number(new URL(server.address).port));
  proxy.breakAt('POST /store/imports', 'after');
  try {
    const address = `http://127.0.0.1:${proxy.port}`;
    const { exitCode, stderr } = await runHosted(address, ['inventory', 'edit'], editorRuns('echo "3 - 11" > "$1"'));
    expect(exitCode).toBe(7);
    expect(stderr).toMatch(
      /^The edited file is kept at .*stock\.txt\.\nerror: The connection to .* was lost; it is unknown whether the edited figures were applied\.\nhint: Check before trying again: petstore log\n$/,
    );
  } finally {
    await proxy.close();
    await server.stop();
  }
});

test('--dry-run changes nothing', async () => {
  const before = dump(store);
  const { stdout } = await edit('echo "1 12 30" > "$1"', '--dry-run');
  expect([stdout, dump(store)]).toEqual([expect.stringMatching(/^✓ 1 applied/), before]);
});

testInTerminal('at a terminal the changes are shown and confirmed, and a file with mistakes is opened again with them', async () => {
  const script = String.raw`if grep -q '^#!' "$1"; then cp "$1" "${folder}/again"; sed -i 's/ nine/ 9/' "$1"; else sed -i 's/^\( *1  *12  *\)12/\1nine/' "$1"; fi`;
  const { stdout, exitCode } = await runInTerminal(store, 'inventory edit', [[/Apply this change\? /, `y${keys.enter}`]], { more: editorRuns(script) });
  expect(readFileSync(join(folder, 'again'), 'utf8')).toMatch(/^#! quantity "nine" is not a whole number\.\n +1 +12 +nine +Guppy 1$/m);
  expect([exitCode, plain(stdout)]).toEqual([0, expect.stringMatching(/1 +Guppy 1 +12 +9 +-3/)]);
  expect(quantities()).toEqual([9, 25, 11]);
});

testInTerminal('a no keeps the edited file, and a file closed with the same mistakes ends', async () => {
  const no = await runInTerminal(store, 'inventory edit', [[/Apply this change\? /, `n${keys.enter}`]], { more: editorRuns('echo "1 9 8" > "$1"') });
  expect([no.exitCode, plain(no.stdout)]).toEqual([130, expect.stringContaining('The edited file is kept at')]);
  const same = await runInTerminal(store, 'inventory edit', [], { more: editorRuns('grep -q "^#!" "$1" || echo "1 9 x" > "$1"') });
  expect([same.exitCode, plain(same.stdout)]).toEqual([6, expect.stringContaining('closed with the same mistakes; nothing was changed.')]);
  expect(quantities()).toEqual([9, 25, 11]);
});
