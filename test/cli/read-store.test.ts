import { expect } from 'vitest';
import { listSettings, readSettings } from '../../src/settings/settings.js';
import { done, lines, refused, testInShop, testWithoutShop } from '../support/cli.js';

const [shop, other] = ['postgres://shop@db1,db2/shop', 'postgres://shop@db9/shop'];
const standby = (name: string): string => `postgres://shop@${name}/shop`;

testWithoutShop('the read store comes from the flag, the environment, the profile or the settings, in this order', async ({ file }) => {
  const path = file(
    'settings.json',
    JSON.stringify({ store: shop, 'read-store': standby('file'), profiles: { main: { store: shop, readStore: standby('profile') } } }),
  );
  const [config, variable] = [{ PETSTORE_CONFIG: path }, { PETSTORE_READ_STORE: standby('variable') }];
  const found = (flags: Parameters<typeof readSettings>[0], environment: Readonly<Record<string, string>>) => {
    const listed = listSettings(flags, environment).find(({ name }) => name === 'read-store');
    expect(readSettings(flags, environment).readStore?.where).toBe(listed?.value);
    return [listed?.value, listed?.source];
  };
  expect(found({ readStore: standby('flag'), profile: 'main' }, { ...config, ...variable })).toEqual([standby('flag'), '--read-store']);
  expect(found({}, { ...config, ...variable })).toEqual([standby('variable'), 'PETSTORE_READ_STORE']);
  expect(found({ profile: 'main' }, { ...config, ...variable })).toEqual([standby('profile'), 'profile main']);
  expect(found({}, { ...config, PETSTORE_PROFILE: 'main' })).toEqual([standby('profile'), 'profile main']);
  expect(found({}, config)).toEqual([standby('file'), 'config file']);
  // It belongs to its store.
  for (const store of [other, '/srv/shop.db', 'https://shop.example']) {
    expect(found({ store }, config)).toEqual([undefined, 'default']);
    expect(found({ store, profile: 'main' }, config)).toEqual([undefined, 'default']);
  }
  expect(readSettings({ store: shop, readStore: 'postgres://shop:secret@db2/shop' }, {}).readStore).toEqual({
    store: 'postgres://shop:secret@db2/shop',
    where: standby('db2'),
  });
  expect(listSettings({ store: shop, readStore: 'postgres://shop:secret@db2/shop' }, {})).toContainEqual({
    name: 'read-store',
    value: standby('db2'),
    source: '--read-store',
  });
});

testInShop('a read store is for a shop in PostgreSQL, and is one itself', async ({ petstore, store, path }) => {
  const hint = 'hint: petstore help postgresql';
  const forDatabases = (name: string, where = store) => refused(2, `error: ${name} is for shops in PostgreSQL; this shop is ${where}.`, hint);
  expect(await petstore(['pet', 'list', '--read-store', standby('db2')])).toEqual(forDatabases('--read-store'));
  expect(await petstore('pet list', { environment: { PETSTORE_READ_STORE: standby('db2') } })).toEqual(forDatabases('PETSTORE_READ_STORE'));
  const address = 'https://shop.example/';
  expect(await petstore(['pet', 'list', '--store', address, '--read-store', standby('db2')])).toEqual(forDatabases('--read-store', address));
  for (const wrong of [path('copy.db'), 'https://shop.example', 'db2']) {
    expect(await petstore(['pet', 'list', '--store', shop, '--read-store', wrong])).toEqual(
      refused(2, 'error: --read-store takes the postgres:// address of a standby of the shop.', hint),
    );
  }
  expect(await petstore(['pet', 'list', '--read-store', ''])).toEqual(
    refused(2, 'error: --read-store is empty.', 'hint: Leave out --read-store for the default.'),
  );
  expect(await petstore('pet list', { environment: { PETSTORE_READ_STORE: '' } })).toEqual(
    refused(2, 'error: PETSTORE_READ_STORE is empty.', 'hint: unset PETSTORE_READ_STORE'),
  );
});

testInShop('a profile and the settings keep the read store of a shop, without a password', async ({ petstore, read }) => {
  const saved = await petstore(['profile', 'add', 'main', '--store', shop, '--read-store', standby('db2'), '-q']);
  expect(saved).toEqual(done(`✓ Saved profile main: ${shop}.\n`));
  expect(JSON.parse(read('config.json'))).toEqual({ profiles: { main: { store: shop, readStore: standby('db2') } } });
  expect((await petstore('profile list --fields name,readStore --format csv')).stdout).toBe(lines('name,readStore', `main,${standby('db2')}`));
  expect(await petstore(['config', 'set', 'read-store', standby('db2')])).toEqual(
    done(`✓ Saved read-store: ${standby('db2')}.\n`, 'It applies only to the shop of the setting store, if that is in PostgreSQL.\n'),
  );
  const passwords = refused(
    2,
    'error: The address contains a password; passwords are not saved in the config file.',
    'hint: Remove it from the address; use PGPASSWORD or ~/.pgpass.',
  );
  const secret = 'postgres://shop:secret@db2/shop';
  expect(await petstore(['config', 'set', 'read-store', secret])).toEqual(passwords);
  expect(await petstore(['profile', 'add', 'second', '--store', shop, '--read-store', secret])).toEqual(passwords);
  expect((await petstore(['config', 'set', 'read-store', 'shop.db'])).stderr).toContain(
    'error: read-store takes the postgres:// address of a standby of the shop.',
  );
});
