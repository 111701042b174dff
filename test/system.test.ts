import { statSync } from 'node:fs';
import { expect, test } from 'vitest';
import { join } from 'node:path';
import { removeStaleSocket } from '../src/http/server/listen.js';
import { makeFolder, systemOf } from '../src/system.js';
import { testFolder } from './support/files.js';

test('Windows has no modes of files, no signals, no Unix sockets, and folders that cannot be opened', () => {
  expect(systemOf('win32')).toMatchObject({ hasFileModes: false, sendsSignals: false, opensFolders: false, socketPathBytes: undefined, editor: 'notepad' });
});

test('only Linux has priorities of threads', () => {
  const names: readonly NodeJS.Platform[] = ['linux', 'darwin', 'win32', 'freebsd'];
  expect(names.filter((name) => systemOf(name).hasThreadPriorities)).toEqual(['linux']);
});

test.each([
  ['linux', 107],
  ['darwin', 103],
] as const)('the longest path of a socket on %s has %i bytes', async (name, bytes) => {
  const path = join('/none', 'x'.repeat(bytes - 6));
  await expect(removeStaleSocket(path, systemOf(name))).resolves.toBeUndefined();
  await expect(removeStaleSocket(`${path}x`, systemOf(name))).rejects.toThrow(
    `The path of a socket has at most ${bytes} bytes, and ${path}x has ${bytes + 1}.`,
  );
});

test('a system without Unix sockets refuses to serve at one', async () => {
  await expect(removeStaleSocket('shop.sock', systemOf('win32'))).rejects.toMatchObject({ code: 'usage', message: 'This system has no Unix sockets.' });
});

test('a folder is made with those above it, and refused where the system has no place for one', () => {
  const folder = testFolder();
  makeFolder(join(folder, 'a/b'));
  makeFolder(join(folder, 'a/b'));
  expect(statSync(join(folder, 'a')).mode & 0o777).toBe(0o700);
  if (process.platform === 'linux') expect(() => makeFolder('/proc/none/of/these')).toThrow('ENOENT');
});
