import { execFileSync } from 'node:child_process';
import { chmodSync, cpSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { missingTool, skipWith } from './support/optional-tools.js';
import { read, root } from './support/documents.js';

type Part = Readonly<Record<'purl' | 'name', string>>;

/** What the tests use of the scripts that make a release. */
interface ReleaseScripts {
  readonly writeTarball: (parent: string, name: string, file: string, epoch: string) => void;
  readonly sha256Sums: (folder: string, files: readonly string[]) => string;
  readonly shownCommands: (text: string) => readonly { readonly line: string; readonly exitCode: number; readonly output: string }[];
  readonly controlFile: (size: string) => string;
  readonly names: { readonly archive: (platform: string) => string; readonly deb: string; readonly image: string };
  readonly node: { readonly version: string; readonly platforms: Readonly<Record<string, { readonly integrity: string }>> };
  readonly platforms: readonly string[];
  readonly bundledFolders: (paths: readonly string[]) => readonly string[];
  readonly heldComponents: (parts: readonly Part[], held: readonly string[]) => readonly Part[];
}

const scripts = await Promise.all(
  ['archive', 'check/tour', 'deb', 'places', 'sbom', '../notices'].map((name) => import(new URL(`../.config/release/${name}.js`, import.meta.url).href)),
);
const { writeTarball, sha256Sums, shownCommands, controlFile, names, node, platforms, bundledFolders, heldComponents } = Object.assign(
  {},
  ...scripts,
) as ReleaseScripts;

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'petstore-release-test-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return folder;
}

const sh = (line: string, env: Readonly<Record<string, string>> = {}): string =>
  execFileSync('sh', ['-euc', line], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'], env: { PATH: process.env['PATH'] ?? '', ...env } });

test('an archive of the same files has the same bytes, whoever made them and when', (context) => {
  skipWith(missingTool('GNU tar', 'tar', ['--sort=name', '--version']), context);
  const sums = ['first', 'second'].map((name, index) => {
    const parent = newFolder();
    mkdirSync(join(parent, 'petstore'));
    for (const file of index === 0 ? ['a', 'b'] : ['b', 'a']) writeFileSync(join(parent, 'petstore', file), file);
    chmodSync(join(parent, 'petstore/a'), index === 0 ? 0o755 : 0o700);
    chmodSync(join(parent, 'petstore/b'), index === 0 ? 0o600 : 0o664);
    utimesSync(join(parent, 'petstore/a'), index, index);
    writeTarball(parent, 'petstore', join(parent, 'archive.tar.gz'), '1700000000');
    expect(sh(`tar -tvzf ${parent}/archive.tar.gz`, { TZ: 'UTC' })).toMatch(
      /^drwxr-xr-x 0\/0 .*2023-11-14 22:13 petstore\/\n-rwxr-xr-x .*a\n-rw-r--r-- .*b\n$/,
    );
    return [name, sha256Sums(parent, ['archive.tar.gz'])] as const;
  });
  expect(sums[0]?.[1]).toBe(sums[1]?.[1]);
  expect(sums[0]?.[1]).toMatch(/^[0-9a-f]{64} {2}archive\.tar\.gz\n$/);
});

/** An unpacked archive whose program is the Node.js of the tests. */
function unpackedArchive(): string {
  const folder = newFolder();
  const lib = join(folder, 'lib/petstore');
  for (const path of ['bin', 'lib/petstore/bin', 'share/man/man1']) mkdirSync(join(folder, path), { recursive: true });
  for (const name of ['install.sh', 'petstore']) cpSync(join(root, '.config/release', name), join(folder, name === 'petstore' ? 'bin/petstore' : name));
  writeFileSync(join(lib, 'node'), `#!/bin/sh\nexec '${process.execPath}' "$@"\n`, { mode: 0o755 });
  writeFileSync(join(lib, 'bin/petstore.js'), 'console.log(`runs ${process.argv.slice(2).join("|")}`)');
  writeFileSync(join(lib, 'bin/write-bytecode.js'), '');
  writeFileSync(join(lib, 'platform'), 'linux-x64\n');
  writeFileSync(join(folder, 'share/man/man1/petstore.1'), 'page');
  return folder;
}

const filesBelow = (folder: string): readonly string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true }).flatMap((entry) => (entry.isDirectory() ? [] : [entry.name]));

test('install.sh installs below a prefix, again over itself, and removes it; a link to the command runs it', () => {
  const [archive, prefix] = [unpackedArchive(), newFolder()];
  for (const _ of [1, 2])
    expect(sh(`sh ${archive}/install.sh ${prefix}`)).toMatch(/^Installed runs --version in .*\.\nAdd it to the PATH of your shell: .*\nNext: petstore\n$/);
  expect(filesBelow(prefix)).toHaveLength(6);
  symlinkSync(join(prefix, 'bin/petstore'), join(prefix, 'link'));
  symlinkSync('link', join(prefix, 'other'));
  expect(sh(`${prefix}/other 'a b' c`)).toBe('runs a b|c\n');
  sh(`rm ${prefix}/link ${prefix}/other; sh ${archive}/install.sh --uninstall ${prefix}`);
  expect(filesBelow(prefix)).toEqual([]);
});

