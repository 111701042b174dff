import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sql } from '../../src/storage/sql.js';
import { newCertificate } from '../support/certificate.js';
import { expectRefusal } from '../support/expect-refusal.js';
import { missingTool, skipWith } from '../support/optional-tools.js';
import { addressOf, openShop } from '../support/postgres.js';
import { canStart, password, startPostgres, type PostgresServer } from '../support/postgres-server.js';

const missing = missingTool('openssl', 'openssl', ['version']);

/** Whether the connection to a shop is encrypted. */
async function isEncrypted(address: string): Promise<boolean | undefined> {
  const engine = await openShop(address, { waitSeconds: 0, create: true });
  try {
    const found = await engine.read((queries) => queries.get<{ readonly ssl: boolean }>(sql`SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()`));
    return found?.ssl;
  } finally {
    await engine.close();
  }
}

describe.skipIf(!canStart())('TLS to PostgreSQL', () => {
  const folder = mkdtempSync(join(tmpdir(), 'petstore-tls-'));
  let server: PostgresServer | undefined;
  let [own, other] = ['', ''];
  const at = (host: string, parameters: string): string => `postgres://petstore:${password}@${host}:${server?.port}/postgres?${parameters}`;

  beforeAll(async () => {
    if (missing !== undefined) return;
    const folders = ['own', 'other'].map((name) => join(folder, name));
    for (const one of folders) mkdirSync(one);
    const [files, strange] = folders.map(newCertificate);
    [own, other] = [files?.cert ?? '', strange?.cert ?? ''];
    // The server runs with another account when this process is root, and reads no key that others may read.
    if (process.getuid?.() === 0) execFileSync('chown', ['-R', '65534:65534', folder]);
    execFileSync('chmod', ['755', folder]);
    server = await startPostgres(false, ['ssl=on', `ssl_cert_file=${own}`, `ssl_key_file=${files?.key}`]);
  });

  afterAll(async () => {
    await server?.stop();
    rmSync(folder, { recursive: true });
  });

  test('sslmode means what it means in libpq', async (context) => {
    skipWith(missing, context);
    expect(await isEncrypted(at('127.0.0.1', ''))).toBe(false);
    expect(await isEncrypted(at('127.0.0.1', 'sslmode=disable'))).toBe(false);
    // The certificate is for the name localhost, and signed by itself.
    for (const parameters of ['sslmode=prefer', 'sslmode=require', `sslmode=require&sslrootcert=${own}`, `sslmode=verify-ca&sslrootcert=${own}`]) {
      expect([parameters, await isEncrypted(at('127.0.0.1', parameters))]).toEqual([parameters, true]);
    }
    expect(await isEncrypted(at('localhost', `sslmode=verify-full&sslrootcert=${own}`))).toBe(true);
    const refused = [
      at('127.0.0.1', `sslmode=verify-full&sslrootcert=${own}`),
      at('localhost', 'sslmode=verify-full'),
      at('localhost', `sslmode=verify-full&sslrootcert=${other}`),
      at('localhost', `sslmode=verify-ca&sslrootcert=${other}`),
      at('localhost', `sslmode=require&sslrootcert=${other}`),
    ];
    for (const address of refused) await expectRefusal('store_unreachable', isEncrypted(address), /The TLS connection to .* failed/);
    await expectRefusal('usage', isEncrypted(at('localhost', 'sslmode=verify-full&sslrootcert=/none')), /sslrootcert cannot be read: \/none \(ENOENT\)/);
  });

  test('a server without TLS is used by prefer, and refused by require', async (context) => {
    const address = addressOf('petstore_template');
    if (address === undefined) return context.skip();
    expect(await isEncrypted(`${address}?sslmode=prefer`)).toBe(false);
    await expectRefusal('store_unreachable', isEncrypted(`${address}?sslmode=require`), /does not support SSL/);
  });
});
