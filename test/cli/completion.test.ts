import fc from 'fast-check';
import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, lstatSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import Database from 'better-sqlite3';
import { describe, expect, test } from 'vitest';
import { globalFlagEntries, ownFlagEntries } from '../../src/cli/help/command-entries.js';
import { bashLine, bashText } from '../../src/cli/completion/line.js';
import { shells } from '../../src/cli/completion/shells.js';
import { formats } from '../../src/settings/output-format.js';
import { groups } from '../../src/cli/command-groups.js';
import { guide } from '../support/stub-setup.js';
import { maximumMatches, idRanges } from '../../src/domain/lookup.js';
import { runAll, testWithoutShop, done, testInShop, refused, type CliFixture } from '../support/cli.js';

const commands = (await Promise.all(groups.map(({ load }) => load()))).flat();

interface Answer {
  readonly meant: string;
  /** The offered words with descriptions; "" for none. */
  readonly words: readonly (readonly [word: string, about: string])[];
}

/** The completions that zsh gets for the end of a line; never an error. */
async function complete({ petstore }: CliFixture, words: readonly string[], environment: Readonly<Record<string, string | undefined>> = {}): Promise<Answer> {
  const { exitCode, stdout, stderr } = await petstore(['complete', 'zsh', ...words], { environment });
  expect([exitCode, stderr]).toEqual([0, '']);
  const [meant = '', ...lines] = stdout.split('\n').slice(0, -1);
  return { meant, words: lines.map((line) => line.split('\t') as unknown as readonly [string, string]) };
}

/** The words offered at the end of a line. */
async function offeredWords(cli: CliFixture, ...words: readonly string[]): Promise<readonly string[]> {
  return (await complete(cli, words)).words.map(([word]) => word);
}

/** The completions that bash gets for a line up to the cursor. */
async function inBash({ petstore }: CliFixture, line: string): Promise<string> {
  const { exitCode, stdout, stderr } = await petstore(['complete', 'bash', ' \t\n"\'@><=;|&(:', line]);
  expect([exitCode, stderr]).toEqual([0, '']);
  return stdout;
}

