import { chmodSync, chownSync, mkdirSync, mkdtempSync, rmSync, statSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';

interface BrowserStart {
  readonly ownFolder: () => string;
}

const { ownFolder } = (await import(new URL('../../.config/chromium.js', import.meta.url).href)) as BrowserStart;

/** The folder for the browser with a cache of the user that a function prepares, and the folder in this cache. */
function chosenFolder(prepare: (folder: string) => void): { readonly chosen: string; readonly prepared: string; readonly mode: number } {
  const home = mkdtempSync(join(tmpdir(), 'petstore-home-'));
  vi.stubEnv('XDG_CACHE_HOME', join(home, 'cache'));
  vi.stubEnv('HOME', join(home, 'home'));
  try {
    const prepared = join(home, 'cache/petstore');
    mkdirSync(join(home, 'cache'));
    prepare(prepared);
    const chosen = ownFolder();
    return { chosen: chosen.replace(home, ''), prepared: prepared.replace(home, ''), mode: statSync(chosen).mode & 0o777 };
  } finally {
    vi.unstubAllEnvs();
    rmSync(home, { recursive: true });
  }
}

test('the browser is unpacked into a new folder of the user alone', () => {
  const { chosen, prepared, mode } = chosenFolder(() => undefined);
  expect([chosen, mode]).toEqual([prepared, 0o700]);
});

test.for([
  ['that others can write to', (folder: string) => (mkdirSync(folder), chmodSync(folder, 0o777))],
  ['that is a link', (folder: string) => (mkdirSync(`${folder}-other`), symlinkSync(`${folder}-other`, folder))],
  ...(process.getuid?.() === 0 ? ([['of another user', (folder: string) => (mkdirSync(folder), chownSync(folder, 65_534, 65_534))]] as const) : []),
] as const)('the browser is not unpacked into a folder %s', ([, prepare]) => {
  expect(chosenFolder(prepare)).toMatchObject({ chosen: '/home/.cache/petstore', mode: 0o700 });
});
