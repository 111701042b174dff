import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, statSync, symlinkSync } from 'node:fs';
import { dirname } from 'node:path';
import { expect } from 'vitest';
import { testInShop, lines, refused } from '../support/cli.js';

testInShop('a file that names its pets is refused with the flag to add', async (cli) => {
  for (const [header, flags] of [
    ['name', '--match name'],
    ['Name', '--match name --map "Name=name"'],
  ] as const) {
    const path = cli.file('named.csv', `${header},quantity\nKoi,5\n`);
    const { exitCode, stderr } = await cli.petstore(`inventory import ${path}`);
    expect([exitCode, stderr.split('\n')[1]]).toEqual([6, `hint: The file names its pets: add ${flags}.`]);
    expect(await cli.petstore(`inventory import ${path} ${flags} --key ${header}`)).toMatchObject({ exitCode: 0 });
  }
  const path = cli.file('other.csv', 'pet,quantity\nKoi,5\n');
  const { stderr } = await cli.petstore(`inventory import ${path}`);
  expect(stderr).toContain('hint: To read another column, add --map "pet=petId" or --map "pet=code"; if it has names, add --match name --map "pet=name".\n');
  expect(await cli.petstore(`inventory import ${path} --match name --map pet=name`)).toMatchObject({ exitCode: 0 });
});

for (const noun of ['pet', 'inventory']) {
  const command = `${noun} import`;
  testInShop(`${command}: reports a missing file`, async ({ petstore, path, expectUnchanged }) => {
    await expectUnchanged(async () => {
      expect(await petstore(`${command} ${path('nowhere.csv')}`)).toEqual(refused(2, `error: ${path('nowhere.csv')} does not exist.`));
      const told = await petstore(`${command} ${path('nowhere.csv')} --format json`);
      expect([told.exitCode, told.stdout, JSON.parse(told.stderr)]).toMatchObject([2, '', { error: { code: 'usage', exitCode: 2 } }]);
      expect((await petstore(`${command} ${path('shop.db')}/x.csv`)).stderr).toBe(`error: ${path('shop.db')}/x.csv has a parent that is not a folder.\n`);
    });
  });

  testInShop(`${command}: refuses a folder`, async ({ petstore, path, expectUnchanged }) => {
    mkdirSync(path('folder'));
    await expectUnchanged(async () => {
      expect(await petstore(`${command} ${path('folder')}`)).toEqual(refused(2, `error: ${path('folder')} is a folder.`));
    });
  });

  testInShop(`${command}: does not read a file from a terminal`, async ({ petstore, expectUnchanged }) => {
    await expectUnchanged(async () => {
      for (const line of [command, `${command} -`]) {
        for (const around of [{}, { terminal: 80, environment: { PETSTORE_NO_INPUT: '1' } }]) {
          expect(await petstore(line, around)).toEqual(
            refused(2, 'error: No file to import.', `hint: Name a file, or pipe one in; see: petstore ${command} --help`),
          );
        }
      }
      expect(JSON.parse((await petstore(`${command} - --format json`)).stderr)).toMatchObject({ error: { code: 'input_required' } });
    });
  });

  testInShop(`${command}: refuses an empty file and a binary file`, async ({ petstore, file, expectUnchanged }) => {
    await expectUnchanged(async () => {
      expect(await petstore(`${command} ${file('empty.csv', '')}`)).toEqual(refused(6, `error: ${file('empty.csv', '')} is empty.`));
      expect((await petstore(`${command} -`, { stdin: '' })).stderr).toBe('error: Standard input is empty.\n');
      const binary = await petstore(`${command} ${file('photo.csv', Uint8Array.from([0xff, 0xd8, 0xff, 0xe0, 0, 16]))}`);
      expect([binary.exitCode, binary.stderr.split('\n')[0]]).toEqual([6, `error: Line 1 of ${file('photo.csv', '')} is not valid UTF-8.`]);
    });
  });

  testInShop(`${command}: refuses invalid flags`, async ({ petstore, expectUnchanged }) => {
    const wrong: readonly (readonly [flags: string, message: string])[] = [
      ['--map Count', `--map takes their header and ours, such as "Animal's Name=name", not "Count".`],
      ['--map =name', `--map takes their header and ours, such as "Animal's Name=name", not "=name".`],
      ['--input-format xml', '--input-format takes one of csv, tsv, ndjson, json, not "xml".'],
      ['--delimiter ab', '--delimiter takes one character other than a quote or a line end, not "ab".'],
      ['--max-errors some', '--max-errors takes a whole number, not "some".'],
    ];
    await expectUnchanged(async () => {
      for (const [flags, message] of wrong) expect(await petstore(`${command} - ${flags}`, { stdin: 'a,b\n1,2\n' })).toEqual(refused(2, `error: ${message}`));
      expect((await petstore(`${command} - --map Count=colour`, { stdin: 'a,b\n1,2\n' })).exitCode).toBe(6);
      expect((await petstore(`${command} - another`, { stdin: 'a,b\n1,2\n' })).exitCode).toBe(2);
    });
  });
}

