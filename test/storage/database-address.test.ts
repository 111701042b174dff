import { expect, test } from 'vitest';
import { StoreError } from '../../src/domain/errors.js';
import { isSameDatabase, parseDatabaseAddress } from '../../src/domain/values/database-address.js';
import { storeAddress } from '../../src/settings/store-address.js';

/** An address, how it is shown, and its hosts and ports. */
const addresses: readonly (readonly [address: string, shown: string, hosts: string])[] = [
  ['postgres://shop:secret@db.example:5432/shop?sslmode=require', 'postgres://shop@db.example:5432/shop', 'db.example:5432'],
  ['postgresql://db.example', 'postgresql://db.example', 'db.example:'],
  ['POSTGRES://shop:secret@a:5432,b:5433,c/shop', 'postgres://shop@a:5432,b:5433,c/shop', 'a:5432 b:5433 c:'],
  ['postgres://shop:p%40ss%2Fw%23d@[::1]:5433,[fe80::2]/shop', 'postgres://shop@[::1]:5433,[fe80::2]/shop', '::1:5433 fe80::2:'],
  ['postgres:///shop?host=/run/postgresql', 'postgres:///shop', '/run/postgresql:'],
  ['postgres:///shop?host=a,b&port=5433&user=shop&password=secret', 'postgres:///shop', 'a:5433 b:5433'],
  ['postgres://%2Frun%2Fpostgresql/shop', 'postgres://%2Frun%2Fpostgresql/shop', '/run/postgresql:'],
  ['postgres://shop:se:cret@a,b:1/shop', 'postgres://shop@a,b:1/shop', 'a: b:1'],
];

for (const [address, shown, hosts] of addresses) {
  test(`${address} is shown as ${shown}`, () => {
    expect(storeAddress(address)).toEqual({ store: address, where: shown });
    expect(
      parseDatabaseAddress(address)
        ?.hosts.map(({ host, port }) => `${host}:${port}`)
        .join(' '),
    ).toBe(hosts);
  });
}

test('user, password and name are decoded', () => {
  const address = parseDatabaseAddress('postgres://ana%20b:p%40ss%2Fw%23d@a/pet%20shop?connect_timeout=3');
  expect(address).toMatchObject({ user: 'ana b', password: 'p@ss/w#d', database: 'pet shop' });
  expect(address?.parameters.get('connect_timeout')).toBe('3');
});

test('a plus sign is no space, as in libpq', () => {
  expect(parseDatabaseAddress('postgres://ana+b:p+w@a/pet+shop')).toMatchObject({ user: 'ana+b', password: 'p+w', database: 'pet+shop' });
  const address = parseDatabaseAddress('postgres:///?host=%2Frun%2Fpet+shop&user=ana+b&password=p+w%20x=&dbname=pet+shop&&application_name=');
  expect(address).toMatchObject({ user: 'ana+b', password: 'p+w x=', database: 'pet+shop', hosts: [{ host: '/run/pet+shop' }] });
  expect(address?.parameters.get('application_name')).toBe('');
});

const refused: readonly (readonly [address: string, message: RegExp])[] = [
  ['postgres://a/shop?sslmod=require', /^"sslmod" is not a parameter of a database address/],
  ['postgres://a/shop?sslmode=secure', /^sslmode of a database address cannot be "secure"/],
  ['postgres://a/shop?sslmode=verify-ca', /needs sslrootcert/],
  ['postgres://a/shop?target_session_attrs=master', /^target_session_attrs of a database address cannot be "master"/],
  ['postgres://a/shop?connect_timeout=soon', /^connect_timeout of a database address is a number of seconds/],
  ['postgres://shop:zeb#ra@a/shop', /looks like postgres:/],
  ['postgres://shop:zeb%zzra@a/shop', /looks like postgres:/],
  ['postgres://a/shop?password=zeb%zzra', /looks like postgres:/],
  ['postgres://shop:zebra@a:5432,b:none/shop', /looks like postgres:/],
  ['postgres://shop:zebra@a:70000/shop', /looks like postgres:/],
  ['postgres://shop:zebra@:none/shop', /looks like postgres:/],
  ['postgres://shop:zebra@a,:1:2/shop', /looks like postgres:/],
  ['postgres://shop:zebra@[host]/shop', /looks like postgres:/],
  ['postgres://a,b,c/shop?port=1,2', /looks like postgres:/],
];

for (const [address, message] of refused) {
  test(`${address} is refused, and the password is not repeated`, () => {
    let error: unknown;
    try {
      storeAddress(address);
    } catch (thrown) {
      error = thrown;
    }
    expect(error).toBeInstanceOf(StoreError);
    expect(error).toMatchObject({ code: 'usage', message: expect.stringMatching(message) });
    expect(JSON.stringify(error) + String(error)).not.toContain('zeb');
  });
}

test('two addresses are the same database with a common host and the same name', () => {
  expect(isSameDatabase('postgres://ana@a:5432,b/shop', 'postgres://bo:x@B:5432/shop?sslmode=require')).toBe(true);
  expect(isSameDatabase('postgres://a,b/shop', 'postgres://a,b/other')).toBe(false);
  expect(isSameDatabase('postgres://a,b:5433/shop', 'postgres://b/shop')).toBe(false);
});