describe('words', () => {
  testInShop('completes every command word by word, also by its aliases', async (cli) => {
    expect(await offeredWords(cli, '')).toEqual([...groups.map(({ name }) => name), 'help']);
    for (const { name, aliases } of groups) {
      for (const one of [name, ...aliases]) expect(await offeredWords(cli, one)).toContain(one);
    }
    for (const command of commands) {
      const { path } = command;
      for (const [index, word] of path.entries()) expect(await offeredWords(cli, ...path.slice(0, index), word.slice(0, -1))).toContain(word);
      for (const alias of command.aliases) expect(await offeredWords(cli, ...path.slice(0, -1), alias)).toContain(alias);
    }
  });

  for (const command of commands) {
    const { path } = command;
    testInShop(`completes every flag of ${path.join(' ')} and its values`, async (cli) => {
      const flags = [...ownFlagEntries(command), ...globalFlagEntries()];
      const names = await offeredWords(cli, ...path, '--');
      expect(names).toEqual(flags.map(({ name }) => name));
      expect(await offeredWords(cli, ...path, '-')).toEqual([...names, ...flags.flatMap(({ short }) => short ?? [])]);
      for (const { name, short, choices, repeated } of flags) {
        expect(await offeredWords(cli, ...path, name.slice(0, -1))).toContain(name);
        expect((await offeredWords(cli, ...path, `${name}=x`, '--')).includes(name)).toBe(repeated);
        if (choices === undefined) continue;
        expect(await offeredWords(cli, ...path, name, '')).toEqual(choices);
        expect(await offeredWords(cli, ...path, `${name}=`)).toEqual(choices.map((one) => `${name}=${one}`));
        if (short !== undefined) expect(await offeredWords(cli, ...path, short, '')).toEqual(choices);
      }
    });
  }

  testInShop('completes fields after the last comma, each once', async (cli) => {
    expect(await complete(cli, ['order', 'list', '--fields', 'id,pet'])).toEqual({
      meant: ':open',
      words: [
        ['id,petId', ''],
        ['id,pet', ''],
      ],
    });
    expect(await offeredWords(cli, 'order', 'list', '--fields', 'petId,pet,')).toEqual(
      ['id', 'quantity', 'shipDate', 'complete', 'state', 'overdue'].map((name) => `petId,pet,${name}`),
    );
    expect(await offeredWords(cli, 'pet', 'view', '--json', 'na')).toEqual(['name']);
    expect(await offeredWords(cli, 'pet', 'view', '--json=id,na')).toEqual(['--json=id,name']);
    expect(await offeredWords(cli, 'pet', 'view', '--json', '--fo')).toEqual(['--format']);
    expect(await offeredWords(cli, 'token', 'create', 'till', '--scope', 'pets:read,pets:')).toEqual(['pets:read,pets:write']);
  });

  testInShop('describes each word, also for verbs of two words', async (cli) => {
    const { words } = await complete(cli, ['inventory', 'ba']);
    expect(words).toEqual([['batch', 'list and show bulk imports']]);
  });

  testInShop('completes after flags and values before or between the words', async (cli) => {
    expect(await offeredWords(cli, '--format', 'json', 'pe')).toEqual(['pet']);
    expect(await offeredWords(cli, '--format=json', '-q', 'pet', 'vi')).toEqual(['view']);
    expect(await offeredWords(cli, 'pet', '--actor', 'list', 'cre')).toEqual(['create']);
    expect(await offeredWords(cli, '--format', 'js')).toEqual(['json']);
    expect(await offeredWords(cli, 'pet', 'list', '--format', '')).toEqual(formats);
    expect(await offeredWords(cli, 'pet', 'list', '--', '--sta')).toEqual([]);
  });

  testInShop('completes commands and topics after help, and shells after completion', async (cli) => {
    expect(await offeredWords(cli, 'help', '')).toEqual([...groups.map(({ name }) => name), ...guide.chapters()]);
    expect(await offeredWords(cli, 'help', 'inventory', 'batch', '')).toEqual(['list', 'view']);
    expect(await offeredWords(cli, 'completion', '')).toEqual(shells);
  });

  testInShop('offers the flags of a command without arguments at once', async (cli) => {
    expect(await offeredWords(cli, 'status', '')).toEqual(['--watch', ...globalFlagEntries().map(({ name }) => name)]);
    expect(await offeredWords(cli, 'pet', 'create', 'x', '--na')).toEqual(['--name']);
  });

  testInShop('leaves file names to the shell', async (cli) => {
    for (const line of ['inventory import', 'inventory import x.csv --rejects', 'pet import', '--store', 'copy --from', 'serve --socket'])
      expect([line, await complete(cli, [...line.split(' '), ''])]).toEqual([line, { meant: ':files', words: [] }]);
    expect(await complete(cli, ['serve', '--base-path', ''])).toEqual({ meant: ':', words: [] });
    expect(await complete(cli, ['--store='])).toEqual({ meant: ':files', words: [] });
  });

  testInShop('offers nothing after invalid words', async (cli) => {
    for (const line of [
      [],
      ['xylophone', ''],
      ['pet', 'xylophone', ''],
      ['pet', 'list', '--xylophone', '--stat=x', ''],
      ['pet', 'list', '--status', 'x'],
      ['help', 'x', 'y'],
    ])
      expect([line, (await complete(cli, line)).meant]).toEqual([line, expect.stringMatching(/^:?$/)]);
    for (const words of [
      ['complete', 'bash'],
      ['complete', 'bash', ':'],
      ['complete', 'fish'],
    ])
      expect(await cli.petstore(words)).toEqual({ exitCode: 0, stdout: expect.any(String), stderr: '' });
    // A missing word is a usage error.
    expect(await cli.petstore('complete 7')).toEqual(
      refused(2, 'error: "complete" is not a command of petstore; did you mean "order complete"?', 'hint: petstore order complete --help'),
    );
  });
});

