import { describe, expect, test } from 'vitest';
import { follow } from '../support/event-stream.js';
import { openShop } from '../support/postgres.js';
import { canStart } from '../support/postgres-server.js';
import { ask, options, serverDependencies, testListening } from '../support/server.js';
import { withStandby } from '../support/standby.js';
import { type Headers, ownPage, newToken, cookieOf } from '../support/sign-in.js';
import { serve } from '../../src/http/server/server.js';
import { localShop } from '../../src/storage/shop.js';
import type { Engine } from '../../src/storage/engine.js';

testListening('an event stream of a session ends when its token is revoked or the user signs out', async (served) => {
  const { address, port, dependencies, category } = served;
  for (const end of ['revoke', 'sign out'] as const) {
    const name = `till ${end}`;
    const answer = await ask(address, 'POST', '/session', { headers: ownPage, body: { token: await newToken(served, ['store:read'], name) } });
    expect(cookieOf(answer)).toMatch(new RegExp(`^petstore_session_${port}=`));
    const headers = { ...ownPage, cookie: cookieOf(answer) };
    const stream = await follow(address, '/store/events', headers);
    await category(`before ${end}`);
    expect(await stream.next(1)).toMatchObject([{ event: 'category.created' }]);
    if (end === 'revoke') await dependencies.tokens.revoke(name);
    else expect((await ask(address, 'DELETE', '/session', { headers })).status).toBe(204);
    await category(`after ${end}`);
    expect(await stream.rest()).toEqual([]);
    expect((await follow(address, '/store/events', headers)).status).toBe(401);
  }
});

testListening('a session of the owner ends when a server of the shop starts, that of a token does not', async (served) => {
  const code = (): string => /#code=(.*)$/.exec(served.signInAddress())?.[1] ?? '';
  const start = async (address: string, body: unknown): Promise<Headers> => ({
    ...ownPage,
    'x-forwarded-proto': 'https',
    cookie: cookieOf(await ask(address, 'POST', '/session', { headers: { ...ownPage, 'x-forwarded-proto': 'https' }, body })),
  });
  const { address } = served;
  const [ofToken, ofOwner] = [await start(address, { token: await newToken(served) }), await start(address, { code: code() })];
  const name = async (at: string, headers: Headers): Promise<unknown> =>
    (await ask(at, 'GET', '/session', { headers })).json<{ readonly name?: string }>().name;
  expect([await name(address, ofToken), await name(address, ofOwner)]).toEqual(['till', 'keeper']);
  // Another server of the same shop.
  const other = await served.restart();
  expect([await name(other, ofToken), await name(other, ofOwner)]).toEqual(['till', undefined]);
  expect(await name(other, await start(other, { code: code() }))).toBe('keeper');
  expect((await ask(other, 'DELETE', '/session', { headers: ofToken })).status).toBe(204);
  expect(await name(other, ofToken)).toBeUndefined();
});

describe.skipIf(!canStart())('on PostgreSQL with a standby', () => {
  test('a server of a standby keeps the sessions of the owner, and one of the primary ends them', () =>
    withStandby(async (primary, standby) => {
      const engine = await openShop(primary.urlOf('postgres'));
      const replica = await openShop(standby.urlOf('postgres'), { waitSeconds: 0 });
      const { tokens, sessions } = localShop(engine, { actor: 'ana', source: 'http', clock: Date.now }, '');
      await tokens.create({ name: 'till', scopes: ['admin'] });
      const [token = expect.fail('There is no token.')] = await tokens.list();
      await sessions.start({ token });
      await sessions.start({ owner: 'ana' });
      await standby.caughtUp();
      const startAndStop = async (of: Engine): Promise<void> => {
        const shopOf = (actor: string) => localShop(of, { actor, source: 'http', clock: Date.now }, '');
        const { stop } = await serve(serverDependencies(shopOf, Date.now, []), options());
        await stop();
      };
      const holders = async (): Promise<readonly string[]> => (await sessions.list()).map(({ holder }) => holder);
      await startAndStop(replica);
      expect(await holders()).toEqual(['token', 'owner']);
      await startAndStop(engine);
      expect(await holders()).toEqual(['token']);
      await Promise.all([engine, replica].map((one) => one.close()));
    }));
});
