import { execFileSync } from 'node:child_process';
import { closeSync, constants, openSync, readSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { entryLine, lineWriter } from '../../src/app/server-log.js';
import { testFolder } from '../support/files.js';

const folder = testFolder();

test('a terminal shows one short line for a request', () => {
  const request = { msg: 'request', id: '1', method: 'GET', url: '/docs', status: 200, ms: 0.712 };
  expect(entryLine(request, '22:03')).toBe('22:03 GET /docs 200 0.7 ms');
  const refused = entryLine({ ...request, status: 404, code: 'pet_not_found', url: '/pets/9\u001b[2J' }, '22:03');
  expect([refused.includes('\u001b'), refused.endsWith(' 404 pet_not_found 0.7 ms')]).toEqual([false, true]);
  expect(entryLine({ msg: 'request', id: '1', status: 400, code: 'invalid_request' }, '22:03')).toBe('22:03 400 invalid_request');
  const failure = entryLine({ msg: 'failure', id: '1', error: 'Error: no\n    at one\u001b[2J' }, '22:03').split('\n');
  expect([failure.slice(0, 2), failure[2]?.startsWith('    at one'), failure[2]?.includes('\u001b')]).toEqual([
    ['22:03 failure {"id":"1"}', 'Error: no'],
    true,
    false,
  ]);
});

test('lines that nobody reads wait up to a limit, and none is lost or cut that was taken', async () => {
  const path = join(folder, 'log');
  execFileSync('mkfifo', [path]);
  const pipe = openSync(path, constants.O_RDWR | constants.O_NONBLOCK);
  onTestFinished(() => closeSync(pipe));
  const { add, close } = lineWriter(pipe, 200_000);
  const lineOf = (number: number): string => `${String(number).padStart(99, '.')}\n`;
  let taken = 0;
  while (add(lineOf(taken))) taken += 1;
  expect(taken).toBe(2000);
  const bytes = Buffer.alloc(taken * 100);
  let read = 0;
  // A read of a pipe without bytes is refused.
  const readMore = (): number => {
    try {
      read += readSync(pipe, bytes, read, bytes.length - read, null);
    } catch (error) {
      expect(error).toMatchObject({ code: 'EAGAIN' });
    }
    return read;
  };
  await expect.poll(readMore).toBe(bytes.length);
  await close();
  expect(bytes.toString()).toBe(Array.from({ length: taken }, (_, number) => lineOf(number)).join(''));
});
