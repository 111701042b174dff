import { expect, test } from 'vitest';
import { StoreError } from '../../src/domain/errors.js';
import { combinedError, explain as explainPostgres, serverNotUsable } from '../../src/storage/postgres/errors.js';
import { explain as explainSqlite, isDamaged } from '../../src/storage/sqlite/errors.js';

/** An error of a driver: most have a code. */
function driverError(message: string, code?: string): Error {
  return Object.assign(new Error(message), code !== undefined && { code });
}

function summaryOf(explained: unknown): string {
  return explained instanceof StoreError ? `${explained.code}: ${explained.message}` : 'unexpected';
}

const postgres: readonly (readonly [message: string, code: string | undefined, summary: string])[] = [
  ['connect ECONNREFUSED 127.0.0.1:1', 'ECONNREFUSED', 'store_unreachable: db cannot be reached (ECONNREFUSED).'],
  ['timeout expired', undefined, 'store_unreachable: db cannot be reached (it does not answer).'],
  ['Connection terminated unexpectedly', undefined, 'store_unreachable: db cannot be reached (the connection broke).'],
  ['self-signed certificate', 'DEPTH_ZERO_SELF_SIGNED_CERT', 'store_unreachable: The TLS connection to db failed: self-signed certificate.'],
  ['certificate has expired', 'CERT_HAS_EXPIRED', 'store_unreachable: The TLS connection to db failed: certificate has expired.'],
  [
    'unable to verify the first certificate',
    'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
    'store_unreachable: The TLS connection to db failed: unable to verify the first certificate.',
  ],
  ['wrong version number', 'ERR_SSL_WRONG_VERSION_NUMBER', 'store_unreachable: The TLS connection to db failed: wrong version number.'],
  [
    'The server does not support SSL connections',
    undefined,
    'store_unreachable: The TLS connection to db failed: The server does not support SSL connections.',
  ],
  // What the driver says where no password is known.
  ['SASL: SCRAM-SERVER-FIRST-MESSAGE: client password must be a string', undefined, 'store_unreachable: db asks for a password.'],
  ['SASL: SCRAM-SERVER-FIRST-MESSAGE: client password must be a non-empty string', undefined, 'store_unreachable: db asks for a password.'],
  // What PgBouncer itself refuses.
  ['query_wait_timeout', '08P01', 'store_unreachable: db cannot be reached (query_wait_timeout).'],
  ['SASL authentication failed', '08P01', 'store_unreachable: db rejected the user name or the password.'],
  ['unsupported startup parameter: options', '08P01', 'store_unreachable: db rejected the connection (unsupported startup parameter: options).'],
  // Limits that an operator has set for the database user.
  [
    'canceling statement due to statement timeout',
    '57014',
    'store_busy: db ended a statement before it was finished (canceling statement due to statement timeout); nothing was changed.',
  ],
  ['terminating connection due to transaction timeout', '25P04', 'store_unreachable: db cannot be reached (25P04).'],
  // A schema that was changed without petstore.
  ['column n.undone does not exist', '42703', 'store_unreadable: db is damaged (column n.undone does not exist); nothing was changed.'],
  ['relation "stock" does not exist', '42P01', 'store_unreadable: db is damaged (relation "stock" does not exist); nothing was changed.'],
  // A refusal of the server whose text happens to mention SSL.
  ['syntax error at or near "SSL"', '42601', 'unexpected'],
  ['database "x" does not exist', '3D000', 'store_missing: There is no database at db.'],
];

for (const [message, code, summary] of postgres) {
  test(`PostgreSQL, ${code ?? 'no code'}: ${message}`, () => {
    expect(summaryOf(explainPostgres(driverError(message, code), 'db'))).toBe(summary);
  });
}

test('PostgreSQL, several servers: the reasons of all of them', () => {
  const summary = (...errors: readonly Error[]): string =>
    summaryOf(explainPostgres(combinedError(errors.map((error, index) => [`host${index}:5432`, error])), 'db'));
  const [closed, refused] = [driverError('Connection terminated unexpectedly'), driverError('connect ECONNREFUSED', 'ECONNREFUSED')];
  const untrusted = driverError('certificate has expired', 'CERT_HAS_EXPIRED');
  expect(summary(closed, refused, untrusted)).toBe(
    'store_unreachable: db cannot be reached (host0:5432: the connection broke; host1:5432: ECONNREFUSED; host2:5432: certificate has expired).',
  );
  expect(summary(refused, closed)).toBe('store_unreachable: db cannot be reached (host0:5432: ECONNREFUSED; host1:5432: the connection broke).');
  expect(summary(serverNotUsable('host0:5432 is a standby', true), closed)).toBe(
    'store_read_only: db cannot be written to: host0:5432 is a standby; host1:5432: the connection broke.',
  );
});

const sqlite: readonly (readonly [message: string, code: string, summary: string, damaged: boolean])[] = [
  ['database disk image is malformed', 'SQLITE_CORRUPT_INDEX', 'store_unreadable: db is damaged; nothing was changed.', true],
  ['file is not a database', 'SQLITE_NOTADB', 'store_unreadable: db is not a petstore shop.', true],
  ['no such table: pets', 'SQLITE_ERROR', 'store_unreadable: db is damaged (no such table: pets); nothing was changed.', true],
  ['near "FORM": syntax error', 'SQLITE_ERROR', 'unexpected', false],
  ['disk I/O error', 'SQLITE_IOERR_READ', 'store_unreadable: Reading or writing db failed (SQLITE_IOERR_READ); nothing was changed.', false],
  [
    'disk I/O error',
    'SQLITE_IOERR_SHMSIZE',
    'store_full: The disk is full or failing: cannot write db-shm, which is also needed for reading; nothing was changed.',
    false,
  ],
  ['database is locked', 'SQLITE_BUSY_SNAPSHOT', 'store_busy: db is locked by another process.', false],
];

for (const [message, code, summary, damaged] of sqlite) {
  test(`SQLite, ${code}: ${message}`, () => {
    const error = driverError(message, code);
    expect([summaryOf(explainSqlite(error, 'db')), isDamaged(error)]).toEqual([summary, damaged]);
  });
}
