import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

type Versions = Readonly<Record<string, string>>;

interface LockedPackage {
  readonly name?: string;
  readonly version?: string;
  readonly resolved?: string;
  readonly hasInstallScript?: boolean;
  readonly devDependencies?: Versions;
  readonly optionalDependencies?: Versions;
}

interface Manifest extends Pick<LockedPackage, 'devDependencies' | 'optionalDependencies'> {
  readonly allowScripts: Readonly<Record<string, boolean>>;
}

const read = (name: string): unknown => JSON.parse(readFileSync(new URL(`../${name}`, import.meta.url), 'utf8'));
const { packages } = read('package-lock.json') as { readonly packages: Readonly<Record<string, LockedPackage>> };
const { allowScripts, devDependencies, optionalDependencies: ownOptional } = read('package.json') as Manifest;

/** The folders that Node searches for a dependency of a package, nearest first. */
function candidates(folder: string, dependency: string): readonly string[] {
  const parts = folder === '' ? [] : folder.split('/node_modules/');
  const parents = parts.map((_, index) => `${parts.slice(0, parts.length - index).join('/node_modules/')}/`);
  return [...parents, ''].map((parent) => `${parent}node_modules/${dependency}`);
}

test('the lock file and package.json have the same packages, as npm ci requires', () => {
  expect(packages['']).toMatchObject({ devDependencies, optionalDependencies: ownOptional });
  expect(Object.keys(packages['']?.devDependencies ?? {})).toEqual(Object.keys(devDependencies ?? {}));
});

test('the lock file has the optional packages of every platform, as npm ci requires', () => {
  const missing = Object.entries(packages).flatMap(([folder, { optionalDependencies = {} }]) =>
    Object.keys(optionalDependencies).filter((dependency) => !candidates(folder, dependency).some((path) => path in packages)),
  );
  expect(missing).toEqual([]);
});

test('the lock file has the URL of every package, which npm needs to allow install scripts', () => {
  const unresolved = Object.entries(packages).filter(([folder, { resolved }]) => folder !== '' && resolved?.startsWith('https://registry.npmjs.org/') !== true);
  expect(unresolved.map(([folder]) => folder)).toEqual([]);
});

test('only better-sqlite3 may run an install script; scripts of other packages are denied, and no package reports usage', () => {
  const named = (entry: string): string => entry.replace(/(?<=.)@.*$/, '');
  const withScript = Object.entries(packages).filter(([folder, { hasInstallScript }]) => folder !== '' && hasInstallScript === true);
  const names = withScript.map(([folder]) => folder.split('node_modules/').at(-1) ?? '');
  expect(new Set(Object.keys(allowScripts).map(named))).toEqual(new Set(names));
  expect(Object.keys(allowScripts).filter((entry) => allowScripts[entry])).toEqual([`better-sqlite3@${packages['node_modules/better-sqlite3']?.version}`]);
  expect(packages['node_modules/@scarf/scarf']?.name).toBe('empty-npm-package');
});