test('a refused installation names the cause and leaves the earlier one as it was', () => {
  const [archive, prefix] = [unpackedArchive(), newFolder()];
  const refused = (): string => sh(`sh ${archive}/install.sh ${prefix} 2>&1 && exit 1; true`);
  sh(`sh ${archive}/install.sh ${prefix}`);
  const before = filesBelow(prefix);
  // The bytecode is written last before the change.
  writeFileSync(join(archive, 'lib/petstore/bin/write-bytecode.js'), 'process.exit(1)');
  refused();
  expect(filesBelow(prefix)).toEqual(before);
  writeFileSync(join(archive, 'lib/petstore/node'), 'not a program of this machine');
  expect(refused()).toMatch(/^error: This petstore does not run here: it is for linux-x64, and this machine is .+\.\n$/);
  expect(filesBelow(prefix)).toEqual(before);
});

test('the package for Debian says what it depends on, and nothing without a value', () => {
  const control = controlFile('1234');
  expect(control).toMatch(/^Package: petstore\nVersion: \d+\.\d+\.\d+\nArchitecture: amd64\nMaintainer: .+ <.+>\n/);
  expect(control).toContain('Installed-Size: 1234\n');
  expect(control.split('\n').filter((line) => line.length > 80 && !line.startsWith('Depends'))).toEqual([]);
  expect(control).not.toMatch(/: *$|undefined/m);
});

test('the unit serves one shop, with a token, and without rights', () => {
  const unit = read('.config/release/deb/petstore@.service');
  expect(unit).toContain('ExecStart=/usr/bin/petstore serve --auth required $SERVE_FLAGS\n');
  for (const line of ['User=petstore', 'NoNewPrivileges=true', 'CapabilityBoundingSet=', 'ProtectSystem=strict', 'UMask=0077'])
    expect(unit).toContain(`\n${line}\n`);
});

test('every download has a fixed version and sum', () => {
  expect(platforms).toEqual(['linux-x64', 'linux-arm64', 'darwin-arm64', 'darwin-x64', 'win32-x64']);
  expect(node.version).toMatch(/^\d+\.\d+\.\d+$/);
  for (const platform of platforms) expect(node.platforms[platform]?.integrity).toMatch(/^sha512-[\w+/]{86}==$/);
});

test('the list of parts holds what the bundles are made of, an alias by its own name, each once', () => {
  expect(bundledFolders(['src/a.ts', 'node_modules/@a/b/x.js', '../x/node_modules/c/node_modules/d/y.js', 'node_modules/@a/b/z.js'])).toEqual([
    '../x/node_modules/c/node_modules/d',
    'node_modules/@a/b',
  ]);
  const part = (purl: string, name: string): Part => ({ purl, name });
  const parts = [part('pkg:npm/z@1.0.0', 'z'), part('pkg:npm/%40a/b@2.0.0', '@a/b'), part('pkg:npm/z@1.0.0', 'z'), part('pkg:npm/y@1.0.0', 'alias')];
  expect(heldComponents(parts, ['y@1.0.0', '@a/b@2.0.0']).map(({ purl }) => purl)).toEqual(['pkg:npm/%40a/b@2.0.0', 'pkg:npm/y@1.0.0']);
});

test('the release check runs every command that README.md shows', () => {
  const commands = shownCommands(read('README.md'));
  expect(commands.length).toBe(read('README.md').match(/^\$ /gm)?.length);
  expect(commands).toContainEqual({ line: 'petstore pet view 99 --json', exitCode: 3, output: expect.stringContaining('pet_not_found') as unknown });
});

test('the workflows run scripts of package.json, and pin what they use by its commit', () => {
  const { scripts: known } = JSON.parse(read('package.json')) as { readonly scripts: Readonly<Record<string, string>> };
  for (const name of readdirSync(join(root, '.github/workflows'))) {
    const text = readFileSync(join(root, '.github/workflows', name), 'utf8');
    expect([...text.matchAll(/uses: (\S+)/g)].filter(([, used = '']) => !/@[0-9a-f]{40}$/.test(used))).toEqual([]);
    expect([...text.matchAll(/npm (?:run )?([\w:]+)/g)].map(([, script = '']) => script).filter((script) => !(script in known))).toEqual([]);
    expect(text).not.toMatch(/-latest/);
  }
});

test('the documents name the files of a release as they are called', () => {
  const text = read('README.md');
  for (const name of [names.archive('linux-x64'), names.deb, names.image]) expect(text).toContain(name);
});