describe('records of the shop', () => {
  testInShop('offers ids with names', async (cli) => {
    const pets = [
      ['1', 'Rex'],
      ['2', 'Bella'],
      ['3', 'Whiskers'],
      ['4', 'Koi'],
      ['5', 'Luna'],
    ];
    await cli.expectUnchanged(async () => {
      for (const line of ['pet view', 'pet edit', 'inventory view', 'inventory set', 'order place --pet', 'log --pet'])
        expect([line, (await complete(cli, [...line.split(' '), ''])).words]).toEqual([line, pets]);
      expect(await offeredWords(cli, 'pet', 'view', '1', '2', '')).toEqual(['3', '4', '5']);
      expect(await offeredWords(cli, 'inventory', 'set', '1', '')).toEqual([]);
      expect((await complete(cli, ['order', 'view', ''])).words).toEqual([
        ['3', 'draft'],
        ['2', 'complete, 3 × Koi'],
        ['1', 'open, 2 × Bella'],
      ]);
      expect(await offeredWords(cli, 'log', '--order', '2')).toEqual(['2']);
    });
    await runAll(cli, ['pet delete 3 --yes', `inventory import ${cli.file('count.csv', 'petId,quantity\n1,3\n')}`]);
    expect(await offeredWords(cli, 'pet', 'view', '')).toEqual(['1', '2', '4', '5']);
    expect((await complete(cli, ['inventory', 'batch', 'view', ''])).words).toEqual([['1', 'applied, 1 row, by ana']]);
    expect(await offeredWords(cli, 'inventory', 'undo', '')).toEqual(['1']);
  });

  testInShop('offers only records that a verb accepts', async (cli) => {
    await runAll(cli, [
      `inventory import ${cli.file('count.csv', 'petId,quantity\n1,3\n')}`,
      `pet import ${cli.file('pets.csv', 'name,category\nMax,Dogs\n')}`,
      `inventory import ${cli.file('more.csv', 'petId,quantity\n1,4\n')}`,
      'inventory undo 3',
      `inventory import ${cli.file('some.csv', 'petId,quantity\n1,5\n4,37\n')}`,
    ]);
    await cli.petstore('inventory import -', { stdin: 'petId,quantity\n99,1\n' });
    await cli.petstore('inventory import - --keep-going', { stdin: 'petId,quantity\n1,6\n99,1\n' });
    expect(await offeredWords(cli, 'inventory', 'batch', 'view', '')).toEqual(['6', '5', '4', '3', '2', '1']);
    expect(await offeredWords(cli, 'inventory', 'undo', '')).toEqual(['6', '4', '1']);
    // Order 1 is open, 2 complete, 3 a draft and 4 cancelled.
    const takes = { view: ['3', '2', '1'], edit: ['3', '1'], complete: ['1'], reopen: ['2'], cancel: ['3', '1'] };
    for (const [verb, ids] of Object.entries(takes)) expect([verb, await offeredWords(cli, 'order', verb, '')]).toEqual([verb, ids]);
    expect(await offeredWords(cli, 'order', 'complete', '2')).toEqual([]);
    expect(await offeredWords(cli, 'order', 'edit', '1', '--pet', '4')).toEqual(['4']);
    expect(await offeredWords(cli, 'log', '--order', '2')).toEqual(['2']);
  });

  testInShop('each digit narrows the offered ids, at most a screen of them', async (cli) => {
    cli.sql(
      'WITH RECURSIVE n(i) AS (SELECT 6 UNION ALL SELECT i + 1 FROM n WHERE i < 3000) INSERT INTO pets (id, name, folded, category_id) SELECT i, i, i, 1 FROM n',
    );
    cli.sql('INSERT INTO stock (pet_id, quantity) SELECT id, 1 FROM pets WHERE id > 5');
    expect(await offeredWords(cli, 'pet', 'view', '')).toEqual(Array.from({ length: maximumMatches }, (_, index) => String(index + 1)));
    expect(await offeredWords(cli, 'pet', 'view', '299')).toEqual(['299', ...Array.from({ length: 10 }, (_, index) => `299${index}`)]);
    expect(await offeredWords(cli, 'pet', 'view', '17')).toHaveLength(maximumMatches);
    for (const nothing of ['0', '01', '-', 'x', '3001', '1.5', '99999999999999999999'])
      expect(await offeredWords(cli, 'pet', 'view', nothing === '-' ? 'y' : nothing)).toEqual([]);
  });

  test('idRanges returns the ranges of numbers that start with the same digits', () => {
    const digits = fc.bigInt(1n, BigInt(Number.MAX_SAFE_INTEGER)).map((number) => String(number).slice(0, 6));
    const number = fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER });
    fc.assert(
      fc.property(digits, number, (start, one) => {
        for (const tried of [one, Number(start), Number(`${start}0`), Number(start) + 1])
          expect(idRanges(start).some(([from, to]) => tried >= from && tried <= to)).toBe(String(tried).startsWith(start));
      }),
    );
  });

  testInShop('offers categories by name, regardless of case and accents, or by id', async (cli) => {
    await runAll(cli, ['category create --name "Ñandús grandes"', 'category create --name Dodos']);
    for (const line of ['pet list --category', 'pet create --category', 'category view', 'category delete Dogs --move-to'])
      expect([line, (await complete(cli, [...line.split(' '), 'nand'])).words]).toEqual([line, [['Ñandús grandes', 'category 4']]]);
    expect(await offeredWords(cli, 'pet', 'list', '--category', 'do')).toEqual(['Dodos', 'Dogs']);
    expect((await complete(cli, ['pet', 'list', '--category', '1'])).words).toEqual([['1', 'Dogs']]);
    expect(await offeredWords(cli, 'pet', 'list', '--category=Do')).toEqual(['--category=Dodos', '--category=Dogs']);
  });

  testInShop('offers pets by name once a name is begun, and by id otherwise', async (cli) => {
    await runAll(cli, ['pet edit 1 --name "Ñandú grande"', 'pet edit 3 --name 1.5']);
    for (const line of ['pet view', 'inventory set', 'order place --pet', 'order list --pet', 'log --pet', 'sell', 'pet hold 2'])
      expect([line, (await complete(cli, [...line.split(' '), 'nan'])).words]).toEqual([line, [['Ñandú grande', 'pet 1']]]);
    expect((await complete(cli, ['pet', 'view', '2'])).words).toEqual([['2', 'Bella']]);
    expect(await offeredWords(cli, 'pet', 'view', 'name:1')).toEqual(['name:1.5']);
    expect(await offeredWords(cli, 'pet', 'view', '')).toEqual(['1', '2', '3', '4', '5']);
    await runAll(cli, ['pet edit 5 --name Bella']);
    expect((await complete(cli, ['pet', 'view', 'be'])).words).toEqual([
      ['2', 'Bella'],
      ['5', 'Bella'],
    ]);
  });

  testInShop('offers the id for a name that would be read as something else', async (cli) => {
    await runAll(cli, ['category create --name 2024', 'category create --name=-dash', 'category create --name name:x']);
    cli.sql("INSERT INTO categories (id, name, folded) VALUES (20, 'Dogs', 'dogs')");
    expect((await complete(cli, ['category', 'view', 'dogs'])).words).toEqual([
      ['1', 'Dogs'],
      ['20', 'Dogs'],
    ]);
    expect(await offeredWords(cli, 'category', 'view', 'name:20')).toEqual(['name:2024']);
    const every = await offeredWords(cli, 'category', 'view', '');
    expect(every).toEqual(expect.arrayContaining(['name:2024', 'name:-dash', 'name:name:x', 'Cats']));
    for (const name of ['name:2024', 'name:-dash', 'name:name:x', 'Cats']) expect((await cli.petstore(['category', 'view', name])).exitCode).toBe(0);
  });

  testInShop('offers tokens by name', async (cli) => {
    await runAll(cli, [
      'token create till --scope store:write',
      'token create 7up --scope admin',
      'token create gone --scope admin',
      'token revoke gone --yes',
    ]);
    expect((await complete(cli, ['token', 'revoke', ''])).words).toEqual([
      ['7up', 'token 2'],
      ['till', 'token 1'],
    ]);
    expect(await offeredWords(cli, 'token', 'revoke', '7')).toEqual(['7up']);
    expect(await offeredWords(cli, 'token', 'create', '')).toEqual([]);
  });

  const hostile = ['line\nbreak', 'tab\there', 'bell\u0007', 'esc\u001b[31m', 'nul\u009b', '\u202Eevil', 'del\u007f'];
  testInShop('does not offer names with control characters, and sanitises them in descriptions', async (cli) => {
    for (const [index, name] of hostile.entries()) {
      cli.sql('INSERT INTO categories (id, name, folded) VALUES (?, ?, ?)', index + 10, name, `zz${name}`);
      cli.sql('INSERT INTO pets (id, name, folded, category_id) VALUES (?, ?, ?, 1)', index + 10, name, name);
      cli.sql('INSERT INTO stock (pet_id, quantity) VALUES (?, 1)', index + 10);
    }
    expect(await offeredWords(cli, 'pet', 'list', '--category', 'zz')).toEqual([]);
    const { stdout } = await cli.petstore(['complete', 'zsh', 'pet', 'view', '1']);
    // oxlint-disable-next-line no-control-regex -- that is what must not be there
    expect(stdout).toMatch(/^:\n(\d+\t[^\u0000-\u001f\u007f-\u009f\u202e]*\n){8}$/);
    expect(await offeredWords(cli, 'pet', 'view', '1')).toEqual(['1', '10', '11', '12', '13', '14', '15', '16']);
  });
});

