import { expect } from 'vitest';
import { testListening, testServed, type Sent } from '../support/server.js';
import { expectAlive, rawRequest, openRawConnection } from '../support/raw-connection.js';

const csv = 'Content-Type: text/csv';

const entries = { text: 'SELECT count(*) FROM ledger', values: [] };

testListening('an import whose token is revoked while it arrives changes nothing', async (served) => {
  const { port, dependencies, rows } = served;
  await served.pet({ quantity: 1 });
  for (const [path, head, row] of [
    ['/store/imports', 'petId,quantity\n', '1,9\n'],
    ['/pets/imports', 'name,category\n', 'Rex,1\n'],
  ] as const) {
    const { text } = await dependencies.tokens.create({ name: 'till', scopes: ['store:write', 'pets:write'] });
    const before = await rows(entries);
    const line = await openRawConnection(port);
    line.send(rawRequest(`POST ${path}`, [csv, `Authorization: Bearer ${text}`, `Content-Length: ${head.length + row.length}`], head));
    await expectAlive(served);
    await dependencies.tokens.revoke('till');
    line.send(row);
    const { status, code } = await line.answer();
    expect([path, status, code, await rows(entries)]).toEqual([path, 401, 'invalid_token', before]);
  }
});

testListening('an import whose token expires while it arrives changes nothing', async (served) => {
  const { port, dependencies, clock, rows } = served;
  await served.pet({ quantity: 1 });
  const { text } = await dependencies.tokens.create({ name: 'till', scopes: ['store:write'], expiresAt: '2026-11-20T10:00:00Z' });
  const before = await rows(entries);
  const line = await openRawConnection(port);
  line.send(rawRequest('POST /store/imports', [csv, `Authorization: Bearer ${text}`, 'Content-Length: 19'], 'petId,quantity\n'));
  await expectAlive(served);
  clock.pass(2 * 60 * 60 * 1000);
  line.send('1,9\n');
  const { status, code } = await line.answer();
  expect([status, code, await rows(entries)]).toEqual([401, 'invalid_token', before]);
});

testServed('a token of the store alone imports by id, and not by the names of pets', async ({ http, pet, dependencies }) => {
  await pet({ quantity: 1 });
  const { text } = await dependencies.tokens.create({ name: 'till', scopes: ['store:write'] });
  const sent = (body: string): Sent => ({ headers: { 'content-type': 'text/csv', authorization: `Bearer ${text}` }, body });
  expect((await http('POST', '/store/imports', sent('petId,quantity\n1,4\n'))).status).toBe(200);
  for (const name of ['Rex', 'Nobody']) {
    const { status, code } = await http('POST', '/store/imports?match=name', sent(`name,quantity\n${name},5\n`));
    expect([name, status, code]).toEqual([name, 403, 'insufficient_scope']);
  }
});
