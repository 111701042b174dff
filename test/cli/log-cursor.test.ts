import { existsSync, lstatSync, symlinkSync } from 'node:fs';
import { expect } from 'vitest';
import { lines, refused, testInShop, type CliFixture } from '../support/cli.js';

async function idsOf({ petstore }: CliFixture, line: string): Promise<readonly number[]> {
  const { exitCode, stdout } = await petstore(`${line} --format ids`);
  expect(exitCode).toBe(0);
  return stdout.split('\n').filter(Boolean).map(Number);
}

testInShop('log --after prints every later entry, oldest first, with the filters of the log', async (cli) => {
  const all = await idsOf(cli, 'log --after 0');
  expect(all).toEqual(await idsOf(cli, 'log'));
  const newest = all.at(-1) ?? 0;
  expect(await idsOf(cli, `log --after ${newest}`)).toEqual([]);
  await cli.petstore('pet hold 1');
  await cli.petstore('pet hold 2');
  expect(await idsOf(cli, `log --after ${newest}`)).toEqual([newest + 1, newest + 2]);
  expect(await idsOf(cli, `log --after ${newest} --pet 2`)).toEqual([newest + 2]);
  expect(await idsOf(cli, `log --after ${newest} -L 1`)).toEqual([newest + 1]);
});

testInShop('--cursor-file goes on where the last run stopped, and keeps its position past entries that do not match', async (cli) => {
  const { petstore, path, read } = cli;
  const run = (more = '') => idsOf(cli, `log --cursor-file ${path('cursor')}${more}`);
  const all = await run();
  expect(all).toEqual(await idsOf(cli, 'log'));
  const newest = all.at(-1) ?? 0;
  expect(read('cursor')).toMatch(new RegExp(`^${newest}-[0-9a-z]+\n$`));
  await petstore('pet hold 1');
  expect(await run(' --pet 2')).toEqual([]);
  expect(await run()).toEqual([]);
  await petstore('pet hold 2');
  await petstore('pet release 2');
  expect(await run(' -L 1')).toEqual([newest + 2]);
  expect(await run()).toEqual([newest + 3]);
  expect(await idsOf(cli, `log --cursor-file ${path('from-now')} --new`)).toEqual([]);
  await petstore('pet release 1');
  expect(await idsOf(cli, `log --cursor-file ${path('from-now')} --new`)).toEqual([newest + 4]);
});

testInShop('a cursor file that cannot be written is refused before anything is printed, and a link leads to it', async (cli) => {
  const { petstore, path, store, file, read } = cli;
  for (const [name, problem] of [
    ['none/cursor', 'is in a folder that does not exist'],
    ['.', 'is a folder'],
  ] as const)
    expect(await petstore(`log --cursor-file ${path(name)}`)).toEqual(refused(2, `error: --cursor-file: ${path(name)} ${problem}.`));
  // SQLite would read it as a journal of the shop.
  expect((await petstore(`log --cursor-file ${store}-journal`)).stderr).toContain('-journal is in use by this command.');
  symlinkSync(file('cursor', '0\n'), path('link'));
  await idsOf(cli, `log --cursor-file ${path('link')} -L 1`);
  expect([lstatSync(path('link')).isSymbolicLink(), read('cursor')]).toEqual([true, expect.stringMatching(/^1-/)]);
});

testInShop('--batches prints an import and its undo as one line each', async (cli) => {
  const { petstore, path } = cli;
  const run = async () => (await petstore(`log --cursor-file ${path('cursor')} --batches --format ndjson --fields id,kind,batchId,petId,note`)).stdout;
  await run();
  const [newest = 0] = (await idsOf(cli, 'log')).slice(-1);
  await petstore('inventory import -', { stdin: 'petId,quantity\n3,7\n4,8\n' });
  await petstore('pet hold 1');
  await petstore('inventory undo 1 --yes');
  const rows = (await run())
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Readonly<Record<string, unknown>>);
  expect(rows.map(({ kind, batchId }) => [kind, batchId])).toEqual([
    ['batch.applied', 1],
    ['pet.held', undefined],
    ['batch.undone', 1],
  ]);
  expect(rows[0]).toEqual({ id: newest + 2, kind: 'batch.applied', batchId: 1, note: '2 applied, 0 unchanged, 0 rejected' });
});

testInShop('a position of another shop, or from before a restored backup, is refused with cursor_unknown', async (cli) => {
  const { petstore, path, file } = cli;
  const [newest = 0] = (await idsOf(cli, 'log')).slice(-1);
  const unknown = (text: string) =>
    refused(
      4,
      `error: The ledger of this shop does not hold entry ${text}: its newest entry is ${newest}. It is of another shop, or the shop went back to a backup.`,
    );
  expect(await petstore('log --after 999')).toEqual(unknown('999'));
  expect(await petstore(`log --cursor-file ${file('cursor', '1-zzz\n')}`)).toEqual(unknown('1-zzz'));
  const wrong: readonly (readonly [line: string, message: string])[] = [
    ['log --after x', '--after is not the id of a ledger entry: "x".'],
    [`log --cursor-file ${file('other', 'not a cursor')}`, `The content of ${path('other')} is not the id of a ledger entry: "not a cursor".`],
    [`log --after 1 --cursor-file ${path('none')}`, 'Give --after or --cursor-file, not both.'],
    ['log --after 1 --since today', '--after and --cursor-file exclude --since and --until.'],
    [`log --cursor-file ${path('none')} --jq .`, '--cursor-file excludes --jq; pipe the output to jq.'],
    ['log --batches', '--new and --batches go with --after or --cursor-file.'],
  ];
  for (const [line, message] of wrong) expect(await petstore(line)).toMatchObject({ exitCode: 2, stderr: expect.stringContaining(message) as string });
  expect(existsSync(path('none'))).toBe(false);
});

testInShop('an edit records the new values beside the former ones', async ({ petstore }) => {
  await petstore('pet edit 1 --name Max');
  await petstore('inventory low-at 1 3');
  await petstore('category edit Dogs --description "All dogs"');
  const { stdout } = await petstore('log --format tsv --fields kind,previous,current --kind pet.updated --kind category.updated -L 3');
  expect(stdout).toBe(
    lines(
      'pet.updated\t{"name":"Rex"}\t{"name":"Max"}',
      'pet.updated\t{"lowAt":null}\t{"lowAt":3}',
      'category.updated\t{"description":"All breeds"}\t{"description":"All dogs"}',
    ),
  );
});
