import { StoreError } from '../../domain/errors.js';
import { codeOf, reservedUnitsWrong, storeBusy, withCause } from '../errors.js';

const socketCodes = new Set<string>([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ETIMEDOUT',
  'ENOENT',
  'EACCES',
]);
// 57P01–03: shut down by an administrator, by a crash, or starting up. 57P05, 25P03 and 25P04: timeouts that end the connection. 08: connection exceptions.
const serverCodes = /^(57P0[123]|57P05|25P0[34]|08...)$/;
// Errors that pg and pg-pool raise themselves have no code, so only their texts distinguish them.
const connectTimeoutTexts = /^timeout (expired|exceeded when trying to connect)/;
const connectionLostTexts = /^(Connection terminated|Client has encountered a connection error|Client was closed|Query read timeout)/;
const tlsTexts = /^(The server does not support SSL connections|There was an error establishing an SSL connection)/;
// TLS errors: the codes of Node, the certificate codes of OpenSSL, and EPROTO for the handshake.
const tlsCodes = /^(ERR_(TLS|SSL)_.*|.*CERT.*|UNABLE_TO_.*|CRL_.*|INVALID_CA|INVALID_PURPOSE|PATH_LENGTH_EXCEEDED|HOSTNAME_MISMATCH|EPROTO)$/;

// Everything that PgBouncer itself refuses has this code, so only its texts distinguish what may pass.
const poolerCode = '08P01';
const poolerRejectionTexts = /^(unsupported startup parameter|no such database|no such user|database does not allow connections|bouncer config error)/;
const noPasswordTexts = /^SASL: SCRAM-SERVER-FIRST-MESSAGE: client password must be a/;
const poolerPasswordTexts = /^(SASL|password) authentication failed/;

function textOf(error: unknown): string {
  return error instanceof Error ? error.message : '';
}

/** Whether the connection was lost or could not be opened. */
export function isConnectionLost(error: unknown): boolean {
  const code = codeOf(error);
  if (code === poolerCode) return !poolerRejectionTexts.test(textOf(error)) && !poolerPasswordTexts.test(textOf(error));
  if (code !== '') return socketCodes.has(code) || serverCodes.test(code);
  return connectTimeoutTexts.test(textOf(error)) || connectionLostTexts.test(textOf(error));
}

/** Whether a prepared statement does not exist (26000), or another connection has already prepared one of that name (42P05). */
export function isStatementMissing(error: unknown): boolean {
  return ['26000', '42P05'].includes(codeOf(error));
}

/** Whether a server refused to write: it is a standby, or a primary that has stepped down. */
export function isReadOnlyServer(error: unknown): boolean {
  return codeOf(error) === '25006';
}

/** The error for a server of a kind that the address excludes; `wantsWrites` when it should accept writes. The reason is for messages. */
export function serverNotUsable(reason: string, wantsWrites: boolean): Error {
  // 08004: the server rejected the connection.
  return Object.assign(new Error(`${reason}.`), { code: wantsWrites ? '25006' : '08004', reason });
}

/** Whether a TLS connection could not be established. */
export function isTlsError(error: unknown): boolean {
  const code = codeOf(error);
  return tlsCodes.test(code) || (code === '' && tlsTexts.test(textOf(error)));
}

/**
 * Whether a transaction may succeed when it is repeated: after a serialization failure, a deadlock, a lost connection, on a
 * server that is being promoted, after too many connections, or a prepared statement that a pooler sent to another connection.
 */
export function isTransient(error: unknown): boolean {
  return ['40001', '40P01', '53300', '25006'].includes(codeOf(error)) || isStatementMissing(error) || isConnectionLost(error);
}

/** Whether waiting for a lock exceeded `lock_timeout`. */
export function isLockTimeout(error: unknown): boolean {
  return codeOf(error) === '55P03';
}

// A table or column that does not exist: the schema was changed without petstore.
const unknownNames = new Set(['42P01', '42703']);

/** Whether a change would release more units of a pet than are reserved (23514: a check is violated). */
function isReservedBelowZero(error: unknown): boolean {
  return codeOf(error) === '23514' && error instanceof Error && 'constraint' in error && error.constraint === 'stock_reserved_check';
}

const allInUse = 'all connections of this process are in use';

/** The error when no connection of this process becomes free in time. */
export function noFreeConnection(): Error {
  return Object.assign(new Error('No connection was available in time.'), { code: 'ETIMEDOUT', reason: allInUse });
}

const reachabilityAdvice = 'Check that the server is running, and the address.';

/** Turns an error of PostgreSQL into a refusal with a message for the user; returns an unexpected error unchanged. `where` is the address without its password. */
export function explain(error: unknown, where: string): unknown {
  return error instanceof StoreError ? error : withCause(refusalOf(error, where), error);
}

