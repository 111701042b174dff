/** Whether a shop is reached at the address of a server. */
export function isServerAddress(store: string): boolean {
  return /^https?:\/\//i.test(store);
}

/** Whether a shop lives in a PostgreSQL database. */
export function isDatabaseAddress(store: string): boolean {
  return /^postgres(ql)?:\/\//i.test(store);
}

const usualPort = '5432';

/** What all spellings of the address of one database have in common, whoever opens it and however. */
export function databaseIdentity(store: string): string {
  const { hostname, port, pathname, searchParams } = new URL(store);
  // The driver takes the host and the port from the query first; a socket is named there.
  const host = searchParams.get('host') ?? hostname.toLowerCase();
  return `${host}:${(searchParams.get('port') ?? port) || usualPort}${pathname}`;
}
