import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { dump } from '../support/cli.js';
import { editorFolder, expectFailedEditorChangesNothing, expectNothingToChange, idleScripts } from '../support/editor.js';
import { ensureBuilt, petstore, prepare, runProgram, stockedShop, type ProcessResult } from '../support/program.js';
import { startServer } from '../support/server-process.js';
import { keys, plain, runInTerminal, testInTerminal } from '../support/terminal.js';

const files = editorFolder('pets.txt');
const { folder, store, editorRuns, keptFiles } = files;
/** A change that somebody else makes while the editor is open. */
const meanwhile = (line: string): string => `"${process.execPath}" "${petstore}" --store "${store}" ${line} > /dev/null`;

beforeAll(ensureBuilt);

beforeEach(async () => {
  files.clear('everything');
  await stockedShop(store, 3, 10);
  await prepare(store, ['category', 'create', '--name', 'Pond | large'], ['pet', 'edit', '3', '--name', 'Guppy | 3']);
});

afterAll(files.remove);

function edit(script: string, ...flags: readonly string[]): Promise<ProcessResult> {
  return runProgram(store, ['pet', 'edit', '--editor', ...flags], '', editorRuns(script));
}

/** The names and category ids of the pets by id. */
function pets(): readonly (readonly [string, number])[] {
  return (dump(store)['pets'] as readonly { readonly name: string; readonly category_id: number }[]).map((pet) => [pet.name, pet.category_id]);
}

test('opens names and categories as aligned text and changes what was edited, in one transaction', async () => {
  const { stdout, stderr, exitCode } = await edit(
    String.raw`cp "$1" "${folder}/opened"; sed -i -e 's/^ *1 | Guppy 1 *|/1 | Ida |/' -e '/Guppy 2/d' -e 's/| Fish$/| pond | LARGE/; s/Ida | pond | LARGE/Ida | Fish/; s/pond | LARGE/"Pond | large"/' "$1"`,
  );
  expect(readFileSync(join(folder, 'opened'), 'utf8').split('\n').slice(2)).toEqual([
    '# id | name        | category',
    '   1 | Guppy 1     | Fish',
    '   2 | Guppy 2     | Fish',
    '   3 | "Guppy | 3" | Fish',
    '',
  ]);
  expect([exitCode, stderr]).toEqual([0, '1 pet without a line stays as it is.\n']);
  expect(stdout).toBe('✓ Changed pet 1 (Ida, Fish): available.\n✓ Changed pet 3 (Guppy | 3, Pond | large): available.\n');
  expect(pets()).toEqual([
    ['Ida', 1],
    ['Guppy 2', 1],
    ['Guppy | 3', 2],
  ]);
  expect(keptFiles()).toEqual([]);
});

test('ids, a category, a status and a search select the pets; --format csv edits CSV', async () => {
  const opened = async (...flags: readonly string[]): Promise<readonly string[]> => {
    await edit(`cp "$1" "${folder}/opened"`, '--format', 'csv', ...flags);
    return readFileSync(join(folder, 'opened'), 'utf8').split('\n').slice(2);
  };
  expect(await opened('2', 'Guppy 1')).toEqual(['id,name,category', '1,Guppy 1,Fish', '2,Guppy 2,Fish', '']);
  expect(await opened('--search', '| 3', '--category', 'fish', '--status', 'available')).toEqual(['id,name,category', '3,Guppy | 3,Fish', '']);
  await edit(`printf '\\357\\273\\277id,name,category\\r\\n2,"Ida, the ""fast""",2\\r\\n' > "$1"`, '--format', 'csv');
  expect(pets()[1]).toEqual(['Ida, the "fast"', 2]);
});

test('an unchanged file, an empty one, comments only and removed lines change nothing', () =>
  expectNothingToChange(files, edit, [...idleScripts, 'sed -i \'/Guppy 1/d\' "$1"']));

test('a line that cannot be applied changes nothing, is named with its reason, and the file is kept', async () => {
  const before = pets();
  for (const [line, reason] of [
    ['4 | Ida | Fish', 'Pet 4 was not in this file: only the pets that were opened can be changed.'],
    ['x | Ida | Fish', 'Pet x was not in this file'],
    ['2 | Ida', 'This line is not of the form: id | name | category'],
    ['2 |  | Fish', 'name: must not be blank.'],
    ['2 | Ida | Fihs', 'There is no category named "Fihs"; did you mean "Fish"?'],
    ['2 | Ida | 99', 'There is no category 99.'],
    ['1 | Ida | Fish', 'Pet 1 has more than one line.'],
  ] as const) {
    const { exitCode, stderr } = await edit(`printf '1 | Ida | Fish\\n${line}\\n' > "$1"`);
    expect([exitCode, stderr]).toEqual([6, expect.stringContaining(`pets.txt:2: ${reason}`)]);
    expect(stderr).toContain('1 line of the edited file cannot be applied; nothing was changed.');
  }
  expect(pets()).toEqual(before);
  expect(keptFiles()).toHaveLength(7);
});

