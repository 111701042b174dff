import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, expect, test, vi } from 'vitest';
import { nativeBinding } from '../../src/app/native-binding.js';

const home = mkdtempSync(join(tmpdir(), 'petstore-binding-'));
const addon = (path: string): string => join(home, 'node_modules', path);
const prebuilt = ['linux', 'linuxmusl', 'darwin', 'win32'].map((platform) => addon(`better-sqlite3-13/prebuilds/${platform}-${process.arch}.node`));
const compiled = addon('better-sqlite3/build/Release/better_sqlite3.node');

afterEach(() => {
  vi.unstubAllGlobals();
  rmSync(home, { recursive: true, force: true });
});

function place(paths: readonly string[]): void {
  for (const path of paths) {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, '');
  }
}

function withNodeApi(version: string): string | undefined {
  vi.stubGlobal('process', { ...process, versions: { ...process.versions, napi: version } });
  return nativeBinding(home);
}

test('better-sqlite3 13 is chosen only with Node-API 10, which Node has from 22.14 on', () => {
  place([...prebuilt, compiled]);
  expect(withNodeApi('9')).toBe(compiled);
  expect(withNodeApi('10')).toContain('better-sqlite3-13');
});

test('an older Node without the compiled version 12 has no addon, rather than one that crashes', () => {
  place(prebuilt);
  expect(withNodeApi('9')).toBeUndefined();
});
