/** Whether a store address is that of a server (HTTP). */
export function isServerAddress(store: string): boolean {
  return /^https?:\/\//i.test(store);
}

/** Whether a store address is that of a PostgreSQL database. */
export function isDatabaseAddress(store: string): boolean {
  return /^postgres(ql)?:\/\//i.test(store);
}
