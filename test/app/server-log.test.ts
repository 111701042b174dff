import { execFileSync } from 'node:child_process';
import { closeSync, constants, openSync, readFileSync, readSync } from 'node:fs';
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
  expect(entryLine({ msg: 'stopped' }, '22:03')).toBe('22:03 stopped');
  const failure = entryLine({ msg: 'failure', id: '1', error: 'Error: no\n    at one\u001b[2J' }, '22:03').split('\n');
  expect([failure.slice(0, 2), failure[2]?.startsWith('    at one'), failure[2]?.includes('\u001b')]).toEqual([
    ['22:03 failure {"id":"1"}', 'Error: no'],
    true,
    false,
  ]);
});

test('lines that a full disk has refused are written as soon as it has room', async () => {
  const refusing = openSync('/dev/full', 'w');
  const { add, close } = lineWriter(refusing, () => expect.unreachable());
  add('one\n');
  // Longer than lines wait to be written.
  await new Promise((resolve) => setTimeout(resolve, 200));
  add('two\n');
  closeSync(refusing);
  const path = join(folder, 'room');
  // An open file gets the lowest free number: one of these the same one.
  const files = [openSync(path, 'w')];
  while (files.at(-1) !== refusing && files.length < 100) files.push(openSync(path, 'w'));
  onTestFinished(() => files.forEach((file) => closeSync(file)));
  expect(files).toContain(refusing);
  await close();
  expect(readFileSync(path, 'utf8')).toBe('one\ntwo\n');
});

test('lines for a reader that is gone are lost, and a new reader gets those after it', async () => {
  const path = join(folder, 'readers');
  execFileSync('mkfifo', [path]);
  const open = (mode: number): number => {
    const file = openSync(path, mode | constants.O_NONBLOCK);
    onTestFinished(() => closeSync(file));
    return file;
  };
  const first = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  const { add, close } = lineWriter(open(constants.O_WRONLY), () => expect.unreachable());
  closeSync(first);
  add('lost\n');
  await close();
  const second = open(constants.O_RDONLY);
  add('read\n');
  await close();
  const bytes = Buffer.alloc(100);
  expect(bytes.subarray(0, readSync(second, bytes)).toString()).toBe('read\n');
});

test('lines that nobody reads wait up to a limit, and a line tells how many were left out', async () => {
  const path = join(folder, 'log');
  execFileSync('mkfifo', [path]);
  const pipe = openSync(path, constants.O_RDWR | constants.O_NONBLOCK);
  onTestFinished(() => closeSync(pipe));
  const lineOf = (text: unknown): string => `${String(text).padStart(99, '.')}\n`;
  const { add, close } = lineWriter(pipe, (count) => add(lineOf(`${count} left out`)), 200_000);
  for (let number = 0; number < 2500; number += 1) add(lineOf(number));
  const bytes = Buffer.alloc(2001 * 100);
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
  expect(bytes.toString()).toBe([...Array.from({ length: 2000 }, (_, number) => lineOf(number)), lineOf('500 left out')].join(''));
});
