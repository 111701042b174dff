import { readFileSync } from 'node:fs';
import { randomInt } from 'node:crypto';
import pg from 'pg';
import { StoreError } from '../../domain/errors.js';
import { parseDatabaseAddress, type DatabaseAddress } from '../../domain/values/database-address.js';
import { codeOf } from '../errors.js';

/** Which servers may be used, as `target_session_attrs` of libpq. */
export type SessionKind = 'any' | 'read-write' | 'read-only' | 'primary' | 'standby' | 'prefer-standby';

/** A server to connect to. */
export interface Target {
  /** Host and port for messages. */
  readonly name: string;
  config: pg.ClientConfig;
  /** Whether the connection is not encrypted when the server cannot do that. */
  isTlsOptional: boolean;
  /** Increases when the connections opened before must not be used any more. */
  generation: number;
}

/** How long a server has to accept a connection. With several hosts the next one must have its turn within a usual wait. */
const [connectSeconds, connectSecondsOfMany] = [5, 3];
// Detects a lost peer of an idle connection.
const keepAliveDelayMs = 5000;
const defaultPort = '5432';

/** Parses an integer of the server; throws instead of rounding when it is not a safe integer. */
function wholeNumber(text: string): number {
  const value = Number(text);
  if (Number.isSafeInteger(value)) return value;
  throw new Error(`The database answered ${text}, which is not a safe integer.`);
}

// Ids, quantities and times are int8; a sum of int8 is numeric.
const numberTypes = new Set<number>([pg.types.builtins.INT8, pg.types.builtins.NUMERIC]);
const types = {
  getTypeParser: (id: Parameters<typeof pg.types.getTypeParser>[0], format?: 'text' | 'binary'): unknown =>
    numberTypes.has(id) && format !== 'binary' ? wholeNumber : pg.types.getTypeParser(id, format as 'text'),
};

/** Reads a file that a parameter names; refuses with `usage`. */
function fileOf(parameters: DatabaseAddress['parameters'], name: string): string | undefined {
  const path = parameters.get(name);
  if (path === undefined || path === 'system') return undefined;
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    throw new StoreError('usage', `The file of ${name} cannot be read: ${path} (${codeOf(error)}).`);
  }
}

/** The TLS options of an address, with the meaning that libpq gives to `sslmode`; undefined leaves them to PGSSLMODE. */
function tlsOf({ parameters }: DatabaseAddress): pg.ClientConfig['ssl'] {
  const files = { ca: fileOf(parameters, 'sslrootcert'), cert: fileOf(parameters, 'sslcert'), key: fileOf(parameters, 'sslkey') };
  const mode = parameters.get('sslmode') ?? (['sslrootcert', 'sslcert', 'sslkey'].some((name) => parameters.has(name)) ? 'verify-full' : undefined);
  if (mode === undefined) return parameters.get('sslnegotiation') === 'direct' ? true : undefined;
  if (mode === 'disable') return false;
  if (mode === 'verify-full') return files;
  // As in libpq, `require` checks the certificate when there is something to check it by.
  const isChecked = mode === 'verify-ca' || (mode === 'require' && files.ca !== undefined);
  return isChecked ? { ...files, checkServerIdentity: () => undefined } : { ...files, rejectUnauthorized: false };
}

function optional<Key extends string>(key: Key, value: string): Partial<Record<Key, string>> {
  return value === '' ? {} : ({ [key]: value } as Record<Key, string>);
}

/** The servers of an address in the order in which they are tried, and which of them may be used. */
export function targetsOf(text: string): { readonly targets: readonly [Target, ...Target[]]; readonly sessions: SessionKind } {
  const address = parseDatabaseAddress(text);
  if (address === undefined) throw new StoreError('usage', 'The address of the database is malformed.');
  const { user, password, hosts, database, parameters } = address;
  const isOne = hosts.length === 1;
  const timeoutSeconds = Number(parameters.get('connect_timeout') ?? 0);
  const shared: pg.ClientConfig = {
    ...optional('user', user),
    ...optional('password', password),
    ...optional('database', database),
    ...optional('options', parameters.get('options') ?? ''),
    ssl: tlsOf(address),
    enableChannelBinding: parameters.get('channel_binding') === 'prefer',
    ...(parameters.get('sslnegotiation') === 'direct' && { sslnegotiation: 'direct' }),
    application_name: parameters.get('application_name') ?? 'petstore',
    connectionTimeoutMillis: (timeoutSeconds > 0 ? timeoutSeconds : isOne ? connectSeconds : connectSecondsOfMany) * 1000,
    keepAlive: true,
    keepAliveInitialDelayMillis: keepAliveDelayMs,
    types: types as pg.CustomTypesConfig,
  };
  const targetOf = ({ host, port }: (typeof hosts)[number]): Target => ({
    name: `${host.includes(':') ? `[${host}]` : host}:${port === '' ? defaultPort : port}`,
    config: { ...shared, ...optional('host', host), ...(port !== '' && { port: Number(port) }) },
    isTlsOptional: parameters.get('sslmode') === 'prefer',
    generation: 0,
  });
  const [first, ...others] = hosts;
  const targets: [Target, ...Target[]] = [targetOf(first), ...others.map(targetOf)];
  if (parameters.get('load_balance_hosts') === 'random') {
    const order = new Map(targets.map((target) => [target, randomInt(2 ** 32)]));
    targets.sort((one, other) => (order.get(one) ?? 0) - (order.get(other) ?? 0));
  }
  // A shop is of no use on a server that cannot be written to, unless it is the only one.
  const sessions = (parameters.get('target_session_attrs') ?? (isOne ? 'any' : 'read-write')) as SessionKind;
  return { targets, sessions };
}
