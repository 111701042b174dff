import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, lstatSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync } from 'node:fs';
import { expect } from 'vitest';
import { shells } from '../../src/cli/program-setup.js';
import { testWithoutShop, done, refused, type CliFixture } from '../support/cli.js';

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
    expect(await cli.petstore(`completion ${shell} --install`, here)).toEqual(done(`· Tab completion is set up in ${cli.path(file)}; nothing was changed.\n`));
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
