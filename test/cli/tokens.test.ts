import { expect } from 'vitest';
import { runAll, done, testInShop, lines, refused } from '../support/cli.js';

const shownOnce = lines(
  'The token is shown only once; keep it as safe as a password.',
  'Use it as PETSTORE_TOKEN=… for commands, or in the header "Authorization: Bearer …" for HTTP requests.',
);
const till = 'token create till --scope store:write';

testInShop('token create prints only the token, in a pipe and in a terminal', async (cli) => {
  for (const [line, around] of [
    [till, {}],
    [till.replace('till', 'web'), { terminal: 120 }],
  ] as const) {
    const { exitCode, stdout, stderr } = await cli.petstore(line, around);
    expect([exitCode, stderr]).toEqual([0, shownOnce]);
    expect(stdout).toMatch(/^pst_[12]_[\w-]{43}\n$/);
    expect(JSON.stringify(cli.allRows())).not.toContain(stdout.trim().slice(6));
  }
  expect((await cli.petstore('token create third --scope admin --quiet')).stderr).toBe('');
});

testInShop('token create --json prints the record and the token', async ({ petstore }) => {
  const { stdout, stderr } = await petstore('token create till --scope store:write,pets:read --scope admin --expires 90d --json');
  const { token, ...record } = JSON.parse(stdout) as { readonly token: string };
  expect(token).toMatch(/^pst_1_[\w-]{43}$/);
  expect(record).toEqual({
    id: 1,
    name: 'till',
    scopes: ['pets:read', 'store:write', 'admin'],
    createdAt: '2026-11-20T09:00:00.000Z',
    expiresAt: '2027-02-18T09:00:00.000Z',
  });
  expect(stderr).toBe(shownOnce);
});

testInShop('token create prints other formats', async ({ petstore }) => {
  expect((await petstore('token create a --scope admin --fields name,scopes')).stdout).toBe('a\tadmin\n');
  expect((await petstore('token create b --scope pets:read,store:read --format csv --fields id,scopes')).stdout).toBe('id,scopes\n2,"pets:read,store:read"\n');
  expect((await petstore('token create c --scope admin --format ids')).stdout).toBe('3\n');
  const { stdout } = await petstore('token create d --scope admin --format table', { terminal: 100 });
  expect(stdout.replace(/[\w-]{43}\n/, '…\n')).toBe(lines('ID       4', 'Name     d', 'Scopes   admin', 'Created  today 09:00', 'Token    pst_4_…'));
});

testInShop('token create --dry-run creates and prints no token', async ({ petstore, expectUnchanged }) => {
  await expectUnchanged(async () => {
    expect(await petstore(`${till} --dry-run`)).toEqual(done('Would create token 1 (till). Dry run: nothing was changed.\n'));
    const { stdout } = await petstore(`${till} -n --json`);
    expect(JSON.parse(stdout)).toEqual({ id: 1, name: 'till', scopes: ['store:write'], createdAt: '2026-11-20T09:00:00.000Z' });
  });
});

const scopes = 'pets:read, pets:write, store:read, store:write, admin';
const times =
  '--expires takes a day such as 2026-12-31, a duration such as 12h, 90d or 8w, or a time such as 2026-11-20T09:30, "2026-11-20 09:30:15", 2026-11-20T09:30Z or 2026-11-20T09:30+01:00';

/** Invalid token create lines and their errors. */
const wrong: readonly (readonly [line: string, exitCode: number, ...errors: readonly string[]])[] = [
  ['token create till', 2, 'error: Which scope?', 'hint: Add --scope store:write; there are pets:read, pets:write, store:read, store:write, admin.'],
  ['token create till --scope store', 2, `error: --scope takes one or more of ${scopes}, not "store".`],
  ['token create till --scope admin,', 2, `error: --scope takes one or more of ${scopes}, not "".`],
  [`${till} --expires soon`, 2, `error: ${times}, not "soon".`],
  [`${till} --expires 2026-11-19`, 6, 'error: expires: must be in the future, not 2026-11-19T23:59:59.999Z.'],
  ['token create "" --scope admin', 6, 'error: name: must not be blank.'],
  [`${till} --key k`, 2, 'error: "--key" is not a flag of petstore token create.', 'hint: petstore token create --help'],
  [
    `${till} --fields nope`,
    2,
    'error: "nope" is not a field of this command.',
    'hint: The fields are id, name, scopes, createdAt, lastUsedAt, expiresAt, token.',
  ],
];

