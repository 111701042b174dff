import { expect, test } from 'vitest';
import { entryLine } from '../../src/app/server-log.js';

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
