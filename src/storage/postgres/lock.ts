/** The server's time, ms since 1970. */
export const serverTime = 'CAST(extract(epoch FROM clock_timestamp()) * 1000 AS BIGINT)';

// The lock of a stalled or unreachable client is released after this time.
const idleTimeout = '5s';

/** The statements that begin a transaction and lock the row that serializes writers. They return the schema version and its steps. */
export function lockText(waitMs: number): string {
  // 0 would disable the timeout.
  const timeoutMs = Math.max(1, Math.ceil(waitMs));
  return `BEGIN ISOLATION LEVEL READ COMMITTED; SET LOCAL lock_timeout = '${timeoutMs}ms'; SET LOCAL idle_in_transaction_session_timeout = '${idleTimeout}'; SELECT schema_version AS version, steps FROM shop WHERE id = 1 FOR UPDATE`;
}
