import { StoreError } from '../../domain/errors.js';
import { busy, withCause } from '../errors.js';

/** The code of a failure: five characters of the server (SQLSTATE), or what Node says of a socket. */
export function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';
}

const socketCodes = new Set(['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH', 'ETIMEDOUT', 'ENOENT', 'EACCES']);
// Shut down by hand, by a crash, or still starting up; silent for too long; then the whole class of connection exceptions.
const serverCodes = /^(57P0[123]|57P05|25P03|08...)$/;
// Errors that pg and pg-pool make themselves have no code, so only their texts distinguish them.
const connectTimeoutTexts = /^timeout (expired|exceeded when trying to connect)/;
const connectionLostTexts = /^(Connection terminated|Client has encountered a connection error|Client was closed|Query read timeout)/;
const tlsTexts = /^(The server does not support SSL connections|There was an error establishing an SSL connection)/;
// The codes of Node for TLS: its own, those of OpenSSL for certificates, and EPROTO for the handshake.
const tlsCodes = /^(ERR_(TLS|SSL)_.*|.*CERT.*|UNABLE_TO_.*|CRL_.*|INVALID_CA|INVALID_PURPOSE|PATH_LENGTH_EXCEEDED|HOSTNAME_MISMATCH|EPROTO)$/;

function textOf(error: unknown): string {
  return error instanceof Error ? error.message : '';
}

/** Whether the connection is gone, or none could be made. */
export function isConnectionLost(error: unknown): boolean {
  const code = codeOf(error);
  if (code !== '') return socketCodes.has(code) || serverCodes.test(code);
  return connectTimeoutTexts.test(textOf(error)) || connectionLostTexts.test(textOf(error));
}

/** Whether a prepared statement is not the one that the connection prepared: there is none of its name, or one of another connection. */
export function isStatementMissing(error: unknown): boolean {
  return ['26000', '42P05'].includes(codeOf(error));
}

/**
 * Whether a transaction that is done again from its beginning may succeed: a conflict with another one, a deadlock, a
 * lost connection, too many connections, a prepared statement that a pooler has mixed up.
 */
export function isTransient(error: unknown): boolean {
  return ['40001', '40P01', '53300'].includes(codeOf(error)) || isStatementMissing(error) || isConnectionLost(error);
}

/** Whether a lock did not come free in time. */
export function isLockTimeout(error: unknown): boolean {
  return codeOf(error) === '55P03';
}

const reachabilityAdvice = 'Check that the server is running, and the address.';

/** What a failure of PostgreSQL means to people; anything unexpected is passed on as it is. `where` is the address without its password. */
export function explain(error: unknown, where: string): unknown {
  return error instanceof StoreError ? error : withCause(meaningOf(error, where), error);
}

function meaningOf(error: unknown, where: string): unknown {
  const code = codeOf(error);
  if (isLockTimeout(error) || ['40001', '40P01'].includes(code)) return busy(where, 0);
  if (code === '53300') return new StoreError('store_unreachable', `${where} has no free connections.`, { advice: 'Try again later.' });
  if (isConnectionLost(error)) return new StoreError('store_unreachable', `${where} cannot be reached (${reasonOf(error)}).`, { advice: reachabilityAdvice });
  if (code === '28P01' || code === '28000')
    return new StoreError('store_unreachable', `${where} refuses the user or the password.`, { advice: 'Check both in the address.' });
  if (code === '3D000') return new StoreError('store_missing', `There is no database at ${where}.`, { details: { reason: 'database_missing' } });
  if (code === '42501' || code === '25006')
    return new StoreError('store_read_only', `${where} cannot be written to.`, { advice: 'Check the rights of the user.' });
  if (code === '53100')
    return new StoreError('store_full', `No space left to write to ${where}; nothing was changed.`, {
      advice: 'Free some disk space on the server and run the command again.',
    });
  if (code === 'XX001' || code === 'XX002')
    return new StoreError('store_unreadable', `${where} is damaged; nothing was changed.`, { advice: 'Restore the latest backup.' });
  if (tlsCodes.test(code) || (code === '' && tlsTexts.test(textOf(error)))) {
    return new StoreError('store_unreachable', `${where} cannot be reached safely: ${textOf(error).replace(/\.$/, '')}.`, {
      advice: 'See sslmode in the address.',
    });
  }
  return error;
}

/** Why a connection is gone, in a few words that hold nothing of the address. */
function reasonOf(error: unknown): string {
  const code = codeOf(error);
  if (code === '57P03') return 'it is starting up';
  if (code.startsWith('57P')) return 'it was shut down';
  if (code !== '') return code;
  return connectTimeoutTexts.test(textOf(error)) ? 'it does not answer' : 'the connection broke';
}

/** The refusal when it is unknown whether a change was committed. */
export function outcomeUnknown(where: string): StoreError {
  return new StoreError('store_unreachable', `The connection to ${where} broke while a change was being saved; it is unknown whether it was saved.`, {
    details: { reason: 'outcome_unknown' },
  });
}
