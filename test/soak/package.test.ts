import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync, type Dirent } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { basename, join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import * as esbuild from 'esbuild';
import { beforeAll, expect, onTestFinished, test } from 'vitest';
import { newCertificate } from '../support/certificate.js';
import { missingTool, skipWith } from '../support/optional-tools.js';
import { addressOf, freshDatabase } from '../support/postgres.js';
import { builtFolder, environment, start, type ProcessResult } from '../support/program.js';
import { testFolder } from '../support/files.js';

const root = fileURLToPath(new URL('../..', import.meta.url));
const folder = testFolder();
/** The packed program, installed in another project. */
const home = join(folder, 'node_modules/petstore');
/** The folder of its bundles and pages. */
let build = '';
const store = join(folder, 'shop.db');

interface Packed {
  readonly filename: string;
  /** The packed size in bytes. */
  readonly size: number;
  readonly unpackedSize: number;
  readonly files: readonly { readonly path: string }[];
}

let packed: Packed;
/** The manifest before, during and after packing, and packed for an owner. */
const manifests: string[] = [];

/** Packs a copy of the project, without the script that would rebuild it. */
function pack(): string {
  const copy = join(folder, 'project');
  for (const name of ['.config', 'bin', 'data', 'dist', 'CHANGELOG.md', 'LICENSE', 'README.md', 'package.json'])
    cpSync(join(root, name), join(copy, name), { recursive: true });
  const keepManifest = (): unknown => manifests.push(readFileSync(join(copy, 'package.json'), 'utf8'));
  const reduce = (...flags: readonly string[]): unknown => execFileSync(process.execPath, [join(copy, '.config/packed-manifest.js'), ...flags]);
  keepManifest();
  reduce();
  keepManifest();
  const printed = execFileSync('npm', ['pack', '--json', '--ignore-scripts', '--pack-destination', folder], { cwd: copy, encoding: 'utf8', stdio: 'pipe' });
  reduce('--restore');
  keepManifest();
  const owner = join(copy, '.config/release/owner.json');
  writeFileSync(
    owner,
    JSON.stringify({ ...(JSON.parse(readFileSync(owner, 'utf8')) as object), maintainer: 'Ana <ana@example.org>', bugs: 'https://shop.example/bugs' }),
  );
  reduce();
  keepManifest();
  reduce('--restore');
  return printed;
}

beforeAll(async () => {
  const told = pack();
  const answer = JSON.parse(told) as readonly [Packed] | Readonly<Record<string, Packed>>;
  packed = Object.values(answer)[0] as Packed;
  mkdirSync(home, { recursive: true });
  execFileSync('tar', ['-xzf', join(folder, basename(packed.filename)), '-C', home, '--strip-components', '1']);
  build = join(home, relative(root, builtFolder()));
});

function petstore(args: readonly string[], more: Readonly<Record<string, string>> = {}): Promise<ProcessResult> {
  const { child, ended } = start(process.execPath, [join(home, 'bin/petstore.js'), ...args], environment(store, more));
  child.stdin.end();
  return ended;
}

test('the package contains only the program, the sample shop and the documentation', () => {
  const paths = packed.files.map(({ path }) => path).toSorted();
  const own = paths.filter((path) => !path.startsWith('dist/'));
  expect(own).toEqual([
    'CHANGELOG.md',
    'LICENSE',
    'README.md',
    'bin/check-install.js',
    'bin/package.json',
    'bin/petstore.js',
    'bin/write-bytecode.js',
    'data/completion/petstore.bash',
    'data/completion/petstore.fish',
    'data/completion/petstore.powershell',
    'data/completion/petstore.zsh',
    'data/delivery.csv',
    ...readdirSync(join(root, 'data/guide'))
      .map((name) => `data/guide/${name}`)
      .toSorted(),
    // The pictures of the board are for readers of the repository.
    ...readdirSync(join(root, 'data/pictures'))
      .filter((name) => !name.endsWith('.png'))
      .map((name) => `data/pictures/${name}`)
      .toSorted(),
    'data/recount.csv',
    'data/reference.md',
    'data/sample.json',
    'data/shelf.tsv',
    'data/stock.csv',
    'data/supplier.csv',
    'package.json',
  ]);
  const made = [builtFolder(), join(root, 'dist/man')]
    .flatMap((path) => (readdirSync(path, { recursive: true, withFileTypes: true }) as readonly Dirent[]).filter((entry) => entry.isFile()))
    .map(({ parentPath, name }) => relative(root, join(parentPath, name)).replaceAll(sep, '/'))
    .filter((path) => !path.endsWith('.cache'));
  expect(paths.filter((path) => path.startsWith('dist/'))).toEqual(['dist/start.cjs', ...made].toSorted());
  expect(
    paths.filter((path) => !/^(bin|data)\/|\.(cjs|md|txt|js|css|png|1|html|svg|br|gz)$|(LICENSE|NOTICE|THIRD-PARTY-NOTICES|package\.json)$/.test(path)),
  ).toEqual([]);
  expect(packed.size).toBeLessThan(3_200_000);
  expect(packed.unpackedSize).toBeLessThan(12_000_000);
});

test('no file of the package names a script that it does not contain', () => {
  const [before, reduced, after] = manifests;
  expect(after).toBe(before);
  expect(readFileSync(join(home, 'package.json'), 'utf8')).toBe(reduced);
  const { scripts, devDependencies } = JSON.parse(reduced ?? '') as Readonly<Record<string, Readonly<Record<string, string>> | undefined>>;
  expect([Object.entries(scripts ?? {}), devDependencies]).toEqual([[['postinstall', 'node bin/check-install.js && node bin/write-bytecode.js']], undefined]);
  for (const name of ['check-install.js', 'write-bytecode.js']) expect(existsSync(join(home, 'bin', name))).toBe(true);
  const { scripts: all } = JSON.parse(before ?? '') as { readonly scripts: Readonly<Record<string, string>> };
  const named = new RegExp(`npm run (?:-s )?(${Object.keys(all).join('|')})\\b|node \\.config/`);
  // README.md and the installation guide mark commands that need a clone; pino and Fastify contain their manifests.
  const others = packed.files.filter(({ path }) => !/^README\.md$|^data\/guide\/installation\.md$|\/(pino|fastify)\.cjs$/.test(path));
  const naming = others.filter(({ path }) => named.test(readFileSync(join(home, path), 'latin1')));
  expect(naming.map(({ path }) => path)).toEqual([]);
});

test('the package names its owner where the owner has filled that in', () => {
  const { author, bugs, repository } = JSON.parse(manifests[3] ?? '') as Readonly<Record<string, unknown>>;
  expect([author, bugs, repository]).toEqual(['Ana <ana@example.org>', 'https://shop.example/bugs', undefined]);
});

test('the package contains the licence of every bundled package', async () => {
  const bundle = await esbuild.build({
    absWorkingDir: root,
    entryPoints: ['src/app/start.ts', 'src/app/main.ts', 'src/app/worker.ts', 'src/app/jq-worker.ts', 'src/board/main.tsx'],
    outdir: 'unwritten',
    bundle: true,
    write: false,
    metafile: true,
    platform: 'node',
    logLevel: 'silent',
    // Modules of pg and inquirer that the build leaves out, and the version of better-sqlite3 that may be missing.
    external: ['pg-native', 'pg-cloudflare', '@inquirer/external-editor', 'better-sqlite3-13'],
  });
  const folders = new Set(Object.keys(bundle.metafile.inputs).flatMap((path) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path)?.[0] ?? []));
  expect(folders.size).toBeGreaterThan(80);
  const notices = readFileSync(join(build, 'THIRD-PARTY-NOTICES'), 'utf8');
  const sections = new Map(notices.split(/^-{80}\n(?=.+\n-{80}\n)/m).map((section) => [section.slice(0, section.indexOf(' (')), section]));
  for (const path of [...folders, 'node_modules/swagger-ui-dist']) {
    const { name, version } = JSON.parse(readFileSync(join(root, path, 'package.json'), 'utf8')) as Readonly<Record<string, string>>;
    const section = sections.get(`${name} ${version}`);
    expect(section, `${name} ${version}`).toMatch(/permission|licensed under the apache license|redistribution and use/i);
    for (const file of readdirSync(join(root, path)).filter((one) => /^(licen[cs]e|notice)/i.test(one)))
      expect(section, `${name} ${file}`).toContain(readFileSync(join(root, path, file), 'utf8').trim());
  }
});