for (const [line, exitCode, ...errors] of wrong) {
  testInShop(`${line}: ${errors[0]}`, async ({ petstore, expectUnchanged }) => {
    expect(await expectUnchanged(() => petstore(line))).toEqual(refused(exitCode, ...errors));
  });
}

testInShop('a token name is unique until the token is revoked', async (cli) => {
  const { petstore, expectUnchanged } = cli;
  await runAll(cli, [till]);
  const taken = refused(6, 'error: name: "till" is already the name of token 1.', 'hint: petstore token list');
  expect(await expectUnchanged(() => petstore(till))).toEqual(taken);
  await runAll(cli, ['token revoke till --yes', till]);
});

testInShop('token list prints tokens, or nothing without tokens', async (cli) => {
  const { petstore, clock, sql } = cli;
  expect(await petstore('token list')).toEqual(done(''));
  expect(await petstore('token list', { terminal: 100 })).toEqual(done('', 'Nothing found.\n'));
  expect(await petstore('token list --json')).toEqual(done('[]\n'));
  await runAll(cli, ['token create till --scope store:write,pets:read --expires 2026-12-31', 'token create web --scope admin']);
  clock.pass(3_600_000);
  sql('UPDATE tokens SET last_used_at = ? WHERE id = 2', Date.parse('2026-11-20T09:58:00Z'));
  expect(await petstore('token list', { terminal: 100 })).toEqual(
    done(
      lines(
        'ID  Name  Scopes                 Created      Last used    Expires',
        ' 1  till  pets:read,store:write  today 09:00               Dec 31 23:59',
        ' 2  web   admin                  today 09:00  today 09:58',
      ),
    ),
  );
  expect(await petstore('tokens ls')).toEqual(
    done(
      lines(
        '1\ttill\tpets:read,store:write\t2026-11-20T09:00:00.000Z\t\t2026-12-31T23:59:59.999Z',
        '2\tweb\tadmin\t2026-11-20T09:00:00.000Z\t2026-11-20T09:58:00.000Z\t',
      ),
    ),
  );
  expect(JSON.parse((await petstore('token list --json name,scopes')).stdout)).toEqual([
    { name: 'till', scopes: ['pets:read', 'store:write'] },
    { name: 'web', scopes: ['admin'] },
  ]);
});

testInShop('token revoke asks first and prints the revoked token', async (cli) => {
  const { petstore, expectUnchanged } = cli;
  await runAll(cli, [till, 'token create web --scope admin']);
  const unsure = refused(2, 'error: Revoke the token till? Confirmation required.', 'hint: Confirm with --yes, or preview with --dry-run.');
  expect(await expectUnchanged(() => petstore('token revoke till'))).toEqual(unsure);
  expect(await expectUnchanged(() => petstore('token revoke till -n'))).toEqual(done('Would revoke token 1 (till). Dry run: nothing was changed.\n'));
  expect(await petstore('token revoke till -y')).toEqual(done('✓ Revoked token 1 (till).\n'));
  expect(await petstore('token revoke till')).toEqual(await petstore('token revoke till -y'));
  expect(await expectUnchanged(() => petstore('token revoke till -y'))).toEqual(
    refused(3, 'error: There is no token named "till".', 'hint: petstore token list'),
  );
  const { stdout } = await petstore('token revoke web --yes --json');
  expect(JSON.parse(stdout)).toEqual({ id: 2, name: 'web', scopes: ['admin'], createdAt: '2026-11-20T09:00:00.000Z' });
  expect(await petstore('token list')).toEqual(done(''));
});