function refusalOf(error: unknown, where: string): unknown {
  const code = codeOf(error);
  if (isLockTimeout(error) || ['40001', '40P01'].includes(code)) return storeBusy(where, 0);
  if (code === '53300') return new StoreError('store_unreachable', `${where} has no free connections.`, { advice: 'Try again later.' });
  if (code === '57014')
    return new StoreError('store_busy', `${where} ended a statement before it was finished (${textOf(error)}); nothing was changed.`, {
      advice: 'Try again when the server is less busy, or raise the statement_timeout of the database user.',
    });
  if (isConnectionLost(error)) {
    const advice = reasonIn(error) === allInUse ? 'Try again later.' : reachabilityAdvice;
    return new StoreError('store_unreachable', `${where} cannot be reached (${reasonOf(error)}).`, { advice });
  }
  if (code === poolerCode && poolerRejectionTexts.test(textOf(error)))
    return new StoreError('store_unreachable', `${where} rejected the connection (${textOf(error)}).`, {
      advice: 'Check the address, and the settings of the pooler.',
    });
  if (code === '28P01' || code === '28000' || code === poolerCode)
    return new StoreError('store_unreachable', `${where} rejected the user name or the password.`, { advice: 'Check both in the address.' });
  if (noPasswordTexts.test(textOf(error)))
    return new StoreError('store_unreachable', `${where} asks for a password.`, { advice: 'Give it in PGPASSWORD, in ~/.pgpass or in the address.' });
  if (code === '3D000') return new StoreError('store_missing', `There is no database at ${where}.`, { details: { reason: 'database_missing' } });
  if (isReadOnlyServer(error)) {
    return new StoreError('store_read_only', `${where} cannot be written to: ${reasonIn(error) ?? 'it is a standby, or read-only'}.`, {
      advice: 'Wait until a standby was promoted, or give the address of the primary.',
    });
  }
  if (isForbidden(error)) return new StoreError('store_read_only', `${where} cannot be written to.`, { advice: 'Check the permissions of the database user.' });
  if (code === '53100')
    return new StoreError('store_full', `No space left to write to ${where}; nothing was changed.`, {
      advice: 'Free some disk space on the server and run the command again.',
    });
  if (code === 'XX001' || code === 'XX002')
    return new StoreError('store_unreadable', `${where} is damaged; nothing was changed.`, { advice: 'Restore the latest backup.' });
  if (unknownNames.has(code))
    return new StoreError('store_unreadable', `${where} is damaged (${textOf(error)}); nothing was changed.`, { advice: 'Restore the latest backup.' });
  if (isReservedBelowZero(error)) return reservedUnitsWrong(where);
  if (isTlsError(error)) {
    return new StoreError('store_unreachable', `The TLS connection to ${where} failed: ${textOf(error).replace(/\.$/, '')}.`, {
      advice: 'Check sslmode in the address.',
    });
  }
  return error;
}

/** Whether the database user lacks a permission. */
export function isForbidden(error: unknown): boolean {
  return codeOf(error) === '42501';
}

/** `explain` for an error of a read. */
export function explainRead(error: unknown, where: string): unknown {
  if (!isForbidden(error)) return explain(error, where);
  const refusal = new StoreError('store_unreachable', `${where} cannot be read by this database user.`, {
    advice: 'Check the permissions of the database user.',
  });
  return withCause(refusal, error);
}

/** The reason that an error of ours has for messages. */
function reasonIn(error: unknown): string | undefined {
  return error instanceof Error && 'reason' in error && typeof error.reason === 'string' ? error.reason : undefined;
}

/** Why a connection was lost, in a few words; without the address, which may contain the password. */
export function reasonOf(error: unknown): string {
  const reason = reasonIn(error);
  if (reason !== undefined) return reason;
  const code = codeOf(error);
  if (code === '53300') return 'it has no free connections';
  if (isTlsError(error)) return textOf(error).replace(/\.$/, '');
  if (code === '57P03') return 'it is starting up';
  if (code.startsWith('57P')) return 'it was shut down';
  if (code === 'ETIMEDOUT') return 'it does not answer';
  if (code === poolerCode) return textOf(error);
  if (code !== '') return code;
  return connectTimeoutTexts.test(textOf(error)) ? 'it does not answer' : 'the connection broke';
}

/** The error when servers of an address refused: the reasons of all of them, by the names of the servers. */
export function combinedError(failures: readonly (readonly [name: string, error: unknown])[]): unknown {
  const [, last] = failures.at(-1) ?? [];
  if (failures.length < 2) return last;
  // 08006: connection failure.
  const code = failures.some(([, error]) => isReadOnlyServer(error)) ? '25006' : '08006';
  // The reason for which an address excludes a server names it.
  const reasons = failures.map(([name, error]) => (reasonOf(error).startsWith(name) ? reasonOf(error) : `${name}: ${reasonOf(error)}`));
  return Object.assign(new Error('No server could be used.'), { code, reason: reasons.join('; '), cause: last });
}

/** The refusal when it is unknown whether a change was committed. */
export function outcomeUnknown(where: string): StoreError {
  return new StoreError('store_unreachable', `The connection to ${where} broke while a change was being saved; it is unknown whether it was saved.`, {
    details: { reason: 'outcome_unknown' },
  });
}

/** The refusal when a change is on the disk of the primary, but not of a synchronous standby. */
export function notConfirmed(where: string): StoreError {
  return new StoreError('store_unreachable', `The change was saved in ${where}, but no synchronous standby has confirmed it yet; a failover could lose it.`, {
    details: { reason: 'not_confirmed' },
  });
}