test('the package depends only on exact versions of its native module', () => {
  const manifest = JSON.parse(readFileSync(join(home, 'package.json'), 'utf8')) as Readonly<Record<string, Readonly<Record<string, string>> | undefined>>;
  expect(manifest['dependencies']).toBeUndefined();
  expect(Object.keys(manifest['optionalDependencies'] ?? {})).toEqual(['better-sqlite3', 'better-sqlite3-13']);
  for (const version of Object.values(manifest['optionalDependencies'] ?? {})) expect(version).toMatch(/^(npm:better-sqlite3@)?\d+\.\d+\.\d+$/);
});

test('without its native module the program reports the problem, and help still works', async () => {
  expect((await petstore(['--help'])).exitCode).toBe(0);
  const { exitCode, stdout, stderr } = await petstore(['init']);
  expect([exitCode, stdout]).toEqual([1, '']);
  expect(stderr).toMatch(
    /^error: The compiled part of better-sqlite3 is missing, or was built for another version of Node\.\nhint: Build it with "npm rebuild --global /,
  );
});

function checkInstall(script = join(home, 'bin/check-install.js'), ...flags: readonly string[]): Promise<ProcessResult> {
  const { child, ended } = start(process.execPath, [...flags, script], environment(store, {}));
  child.stdin.end();
  return ended;
}