test('a pet that was renamed, moved or deleted meanwhile is refused by its id; one that was only sold is not', async () => {
  const change = 'sed -i s/Guppy/Molly/ "$1"';
  expect(await edit(`${meanwhile('pet edit 2 --name Ida')}; ${change}`)).toMatchObject({
    exitCode: 4,
    stderr: expect.stringContaining('pets.txt:5: Pet 2 was changed meanwhile: it is "Ida" in Fish now. Remove this line to leave it so.'),
  });
  expect(await edit(`${meanwhile('pet edit 1 --category 2')}; ${change}`)).toMatchObject({ exitCode: 4, stderr: expect.stringContaining('Pet 1 was changed') });
  expect(await edit(`${meanwhile('inventory set 3 0')}; ${meanwhile('pet delete 3 --yes')}; ${change}`)).toMatchObject({
    exitCode: 3,
    stderr: expect.stringContaining('Pet 3 was not found.'),
  });
  expect(pets().map(([name]) => name)).not.toContain('Molly 1');
  expect(await edit(`${meanwhile('sell 1')}; ${change}`)).toMatchObject({ exitCode: 0 });
  expect(pets()[0]).toEqual(['Molly 1', 2]);
});

test('a refusal is one JSON object with --json, and says where the edited file is kept', async () => {
  const { exitCode, stdout, stderr } = await edit(`printf '1 | Ida | Fihs\\n' > "$1"`, '--json');
  const { error } = JSON.parse(stderr) as { readonly error: { readonly code: string; readonly message: string } };
  expect([exitCode, stdout, error.code]).toEqual([6, '', 'unknown_category']);
  expect(error.message).toMatch(
    /cannot be applied; nothing was changed\. .*pets\.txt:1: There is no category named "Fihs".* The edited file is kept at .*pets\.txt\.$/,
  );
});

test('without a terminal no editor is started that needs one', async () => {
  for (const EDITOR of ['', 'vi', '/usr/bin/nano']) {
    for (const flags of [[], ['--no-input']]) {
      const { exitCode, stderr } = await runProgram(store, ['pet', 'edit', '--editor', ...flags], '', { VISUAL: '', EDITOR, TMPDIR: folder });
      expect([exitCode, stderr]).toEqual([2, expect.stringContaining('There is no terminal for the editor')]);
    }
  }
});

test('the lines of a file are applied through a server, by the versions of all pets', async () => {
  const server = await startServer(store, '--require-if-match');
  try {
    const { stdout, exitCode } = await runProgram(server.address, ['pet', 'edit', '--editor'], '', editorRuns('sed -i s/Guppy/Molly/ "$1"'));
    expect([exitCode, stdout.split('\n').length]).toEqual([0, 4]);
    expect(pets().map(([name]) => name)).toEqual(['Molly 1', 'Molly 2', 'Molly | 3']);
  } finally {
    server.child.kill('SIGTERM');
    await server.ended;
  }
});

test('an editor that fails or is killed changes nothing; what was typed is kept', () => expectFailedEditorChangesNothing(files, edit, '1 | Ida | Fish'));

test('--dry-run and --note are those of every change', async () => {
  const before = dump(store);
  const { stdout } = await edit('sed -i "s/Guppy 1/Ida/" "$1"', '--dry-run');
  expect([stdout, dump(store)]).toEqual(['Would change pet 1 (Ida, Fish): available. Dry run: nothing was changed.\n', before]);
  await edit('sed -i "s/Guppy 1/Ida/" "$1"', '--note', 'after the vet');
  expect((await runProgram(store, ['log', '--pet', '1', '--kind', 'pet.updated', '--fields', 'note'])).stdout).toBe('after the vet\n');
});

test('flags that do not fit --editor are refused, and ids of no pet', async () => {
  expect(await edit('exit 3', '--name', 'Ida')).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('--name and --editor exclude each other') });
  expect(await edit('exit 3', '99')).toMatchObject({ exitCode: 3 });
  expect(await runProgram(store, ['pet', 'edit', '1', '--search', 'x'])).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('--search') });
  expect(await runProgram(store, ['pet', 'edit', '--name', 'x'])).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('Which pet?') });
});

testInTerminal('at a terminal the changes are shown and confirmed, and a file with mistakes is opened again with them', async () => {
  const script = String.raw`if grep -q '^#!' "$1"; then cp "$1" "${folder}/again"; sed -i 's/ Fihs/ Fish/' "$1"; else sed -i 's/Guppy 1 *| Fish/Ida | Fihs/' "$1"; fi`;
  const { stdout, exitCode } = await runInTerminal(store, 'pet edit --editor', [[/Change this pet\? /, `y${keys.enter}`]], { more: editorRuns(script) });
  expect(readFileSync(join(folder, 'again'), 'utf8')).toMatch(/^#! There is no category named "Fihs"; did you mean "Fish"\?\n +1 \| Ida \| Fihs$/m);
  expect([exitCode, plain(stdout)]).toEqual([0, expect.stringMatching(/1 +Guppy 1, Fish +Ida, Fish/)]);
  expect(pets()[0]).toEqual(['Ida', 1]);
});

testInTerminal('a line that was refused because of another change is applied once its comment is removed', async () => {
  const script = String.raw`if grep -q '^#!' "$1"; then sed -i '/^#!/d' "$1"; else ${meanwhile('pet edit 1 --name Otto')}; sed -i 's/Guppy 1/Ida/' "$1"; fi`;
  const { exitCode } = await runInTerminal(store, 'pet edit --editor', [[/Otto[^]*Change this pet\? /, `y${keys.enter}`]], { more: editorRuns(script) });
  expect([exitCode, pets()[0]]).toEqual([0, ['Ida', 1]]);
});
