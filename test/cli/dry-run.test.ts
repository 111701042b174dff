import { groups } from '../../src/cli/command-groups.js';
import { runAll, done, testInShop, type CliFixture, type CommandResult } from '../support/cli.js';
import { copyFileSync } from 'node:fs';
import { expect, test } from 'vitest';

/** Every command that changes the shop, with arguments that change it. */
const changes: Readonly<Record<string, readonly string[]>> = {
  'pet create': ['pet create --name Max --category Dogs --quantity 3'],
  'pet edit': ['pet edit 1 2 --name Max --category Cats --status pending'],
  'pet delete': ['pet delete 1 3 --yes'],
  'pet hold': ['pet hold 1 4'],
  'pet release': ['pet release 5'],
  'pet import': ['pet import FILE --create-categories'],
  'code add': ['code add 1 Ring-1 4006381333931'],
  'code remove': ['code remove ring-2'],
  'code import': ['code import FILE', 'code import FILE --keep-going'],
  return: ['return 4 2 --order 2'],
  'category create': ['category create --name Birds --description "With wings"'],
  'category edit': ['category edit Dogs --name Hounds --description ""'],
  'category delete': ['category delete Dogs --yes --move-to Cats'],
  'order place': ['order place --pet 4 --quantity 2', 'order place --pet 4 --complete', 'order place'],
  'order edit': ['order edit 1 3 --pet 4 --quantity 2 --ship-date 2027-01-01T00:00:00Z'],
  'order complete': ['order complete 1'],
  'order reopen': ['order reopen 2'],
  'order cancel': ['order cancel 1 3'],
  'inventory set': ['inventory set 4 12 --expect 37', 'inventory set 2 0 --allow-shortage'],
  'inventory adjust': ['inventory adjust 4 -7'],
  'inventory low-at': ['inventory low-at 4 50', 'inventory low-at --default 9'],
  'inventory import': ['inventory import FILE --allow-shortage', 'inventory import FILE --keep-going'],
  'count start': ['count start --category Dogs --status available -q'],
  'count add': ['count add Rex 5', 'count add 2 +1'],
  'count undo': ['count undo', 'count undo 1 1'],
  'count close': ['count close -q', 'count close 1 --missing zero --allow-shortage --yes -q'],
  'count cancel': ['count cancel --yes'],
  rename: ['rename Whiskers'],
  sell: ['sell 4', 'sell 4x2 2'],
  receive: ['receive 4 12'],
  undo: ['undo --yes'],
  'inventory undo': ['inventory undo --entry 18', 'inventory undo 1'],
  'token revoke': ['token revoke till --yes'],
};

/** Where else the dry runs of commands are tested, and why. */
const elsewhere: Readonly<Record<string, readonly string[]>> = {
  'the real run prints a secret; see tokens.test.ts': ['token create'],
  'needs a session of a server; see sessions.test.ts': ['session end'],
  'writes to another shop; see copy.test.ts': ['copy'],
  'asks line by line and has none; see e2e/count-scan.test.ts': ['count scan'],
  'needs an editor; see e2e/inventory-edit.test.ts': ['inventory edit'],
  'keeps the replaced shop; see restore.test.ts': ['restore'],
  'changes only a damaged shop; see doctor.test.ts': ['doctor'],
  'see hooks/sending.test.ts': ['create', 'edit', 'delete', 'pause', 'resume', 'rotate', 'resend', 'deliver'].map((verb) => `hook ${verb}`),
};

const openCount = (cli: CliFixture): Promise<void> => runAll(cli, ['count start 1 2 4', 'count add 4 30', 'count add 4 +3']);

/** Commands to run before. */
const earlier: Readonly<Record<string, (cli: CliFixture) => Promise<void>>> = {
  'code remove': (cli) => runAll(cli, ['code add 1 Ring-2']),
  undo: async (cli) => {
    cli.clock.pass(60_000);
    await runAll(cli, ['sell 4x2 2']);
  },
  'count add': openCount,
  'count undo': openCount,
  'count close': openCount,
  'count cancel': openCount,
  'token revoke': (cli) => runAll(cli, ['token create till --scope store:read']),
  'inventory undo': (cli) => runAll(cli, ['inventory adjust 4 +5', `inventory import ${cli.file('earlier.csv', 'petId,quantity\n1,7\n3,1\n')}`]),
};

const files: Readonly<Record<string, string>> = {
  'pet import': 'name,category,quantity\nMax,Dogs,2\nMia,Birds,1\n',
  'code import': 'petId,code,units\n1,Ring-1,\n2,4006381333931,20\n',
  'inventory import': 'petId,quantity\n1,7\n2,1\n4,37\n',
};