test('an installation without the native module fails and names the npm command to run', async () => {
  const { exitCode, stdout, stderr } = await checkInstall();
  expect([exitCode, stdout]).toEqual([1, '']);
  expect(stderr).toMatch(/^error: better-sqlite3 has no compiled part for Node .+\nhint: Let npm run the install script of better-sqlite3/);
});

/** Answers every request with 404, with a certificate that nobody has signed if it is given one. */
async function emptyRegistry(certificate?: { readonly key: string; readonly cert: string }): Promise<string> {
  const answer: RequestListener = (_, response) => void response.writeHead(404).end('{}');
  const server = certificate ? createSecureServer({ key: readFileSync(certificate.key), cert: readFileSync(certificate.cert) }, answer) : createServer(answer);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  return `${certificate ? 'https' : 'http'}://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

test('an installation whose registry gives npm no native module names the request that failed', async (context) => {
  skipWith(missingTool('openssl', 'openssl', ['version']), context);
  const reasonOf = async (registry: string): Promise<string> => {
    const project = mkdtempSync(join(folder, 'project-'));
    writeFileSync(join(project, 'package.json'), '{}');
    const flags = ['--registry', registry, '--fetch-retries', '0', '--cache', join(project, 'cache')];
    const words = ['install', '--prefix', project, join(folder, basename(packed.filename)), ...flags];
    const { exitCode, stderr } = await start('npm', words, environment(store, { npm_config_userconfig: join(project, '.npmrc') })).ended;
    expect(exitCode).toBe(1);
    return stderr.replaceAll(/^npm error /gm, '');
  };
  const missing = await emptyRegistry();
  expect(await reasonOf(missing)).toContain(
    `error: npm could not download better-sqlite3, without which petstore cannot open a shop: ${missing}/better-sqlite3 failed with 404.\nhint: Check the network, `,
  );
  const untrusted = await emptyRegistry(newCertificate(folder));
  expect(await reasonOf(untrusted)).toContain(
    `: ${untrusted}/better-sqlite3 failed with DEPTH_ZERO_SELF_SIGNED_CERT.\nhint: npm does not trust the certificate of this registry: run "npm config set cafile `,
  );
});

test('a refused installation leaves no links behind', async () => {
  const project = mkdtempSync(join(folder, 'global-'));
  const flags = ['--registry', await emptyRegistry(), '--fetch-retries', '0', '--cache', join(project, 'cache'), '--prefix', join(project, 'prefix')];
  const own = { npm_config_userconfig: join(project, '.npmrc') };
  const { exitCode } = await start('npm', ['install', '--global', join(folder, basename(packed.filename)), ...flags], environment(store, own)).ended;
  expect(exitCode).toBe(1);
  const left = (readdirSync(join(project, 'prefix'), { recursive: true, withFileTypes: true }) as readonly Dirent[]).filter((entry) => !entry.isDirectory());
  expect(left).toEqual([]);
});

test('an installation whose script of better-sqlite3 fails says how it ended', async () => {
  const logs = mkdtempSync(join(folder, 'logs-'));
  const failsWith = async (ending: string): Promise<string> => {
    writeFileSync(join(logs, '2026-11-27-debug-0.log'), `338 info run better-sqlite3@12.11.1 install ${ending}\n`);
    const { child, ended } = start(process.execPath, [join(home, 'bin/check-install.js')], environment(store, { npm_config_logs_dir: logs }));
    child.stdin.end();
    return (await ended).stderr;
  };
  expect(await failsWith('{ code: 1, signal: null }')).toMatch(/^error: The install script of better-sqlite3 ended with exit code 1: it could neither /);
  expect(await failsWith("{ code: null, signal: 'SIGTERM' }")).toContain(' ended with SIGTERM: ');
  expect(await failsWith('node_modules/better-sqlite3')).toMatch(/^error: better-sqlite3 has no compiled part for Node /);
});

test('the check loads better-sqlite3 13 only with the version of Node-API that it needs; others would crash', async () => {
  const other = join(folder, 'other-node');
  const fake = join(other, 'node_modules/better-sqlite3-13');
  mkdirSync(fake, { recursive: true });
  writeFileSync(join(fake, 'index.js'), 'module.exports = class { close() {} };');
  cpSync(join(home, 'bin'), join(other, 'bin'), { recursive: true });
  const exitCodeWith = async (version: string): Promise<number | null> => {
    const hook = join(other, `node-api-${version}.cjs`);
    writeFileSync(hook, `Object.defineProperty(process, 'versions', { value: { ...process.versions, napi: '${version}' } });`);
    return (await checkInstall(join(other, 'bin/check-install.js'), '--require', hook)).exitCode;
  };
  expect([await exitCodeWith('9'), await exitCodeWith('10')]).toEqual([1, 0]);
});