const stockFile = 'petId;quantity;note\r\n1;3;"a;b"\r\n91;1;"said ""no"""\r\n2;x;ü\r\n';
const stockRejects = lines(
  'petId,quantity,note,guarded,_line,_code,_message',
  '91,1,"said ""no""",,3,unknown_pet,There is no pet 91.',
  '2,x,ü,,4,invalid_quantity,"quantity ""x"" is not a whole number."',
);

testInShop('--rejects writes the refused rows with line, code and message, readable only by the owner', async ({ petstore, path, read }) => {
  const { exitCode } = await petstore(`inventory import - --keep-going --rejects ${path('bad.csv')}`, { stdin: stockFile });
  expect([exitCode, read('bad.csv')]).toEqual([5, stockRejects]);
  expect(statSync(path('bad.csv')).mode & 0o777).toBe(0o600);
});

testInShop('--rejects keeps the format of the file', async ({ petstore, path, read }) => {
  const ndjson = '{"petId":1,"quantity":2}\n{"petId":91,"quantity":1,"note":"x"}\n{"petId":2,"quantity":"many"}\n';
  await petstore(`inventory import - --keep-going --rejects ${path('bad.ndjson')}`, { stdin: ndjson });
  expect(
    read('bad.ndjson')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as unknown),
  ).toEqual([
    { petId: 91, quantity: 1, note: 'x', _line: 2, _code: 'unknown_pet', _message: 'There is no pet 91.' },
    { petId: 2, quantity: 'many', _line: 3, _code: 'invalid_quantity', _message: 'quantity "many" is not a whole number.' },
  ]);
  await petstore(`inventory import - --keep-going --rejects ${path('bad.tsv')}`, { stdin: 'petId\tquantity\n91\t1\n1\t4\n' });
  expect(read('bad.tsv')).toBe('petId\tquantity\tguarded\t_line\t_code\t_message\n91\t1\t\t2\tunknown_pet\tThere is no pet 91.\n');
});

testInShop('--rejects marks its file as UTF-8 if the source was not, so that the encoding of the source is refused', async ({ petstore, path, read, file }) => {
  const line = `inventory import ${file('latin.csv', Buffer.from('petId,delta,note\n99,1,größer\n', 'latin1'))} --encoding windows-1252`;
  await petstore(`${line} --rejects ${path('bad.csv')}`);
  expect(read('bad.csv')).toMatch(/^\u{feff}petId,delta,note,.*\n99,1,größer,/u);
  file('bad.csv', read('bad.csv').replace('\n99,', '\n1,'));
  const { exitCode, stderr } = await petstore(`inventory import ${path('bad.csv')} --encoding windows-1252`);
  // The hint replaces the encoding that was given.
  const next = `hint: petstore inventory import ${path('bad.csv')} --encoding utf-8`;
  expect([exitCode, stderr]).toEqual([6, `error: ${path('bad.csv')} is UTF-8 text, not windows-1252.\n${next}\n`]);
  expect(await petstore(`inventory import ${path('bad.csv')}`)).toMatchObject({ exitCode: 0 });
  expect(await petstore('log -L 1 --fields note')).toMatchObject({ stdout: 'größer\n' });
});

testInShop('refuses a --rejects file that is in use, and imports nothing', async ({ petstore, path, file, read, expectUnchanged }) => {
  mkdirSync(path('folder'));
  const mixed = file('mixed.csv', 'petId,quantity\n1,3\n91,1\n');
  const before = read('mixed.csv');
  await expectUnchanged(async () => {
    for (const [target, why] of [
      [path('folder'), 'is a folder'],
      [path('none/bad.csv'), 'is in a folder that does not exist'],
      [mixed, 'is in use by this command'],
      [path('shop.db'), 'is in use by this command'],
      ['-', 'is standard output, which gets the report'],
    ]) {
      const { exitCode, stdout, stderr } = await petstore(`inventory import ${mixed} --keep-going --rejects ${target}`);
      expect([exitCode, stdout, stderr]).toEqual([2, '', lines(`error: --rejects: ${target} ${why}.`, 'hint: Name another file; nothing was imported.')]);
    }
  });
  expect(read('mixed.csv')).toBe(before);
});