describe('faults', () => {
  const stillThere = async (cli: CliFixture, environment: Readonly<Record<string, string>> = {}) => {
    expect(await complete(cli, ['pet', 'view', ''], environment)).toEqual({ meant: ':', words: [] });
    expect((await complete(cli, ['pet', 'vi'], environment)).words.map(([word]) => word)).toEqual(['view']);
  };

  testWithoutShop('completion creates no shop', async (cli) => {
    await stillThere(cli);
    expect(readdirSync(cli.path('.'))).toEqual([]);
  });

  testWithoutShop('completion prints nothing for a file that is not a shop', async (cli) => {
    for (const content of ['', 'no database', 'SQLite format 3\0 and then nothing of the kind'.repeat(100)]) {
      writeFileSync(cli.store, content);
      await stillThere(cli);
      expect(cli.read('shop.db')).toBe(content);
    }
    new Database(cli.path('other.db')).exec('CREATE TABLE pets (id INTEGER PRIMARY KEY, name TEXT)').close();
    await stillThere(cli, { PETSTORE_STORE: cli.path('other.db') });
    await stillThere(cli, { PETSTORE_STORE: cli.path('.') });
  });

  testInShop('completion does not migrate an old shop', async (cli) => {
    const database = new Database(cli.store);
    database.pragma('user_version = 3');
    database.close();
    await stillThere(cli);
    expect(new Database(cli.store, { readonly: true }).pragma('user_version', { simple: true })).toBe(3);
  });

  testInShop('completion does not wait for writers or locks', async (cli) => {
    const writer = new Database(cli.store);
    writer.exec('BEGIN IMMEDIATE');
    expect(await offeredWords(cli, 'pet', 'view', '5')).toEqual(['5']);
    writer.exec('COMMIT');
    writer.pragma('locking_mode = EXCLUSIVE');
    writer.exec('BEGIN EXCLUSIVE; COMMIT');
    await stillThere(cli);
    writer.close();
  });

  testInShop('completion ignores invalid settings without a message', async (cli) => {
    for (const environment of [{ PETSTORE_STORE: 'ftp://shop' }, { PETSTORE_FORMAT: 'xml' }, { PETSTORE_TOKEN: '\n \u0007' }])
      await stillThere(cli, environment);
  });

  testInShop('completion uses the shop of the typed line', async (cli) => {
    expect(await offeredWords(cli, '--store', cli.path('other.db'), 'pet', 'view', '')).toEqual([]);
    expect((await complete(cli, ['pet', 'view', '--store', cli.store, '5'], { PETSTORE_STORE: '/nowhere' })).words).toEqual([['5', 'Luna']]);
    expect((await complete(cli, ['pet', 'view', '--store=~/shop.db', '5'], { PETSTORE_STORE: undefined, HOME: cli.path('.') })).words).toEqual([['5', 'Luna']]);
  });
});