// `npm run release -- --check` tries its server, with each version of Node.js that it supports.
test('the packed program runs in another folder, with sample shop and charts', async () => {
  for (const name of ['better-sqlite3', 'better-sqlite3-13']) symlinkSync(join(root, 'node_modules', name), join(folder, 'node_modules', name));
  expect(await checkInstall()).toMatchObject({ exitCode: 0, stdout: '', stderr: '' });
  const filled = await petstore(['init', '--sample']);
  expect([filled.exitCode, filled.stderr]).toEqual([0, expect.stringContaining('petstore pet list')]);
  expect((await petstore(['pet', 'list', '--category', 'Fish', '--format', 'count'])).stdout).toBe('7\n');
  expect((await petstore(['report', 'stock'], { PETSTORE_FORCE_TTY: '80', NO_COLOR: '1' })).stdout).toMatch(/\nFish +\d+ {2}█+\n/);
});

test.skipIf(addressOf('') === undefined)('the packed program can use PostgreSQL', async () => {
  const { address, drop } = await freshDatabase(true);
  try {
    expect(await petstore(['init', '--sample', '--store', address])).toMatchObject({ exitCode: 0 });
    expect(await petstore(['pet', 'list', '--format', 'count', '--store', address])).toMatchObject({ exitCode: 0, stdout: '36\n', stderr: '' });
  } finally {
    await drop();
  }
});

/** Another copy of the installed program, without bytecode, and a function that runs a command of it. */
function copyWithoutBytecode(name: string): {
  readonly run: (...words: readonly string[]) => Promise<ProcessResult>;
  readonly cache: string;
  readonly copy: string;
} {
  const copy = join(folder, 'node_modules', name);
  cpSync(home, copy, { recursive: true });
  const dist = join(copy, relative(home, build));
  for (const file of readdirSync(dist).filter((one) => one.endsWith('.cache'))) rmSync(join(dist, file));
  const run = (...words: readonly string[]): Promise<ProcessResult> => {
    const { child, ended } = start(process.execPath, words, environment(store));
    child.stdin.end();
    return ended;
  };
  return { run: (...words) => run(join(copy, words[0] ?? ''), ...words.slice(1)), cache: join(dist, `petstore-${process.versions.v8}.cache`), copy };
}

const count = ['bin/petstore.js', 'pet', 'list', '--format', 'count'] as const;
const counted = { exitCode: 0, stdout: '36\n', stderr: '' };

test('the first command that uses a shop writes the bytecode, and replaces one that Node rejects', async () => {
  const { run, cache } = copyWithoutBytecode('first-start');
  expect(await run('bin/petstore.js', '--version')).toMatchObject({ exitCode: 0 });
  expect(existsSync(cache)).toBe(false);
  expect(await run(...count)).toMatchObject(counted);
  expect(statSync(cache).size).toBeGreaterThan(100_000);
  writeFileSync(cache, 'made by another Node');
  expect(await run(...count)).toMatchObject(counted);
  const kept = statSync(cache);
  expect(kept.size).toBeGreaterThan(100_000);
  expect(await run(...count)).toMatchObject(counted);
  // The cached file was used, so it was not written again.
  expect(statSync(cache).ino).toBe(kept.ino);
});

test('an installation writes the bytecode, which starts then use', async () => {
  const { run, cache } = copyWithoutBytecode('installation');
  expect(await run('bin/write-bytecode.js')).toMatchObject({ exitCode: 0, stdout: '', stderr: '' });
  const { ino, size } = statSync(cache);
  expect(size).toBeGreaterThan(100_000);
  expect(await run(...count)).toMatchObject(counted);
  expect(statSync(cache).ino).toBe(ino);
});

test('an installation that writes no bytecode succeeds all the same, and so does each start', async () => {
  const { run, cache, copy } = copyWithoutBytecode('read-only');
  // A folder in the place of the file: it cannot be replaced, whoever installs.
  mkdirSync(join(cache, 'kept'), { recursive: true });
  expect(await run('bin/write-bytecode.js')).toMatchObject({ exitCode: 0, stdout: '', stderr: '' });
  expect(await run(...count)).toMatchObject(counted);
  expect(readdirSync(cache)).toEqual(['kept']);
  // A clone has no build when its packages are installed.
  rmSync(join(copy, 'dist'), { recursive: true });
  expect(await run('bin/write-bytecode.js')).toMatchObject({ exitCode: 0, stdout: '', stderr: '' });
});
