import { expect } from 'vitest';
import { userInfo } from 'node:os';
import { runAll, done, testInShop, refused } from '../support/cli.js';

testInShop('a repeat with the same key prints the first answer, says so and changes nothing', async ({ petstore, expectUnchanged }) => {
  const line = 'inventory adjust 4 +5 --key delivery-7';
  expect(await petstore(line)).toEqual(done('✓ Pet 4 (Koi) +5: 37 → 42 on hand.\n'));
  expect(await petstore('inventory adjust 4 -2')).toEqual(done('✓ Pet 4 (Koi) -2: 42 → 40 on hand.\n'));
  await expectUnchanged(async () => {
    expect(await petstore(line)).toEqual(done('✓ Pet 4 (Koi) +5: 37 → 42 on hand.\n', 'Already done with the key "delivery-7"; nothing was changed.\n'));
    expect(await petstore(`${line} --quiet`)).toEqual(done('✓ Pet 4 (Koi) +5: 37 → 42 on hand.\n'));
    const json = await petstore(`${line} --json`);
    expect([json.exitCode, JSON.parse(json.stdout)]).toEqual([0, { petId: 4, quantity: 42, status: 'available', reserved: 0, available: 42 }]);
  });
});

testInShop('refuses a key that is not printable ASCII', async ({ petstore, expectUnchanged }) => {
  await expectUnchanged(async () => {
    const bad = refused(2, 'error: --key takes 1 to 255 printable ASCII characters.');
    for (const key of ['', 'é', 'a\nb', '\u001b[31m', 'k'.repeat(256)]) expect(await petstore(['pet', 'hold', '1', '--key', key])).toEqual(bad);
  });
  expect((await petstore(['pet', 'hold', '1', '--key', 'k'.repeat(255)])).exitCode).toBe(0);
});

testInShop('the ledger stores actor and note', async (cli) => {
  await runAll(cli, [
    'inventory adjust 4 +5 --note "delivery of Monday" --actor bob',
    'pet hold 1 --note "at the vet"',
    'category create --name Birds --note new',
  ]);
  expect(await cli.petstore('log --since 2026-11-20T08:00:00Z --fields kind,actor,note')).toEqual(
    done('adjust\tbob\tdelivery of Monday\npet.held\tana\tat the vet\ncategory.created\tana\tnew\n'),
  );
});

testInShop('a note is trimmed, normalised and free of control characters', async ({ petstore, expectUnchanged, allRows }) => {
  await petstore(['pet', 'hold', '1', '--note', '  Zoe\u0308  ']);
  expect((allRows()['ledger']?.at(-1) as { readonly note: string } | undefined)?.note).toBe('Zo\u00eb');
  await expectUnchanged(async () => {
    const bad = refused(6, 'error: note: must not contain control characters or bidi controls.');
    expect(await petstore(['pet', 'hold', '2', '--note', '\u001b[31mred'])).toEqual(bad);
    expect((await petstore(['inventory', 'import', '-', '--note', '\u001b[31mred'], { stdin: 'petId,quantity\n1,5\n' })).exitCode).toBe(6);
  });
});

testInShop('the actor comes from the flag, then PETSTORE_ACTOR, then the login name', async ({ petstore }) => {
  const last = async () => (await petstore('log --format tsv --fields actor --kind adjust')).stdout.trim().split('\n').at(-1);
  await petstore('inventory adjust 4 +1 --actor bob', { environment: { PETSTORE_ACTOR: 'carla' } });
  expect(await last()).toBe('bob');
  await petstore('inventory adjust 4 +1', { environment: { PETSTORE_ACTOR: 'carla' } });
  expect(await last()).toBe('carla');
  await petstore('inventory adjust 4 +1', { environment: { PETSTORE_ACTOR: undefined } });
  expect(await last()).toBe(userInfo().username);
  expect(await petstore(['pet', 'hold', '1', '--actor', '\u001b[31m'])).toEqual(
    refused(6, 'error: actor: must not contain control characters or bidi controls.', 'hint: Name yourself with --actor <name>.'),
  );
  expect((await petstore('pet hold 1 --actor ""')).exitCode).toBe(6);
});