describe('bash', () => {
  testInShop('returns the rest of a word after a bash word break', async (cli) => {
    await runAll(cli, ['category create --name "a b\'c"', 'category create --name co:lon=x']);
    expect(await inBash(cli, 'petstore pet list --status=av')).toBe(':\navailable\t\n');
    expect(await inBash(cli, 'petstore pet list --category co:')).toBe(':\nlon=x\tcategory 5\n');
    expect(await inBash(cli, 'petstore pet list --category a')).toBe(":\na\\ b\\'c\tcategory 4\n");
    expect(await inBash(cli, 'petstore pet list --category "a ')).toBe(":\na b'c\tcategory 4\n");
    expect(await inBash(cli, "petstore pet list --category='a ")).toBe(":\na b'\\''c\tcategory 4\n");
    expect(await inBash(cli, 'petstore pet list --category a\\ b\\')).toBe(":\na\\ b\\'c\tcategory 4\n");
    expect(await inBash(cli, 'petstore pet list --category A')).toBe(":\na\\ b\\'c\tcategory 4\n");
    expect(await inBash(cli, 'petstore pet list --category CO:')).toBe(':\n');
  });

  /** Any valid name. */
  const name = fc.string({ unit: 'grapheme', minLength: 1 }).filter((text) => !/[\p{Cc}\p{Zl}\p{Zp}]/u.test(text) && text === text.trim());

  test('parses the line that bash passes', () => {
    fc.assert(
      fc.property(name, name, (one, other) => {
        const line = `petstore ${bashText(one, undefined)} '${bashText(other, "'")}' "${bashText(one, '"')}" ${bashText(other, undefined)}`;
        const { before, last, quote } = bashLine(line, '');
        expect([before, last, quote]).toEqual([['petstore', one, other, one.includes('!') ? expect.any(String) : one], other, undefined]);
      }),
    );
  });
});