testInShop('refuses a --rejects file that SQLite uses for the shop, by any path', async ({ petstore, path, store, file, expectUnchanged }) => {
  const mixed = file('mixed.csv', 'petId,quantity\n1,3\n91,1\n');
  symlinkSync(dirname(store), path('folder'));
  symlinkSync(store, path('link.db'));
  symlinkSync(path('shop.db-journal'), path('dangling'));
  const names = ['-journal', '-wal', '-shm'].flatMap((suffix) => [`shop.db${suffix}`, `folder/shop.db${suffix}`, `folder/../shop.db${suffix}`]);
  const linked = { environment: { PETSTORE_STORE: path('link.db') } };
  await expectUnchanged(async () => {
    for (const name of [...names, 'link.db', 'dangling']) {
      for (const around of [{}, linked]) {
        const { exitCode, stderr } = await petstore(`inventory import ${mixed} --keep-going --rejects ${path(name)}`, around);
        const why = name === 'dangling' ? 'is a link to a file that does not exist' : 'is in use by this command';
        expect([name, exitCode, stderr.split('\n')[0]]).toEqual([name, 2, `error: --rejects: ${path(name)} ${why}.`]);
      }
    }
  });
  expect(existsSync(path('shop.db-journal'))).toBe(false);
});

testInShop('reports a failed write of --rejects with the file name, and still reports the import', async ({ petstore, path, file }) => {
  const mixed = file('mixed.csv', 'petId,quantity\n1,3\n91,1\n');
  const full = await petstore(`inventory import ${mixed} --keep-going --rejects /dev/full`);
  expect([full.exitCode, full.stdout.startsWith('✓ 1 applied'), full.stderr.split('\n').at(-2)]).toEqual([1, true, 'hint: petstore log']);
  expect(full.stderr).toContain('error: The change was made, but its result could not be written: /dev/full cannot be written: the disk is full.\n');
  execFileSync('mkfifo', [path('pipe')]);
  const pipe = await petstore(`inventory import ${mixed} --keep-going --rejects ${path('pipe')}`);
  expect([pipe.exitCode, pipe.stdout.startsWith('✓ 0 applied'), pipe.stderr.split('\n').at(-2)]).toEqual([
    2,
    true,
    `error: ${path('pipe')} is a pipe without a reader.`,
  ]);
});

testInShop('reports an unreadable file by name', async ({ petstore, file }) => {
  const secret = file('secret.csv', 'petId,quantity\n1,3\n');
  chmodSync(secret, 0o000);
  const { exitCode, stderr } = await petstore(`inventory import ${secret}`);
  // Root can read every file.
  if (process.getuid?.() === 0) expect(exitCode).toBe(0);
  else expect([exitCode, stderr]).toEqual([2, `error: ${secret} cannot be accessed: permission denied.\n`]);
});

testInShop('the hint after a file of another encoding or header can be typed, and then imports it', async (cli) => {
  const { petstore, file } = cli;
  const latin = file('supplier list.csv', Buffer.from('petId,quantity,note\n1,5,Größe\n', 'latin1'));
  const refusal = await petstore(['inventory', 'import', latin, '--note', 'week 47']);
  expect(refusal).toEqual(
    refused(
      6,
      `error: Line 2 of ${latin} is not valid UTF-8.`,
      `hint: petstore inventory import ${JSON.stringify(latin)} --note "week 47" --encoding windows-1252`,
    ),
  );
  expect(await petstore(['inventory', 'import', latin, '--note', 'week 47', '--encoding', 'windows-1252'])).toMatchObject({ exitCode: 0 });
  expect(await petstore('log -L 1 --fields note')).toMatchObject({ stdout: 'Größe\n' });
  const bars = file('bars.csv', 'petId|Quantity|Price\n1|6|3.5\n');
  expect((await petstore(['inventory', 'import', bars])).stderr.split('\n')[1]).toBe(`hint: petstore inventory import ${bars} --map Quantity=quantity`);
  const words = ['inventory', 'import', bars, '--map', 'Quantity=quantity'];
  expect((await petstore(words)).stderr).toMatch(/unknown column "Price"\.\nhint: .*to ignore it, add --ignore-unknown\.\n$/);
  expect(await petstore([...words, '--ignore-unknown'])).toMatchObject({ exitCode: 0, stderr: 'Ignored: Price.\n' });
});
