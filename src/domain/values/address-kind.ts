/** Whether a store address is that of a server (HTTP). */
export function isServerAddress(store: string): boolean {
  return /^https?:\/\//i.test(store);
}

/** Whether a store address is that of a PostgreSQL database. */
export function isDatabaseAddress(store: string): boolean {
  return /^postgres(ql)?:\/\//i.test(store);
}

const defaultPort = '5432';

/** Identifies a database: host, port and name. Equal for all addresses of one database, with any user and options. */
export function databaseIdentity(store: string): string {
  const { hostname, port, pathname, searchParams } = new URL(store);
  // As in the driver, `host` and `port` of the query take precedence; a Unix socket is given there.
  const host = searchParams.get('host') ?? hostname.toLowerCase();
  return `${host}:${(searchParams.get('port') ?? port) || defaultPort}${pathname}`;
}
