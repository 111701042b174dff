import { expect, test } from 'vitest';
import { addressOfClient } from '../../src/http/server/client-key.js';

test('identifies an IPv6 client by the first 64 bits of its address in every notation', () => {
  const network = '2001:db8:1:2::';
  expect(addressOfClient('2001:db8:1:2:3:4:5:6')).toBe(network);
  expect(addressOfClient('2001:0db8:0001:0002::9')).toBe(network);
  expect(addressOfClient('2001:db8:1:2::')).toBe(network);
  expect(addressOfClient('2001:db8:1:3::1')).not.toBe(network);
  expect(addressOfClient('fe80::1%eth0')).toBe('fe80::');
  expect(addressOfClient('::1')).toBe('::');
});

test('identifies an IPv4 client by its whole address, also when it is mapped to IPv6', () => {
  expect(addressOfClient('192.0.2.7')).toBe('192.0.2.7');
  expect(addressOfClient('::ffff:192.0.2.7')).toBe('192.0.2.7');
  expect(addressOfClient('::ffff:192.0.2.8')).not.toBe('192.0.2.7');
});