describe('--install', () => {
  const mark = '# >>> petstore completion >>>';
  const around = (cli: CliFixture, shell = '/bin/bash') => ({ environment: { HOME: cli.path('.'), SHELL: shell } });

  testWithoutShop('adds its lines to the shell file once and removes them', async (cli) => {
    for (const [shell, file] of [
      ['bash', '.bashrc'],
      ['zsh', '.zshrc'],
      ['fish', '.config/fish/completions/petstore.fish'],
    ] as const) {
      const here = around(cli, `/usr/bin/${shell}`);
      const { exitCode, stdout, stderr } = await cli.petstore('completion --install --yes', here);
      expect([exitCode, stdout]).toEqual([0, `✓ Tab completion is set up in ${cli.path(file)}; start a new shell to use it.\n`]);
      const text = cli.read(file);
      for (const line of text.split('\n').slice(1, -2)) expect(stderr).toContain(`  ${line}\n`);
      expect(await cli.petstore(`completion ${shell} --install`, here)).toEqual(
        done(`· Tab completion is set up in ${cli.path(file)}; nothing was changed.\n`),
      );
      expect(cli.read(file)).toBe(text);
      expect((await cli.petstore(`completion ${shell} --uninstall --yes`, here)).exitCode).toBe(0);
      expect(existsSync(cli.path(file)) ? cli.read(file) : '').toBe('');
      expect(existsSync(cli.path(file))).toBe(shell !== 'fish');
      expect(await cli.petstore(`completion ${shell} --uninstall`, here)).toEqual(
        done(`· Tab completion is not set up in ${cli.path(file)}; nothing was changed.\n`),
      );
    }
  });

  testWithoutShop('keeps all other bytes, the permissions and a symbolic link', async (cli) => {
    for (const before of ['export A=1\n', 'no newline', 'latin \xe9\xff\n\n', 'crlf\r\nlines\r\n']) {
      const real = cli.file('dotfile', Buffer.from(before, 'latin1'));
      chmodSync(real, 0o640);
      if (!existsSync(cli.path('.bashrc'))) symlinkSync('dotfile', cli.path('.bashrc'));
      expect((await cli.petstore('completion --install --yes', around(cli))).exitCode).toBe(0);
      expect([lstatSync(cli.path('.bashrc')).isSymbolicLink(), statSync(real).mode & 0o777]).toEqual([true, 0o640]);
      expect(Buffer.from(cli.read('dotfile'), 'utf8').length).toBeGreaterThan(before.length);
      expect((await cli.petstore('completion --uninstall --yes', around(cli))).exitCode).toBe(0);
      const after = readFileSync(real, 'latin1');
      expect(after === before || after === `${before}\n`).toBe(true);
    }
    expect(readdirSync(cli.path('.')).toSorted()).toEqual(['.bashrc', 'dotfile']);
  });

  testWithoutShop('replaces older lines in place', async (cli) => {
    const old = `first\n${mark}\nsource <(petstore completion bash)\n# <<< petstore completion <<<\nlast\n`;
    cli.file('.bashrc', old);
    expect((await cli.petstore('completion --install --yes', around(cli))).exitCode).toBe(0);
    const text = cli.read('.bashrc');
    expect(text).toMatch(/^first\n# >>> petstore completion >>>\n[^]*_petstore_first[^]*# <<< petstore completion <<<\nlast\n$/);
    expect(text).not.toContain('source <(');
    // A start mark without an end mark is left alone, because the extent of the lines is unknown.
    cli.file('.bashrc', `${mark}\nmine\n`);
    expect((await cli.petstore('completion --install --yes', around(cli))).exitCode).toBe(0);
    expect(cli.read('.bashrc')).toContain(`${mark}\nmine\n`);
  });

  testWithoutShop('asks, supports --dry-run and refuses when it cannot ask', async (cli) => {
    const file = cli.path('.bashrc');
    cli.file('.bashrc', 'mine\n');
    const unasked = await cli.petstore('completion --install', { ...around(cli), stdin: '' });
    expect([unasked.exitCode, unasked.stderr]).toEqual([
      2,
      expect.stringMatching(/^\S+ will get these lines:\n {2}_petstore_first.*\n.*\nerror: Change .* Confirmation required\./),
    ]);
    const tried = await cli.petstore('completion --install --dry-run', around(cli));
    expect([tried.exitCode, tried.stderr]).toEqual([0, expect.stringContaining('Dry run: nothing was changed.\n')]);
    expect(cli.read('.bashrc')).toBe('mine\n');
    const line = (words: string, environment: Readonly<Record<string, string>>) => cli.petstore(`completion ${words}`, { environment });
    expect(await line('', {})).toEqual(refused(2, 'error: Which shell?', 'hint: Name one of bash, zsh, fish, powershell.'));
    expect((await line('--install', { SHELL: '/bin/tcsh', HOME: cli.path('.') })).exitCode).toBe(2);
    expect((await line('bsah', {})).stderr).toContain('"bsah" is not a supported shell; did you mean "bash"?');
    expect((await line('powershell --install', { HOME: cli.path('.') })).stderr).toContain('petstore completion powershell | Out-String | Invoke-Expression');
    expect((await line('bash --install --uninstall', {})).exitCode).toBe(2);
    symlinkSync('nowhere', cli.path('.zshrc'));
    expect((await line('zsh --install --yes', { HOME: cli.path('.') })).stderr).toContain('.zshrc is a link to a file that does not exist.');
    expect(JSON.parse((await line('bash --install --yes --json', { HOME: cli.path('.') })).stdout)).toEqual({
      shell: 'bash',
      path: file,
      changed: true,
      installed: true,
    });
  });

  testWithoutShop('refuses anything but a regular file, and errors name the shell file', async (cli) => {
    const environment = { HOME: cli.path('.') };
    execFileSync('mkfifo', [cli.path('pipe')]);
    mkdirSync(cli.path('folder'));
    for (const name of ['pipe', 'folder']) {
      symlinkSync(name, cli.path('.zshrc'));
      for (const verb of ['--install', '--uninstall']) {
        const refusal = refused(2, `error: ${cli.path('.zshrc')} is not a file, so no lines can be added to it.`);
        expect(await cli.petstore(`completion zsh ${verb} --yes`, { environment })).toEqual(refusal);
      }
      rmSync(cli.path('.zshrc'));
    }
    expect([lstatSync(cli.path('pipe')).isFIFO(), lstatSync(cli.path('folder')).isDirectory()]).toEqual([true, true]);
    mkdirSync(cli.path('..bashrc.petstore'));
    const { exitCode, stderr } = await cli.petstore('completion bash --install --yes', { environment });
    expect([exitCode, stderr]).toEqual([2, expect.stringContaining(`error: ${cli.path('.bashrc')} cannot be written (`)]);
  });

  testWithoutShop('every shell has a script', async (cli) => {
    for (const shell of shells)
      expect(await cli.petstore(`completion ${shell}`)).toEqual(done(expect.stringContaining(`petstore complete ${shell} `) as unknown as string));
  });
});
