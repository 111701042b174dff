import type Database from 'better-sqlite3';
import { isDamaged } from '../errors.js';

type TokenRow = Readonly<
  Record<'id' | 'created_at', number> & Record<'name' | 'digest' | 'scopes', string> & Record<'last_used_at' | 'expires_at' | 'revoked_at', number | null>
>;

/** The tokens of a shop; undefined when the table is damaged. */
function tokensOf(database: Database.Database): readonly TokenRow[] | undefined {
  try {
    if (database.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'tokens'").get() === undefined) return [];
    return database.prepare<[], TokenRow>('SELECT * FROM tokens').all();
  } catch (error) {
    if (isDamaged(error)) return undefined;
    throw error;
  }
}

/**
 * Makes the tokens of the present shop those of the restored one, so that revoked tokens stay revoked and tokens created after the
 * backup stay valid. A token only in the backup may have been revoked since, so it is revoked; all are, when the present shop is
 * missing, damaged or another shop. Returns the names of the tokens it revoked.
 */
export function mergeTokens(present: Database.Database | undefined, restored: Database.Database, now: number): readonly string[] {
  const rows = (present && tokensOf(present)) ?? [];
  const known = new Set(rows.map(({ digest }) => digest));
  const revoked = (tokensOf(restored) ?? []).filter(({ digest, revoked_at: revokedAt }) => revokedAt === null && !known.has(digest));
  restored.prepare('UPDATE tokens SET revoked_at = max(?, created_at) WHERE revoked_at IS NULL').run(now);
  // By digest, because a manipulated backup may contain a token twice, or under another id.
  const remove = restored.prepare('DELETE FROM tokens WHERE digest = ? OR id = ?');
  for (const { digest, id } of rows) remove.run(digest, id);
  const insert = restored.prepare(`INSERT INTO tokens (id, name, digest, scopes, created_at, last_used_at, expires_at, revoked_at)
    VALUES ($id, $name, $digest, $scopes, $created_at, $last_used_at, $expires_at, $revoked_at)`);
  for (const row of rows) insert.run(row);
  // Sessions refer to tokens by id, and some may have ended since the backup.
  restored.exec('DELETE FROM sessions');
  // A backup may be old or manipulated: the owner decides which hooks send again.
  restored.exec("UPDATE hooks SET state = 'paused', last_error = 'The shop was restored.', holder = NULL, held_until = 0 WHERE state = 'active'");
  return revoked.map(({ name }) => name);
}
