import { StoreError } from '../errors.js';

/** A server of a database; an empty host or port is the default. */
export interface DatabaseHost {
  readonly host: string;
  readonly port: string;
}

/** The parts of the address of a database, decoded. Empty parts are the defaults. */
export interface DatabaseAddress {
  readonly user: string;
  readonly password: string;
  readonly hosts: readonly [DatabaseHost, ...DatabaseHost[]];
  readonly database: string;
  readonly parameters: ReadonlyMap<string, string>;
  /** The address for display: no password and no parameters. */
  readonly where: string;
}

/** The parameters of an address, as in libpq, with their values; undefined allows any text. */
const parameterValues: Readonly<Record<string, readonly string[] | undefined>> = {
  host: undefined,
  port: undefined,
  user: undefined,
  password: undefined,
  dbname: undefined,
  sslmode: ['disable', 'prefer', 'require', 'verify-ca', 'verify-full'],
  sslrootcert: undefined,
  sslcert: undefined,
  sslkey: undefined,
  sslnegotiation: ['postgres', 'direct'],
  target_session_attrs: ['any', 'read-write', 'read-only', 'primary', 'standby', 'prefer-standby'],
  load_balance_hosts: ['disable', 'random'],
  connect_timeout: undefined,
  application_name: undefined,
  options: undefined,
  channel_binding: ['disable', 'prefer'],
  gssencmode: ['disable', 'prefer'],
};

const longestTimeoutSeconds = 3600;
const largestPort = 65_535;

function checkParameter(name: string, value: string): void {
  if (!Object.hasOwn(parameterValues, name)) {
    const known = Object.keys(parameterValues).filter((one) => one.startsWith('ssl') || one.includes('_'));
    throw new StoreError('usage', `"${name}" is not a parameter of a database address.`, { advice: `Parameters are ${known.join(', ')}.` });
  }
  const values = parameterValues[name];
  if (values !== undefined && !values.includes(value)) {
    throw new StoreError('usage', `${name} of a database address cannot be "${value}".`, { advice: `Give ${values.join(', ')}.` });
  }
  if (name === 'connect_timeout' && !(/^\d{1,4}$/.test(value) && Number(value) <= longestTimeoutSeconds)) {
    throw new StoreError('usage', `connect_timeout of a database address is a number of seconds up to ${longestTimeoutSeconds}.`);
  }
}

/** The decoded parameters. As in libpq, `+` is not a space. Throws a `URIError` when a percent sign encodes nothing. */
function decodedParameters(query: string): ReadonlyMap<string, string> {
  const parts = query.split('&').filter((part) => part !== '');
  return new Map(
    parts.map((part) => {
      const [, name = '', value = ''] = /^([^=]*)=?(.*)$/.exec(part) ?? [];
      return [decodeURIComponent(name), decodeURIComponent(value)];
    }),
  );
}

function checkParameters(parameters: ReadonlyMap<string, string>): void {
  for (const [name, value] of parameters) checkParameter(name, value);
  if (parameters.get('sslmode') === 'verify-ca' && !parameters.has('sslrootcert')) {
    throw new StoreError('usage', 'sslmode=verify-ca of a database address needs sslrootcert.', {
      advice: 'Give the file of the certificates to trust, or sslmode=verify-full.',
    });
  }
}

function isPort(text: string): boolean {
  return text === '' || (/^\d{1,5}$/.test(text) && Number(text) >= 1 && Number(text) <= largestPort);
}

/** A host with a port, such as `a:5432` or `[::1]`; undefined when it is invalid. */
function hostIn(text: string): DatabaseHost | undefined {
  const match = /^(?:\[([0-9a-f:.]+)\]|([^:[\]]*))(?::(\d*))?$/i.exec(text);
  const [, bracketed, plain = '', port = ''] = match ?? [];
  return match && isPort(port) ? { host: bracketed ?? decodeURIComponent(plain), port } : undefined;
}

/** The hosts of an address such as `a:5432,b,[::1]:5433`; undefined when one is invalid. */
function hostsOf(text: string): readonly DatabaseHost[] | undefined {
  const hosts = text.split(',').map(hostIn);
  return hosts.every((one) => one !== undefined) ? hosts : undefined;
}

/** The hosts of the parameters `host` and `port`, where a Unix socket is given; one port counts for all of them. */
function replacedHosts(hosts: readonly DatabaseHost[], parameters: ReadonlyMap<string, string>): readonly DatabaseHost[] | undefined {
  const ports = parameters.get('port')?.split(',');
  const named = parameters
    .get('host')
    ?.split(',')
    .map((host) => ({ host, port: hosts[0]?.port ?? '' }));
  const all = named ?? hosts;
  if (ports === undefined) return all;
  if (!ports.every(isPort) || (ports.length !== 1 && ports.length !== all.length)) return undefined;
  return all.map(({ host }, index) => ({ host, port: ports[index] ?? ports[0] ?? '' }));
}

// User and password end at the last @ before the first / or ?. A # belongs to no part: in a password it must be encoded.
const form = /^(postgres(?:ql)?):\/\/(?:([^/?#]*)@)?([^@/?#]*)(\/[^?#]*)?(?:\?([^#]*))?$/i;

/**
 * Parses the address of a database, which may have several hosts: `postgres://user:password@a:5432,b:5433/name?sslmode=require`.
 * Undefined when it is malformed; refuses parameters with `usage`. No refusal contains a password.
 */
export function parseDatabaseAddress(text: string): DatabaseAddress | undefined {
  const [, scheme = '', userText = '', hostText = '', path = '', query = ''] = form.exec(text) ?? [];
  if (scheme === '') return undefined;
  const [, userName = '', secret = ''] = /^([^:]*):?(.*)$/.exec(userText) ?? [];
  try {
    const parameters = decodedParameters(query);
    checkParameters(parameters);
    const hosts = replacedHosts(hostsOf(hostText) ?? [], parameters);
    const [first, ...others] = hosts ?? [];
    if (first === undefined) return undefined;
    return {
      user: parameters.get('user') ?? decodeURIComponent(userName),
      password: parameters.get('password') ?? decodeURIComponent(secret),
      hosts: [first, ...others],
      database: parameters.get('dbname') ?? decodeURIComponent(path.slice(1)),
      parameters,
      where: `${scheme.toLowerCase()}://${userText === '' ? '' : `${userName}@`}${hostText}${path}`,
    };
  } catch (error) {
    if (error instanceof URIError) return undefined;
    throw error;
  }
}

const defaultPort = '5432';

function namesOf({ hosts, database }: DatabaseAddress): readonly string[] {
  return hosts.map(({ host, port }) => `${host.toLowerCase()}:${port === '' ? defaultPort : port}/${database}`);
}

/** Identifies a database: hosts, ports and name. Equal for all addresses with the same hosts, with any user and options. */
export function databaseIdentity(store: string): string {
  const address = parseDatabaseAddress(store);
  return address === undefined ? store : namesOf(address).toSorted().join(',');
}

/** Whether two addresses name a database of the same name on a common host. */
export function isSameDatabase(one: string, other: string): boolean {
  const [first, second] = [parseDatabaseAddress(one), parseDatabaseAddress(other)];
  if (first === undefined || second === undefined) return one === other;
  const names = new Set(namesOf(first));
  return namesOf(second).some((name) => names.has(name));
}