/** Prepares the commands and files before a line, and returns the line. */
async function prepared(cli: CliFixture, name: string, words: string): Promise<string> {
  await earlier[name]?.(cli);
  return words.replace('FILE', () => cli.file('rows.csv', files[name] ?? ''));
}

/** Runs the dry run and the real run from the same state. */
async function twice(
  { petstore, store, path, allRows, expectUnchanged }: CliFixture,
  line: string,
): Promise<{ readonly dry: CommandResult; readonly real: CommandResult }> {
  const dry = await expectUnchanged(() => petstore(`${line} --dry-run`));
  copyFileSync(store, path('before.db'));
  const before = allRows();
  const real = await petstore(line);
  expect(allRows()).not.toEqual(before);
  copyFileSync(path('before.db'), store);
  return { dry, real };
}

const nothing = 'Dry run: nothing was changed.';
/** The verbs of the sentences: after a change, and in a dry run. */
const verbs: Readonly<Record<string, string>> = {
  '✓ Created': 'Would create',
  '✓ Added': 'Would add',
  '✓ Removed': 'Would remove',
  '✓ Returned': 'Would return',
  '✓ Changed': 'Would change',
  '✓ Deleted': 'Would delete',
  '✓ Put': 'Would put',
  '✓ Released': 'Would release',
  '✓ Reserved': 'Would reserve',
  '✓ Sold': 'Would sell',
  '✓ Received': 'Would receive',
  '✓ Saved': 'Would save',
  '✓ Reopened': 'Would reopen',
  '✓ Cancelled': 'Would cancel',
  '✓ Revoked': 'Would revoke',
  '✓ Started': 'Would start',
  '✓ Counted': 'Would count',
  '✓ Took': 'Would take',
  '✓ Closed': 'Would close',
  '✓ Undid': 'Would undo',
  '✓ Pet': 'Pet',
  '✓ Pets': 'Pets',
  '✓ The': 'The',
  ' has ': ' would have ',
  ' is ': ' would be ',
  ' are ': ' would be ',
};

/** The sentences of a dry run for those of the change: one on a line with the end, several on lines of their own. */
function wouldBe(stdout: string): string {
  const said = stdout.trimEnd().split('\n');
  const sentences = said.map((line) => line.replaceAll(/✓ \w+| (has|is|are) /g, (verb) => verbs[verb] ?? `no dry form of ${verb}`).replace(/\.?$/, '.'));
  return sentences.length === 1 ? `${sentences[0]} ${nothing}\n` : `${[...sentences, nothing].join('\n')}\n`;
}

for (const [name, lines] of Object.entries(changes)) {
  for (const words of lines) {
    testInShop(`${words} --dry-run prints what the real run prints and writes nothing`, async (cli) => {
      const { dry, real } = await twice(cli, await prepared(cli, name, words));
      // Only a real import stores a batch that can be undone.
      const report = real.stdout.replace(/ {3}batch \d+( {3}undo: .*)?/, '');
      const expected = name in files ? { stdout: report, stderr: `${real.stderr}${nothing}\n` } : { stdout: wouldBe(real.stdout), stderr: real.stderr };
      expect([real.exitCode === 0 || real.exitCode === 5, real.stdout === '']).toEqual([true, false]);
      expect(dry).toEqual({ exitCode: real.exitCode, ...expected });
    });
    testInShop(`${words} --dry-run --json prints the answer of the real run`, async (cli) => {
      const { dry, real } = await twice(cli, `${await prepared(cli, name, words)} --json`);
      const answer = JSON.parse(real.stdout) as Readonly<Record<string, unknown>>;
      expect(JSON.parse(dry.stdout)).toEqual(name in files ? { ...answer, batch: null, dryRun: true } : answer);
    });
  }
}

testInShop('-n is --dry-run, and a dry run needs no confirmation', async ({ petstore, expectUnchanged }) => {
  await expectUnchanged(async () => {
    expect(await petstore('pet delete 1 -n')).toEqual(done('Would delete pet 1 (Rex). Dry run: nothing was changed.\n'));
    expect(await petstore('category delete Fish --move-to Dogs -n -q')).toEqual(done('Would delete category 3 (Fish). Dry run: nothing was changed.\n'));
  });
});

test('every command that changes the shop is in this list', async () => {
  const commands = (await Promise.all(groups.map(({ load }) => load()))).flat();
  const spoken = commands.filter(({ mutates }) => mutates).map(({ path }) => path.join(' '));
  expect([...Object.keys(changes), ...Object.values(elsewhere).flat()].toSorted()).toEqual(spoken.toSorted());
});
