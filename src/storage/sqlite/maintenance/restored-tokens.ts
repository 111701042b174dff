import type Database from 'better-sqlite3';
import { isDamaged } from '../errors.js';

type TokenRow = Readonly<
  Record<'id' | 'created_at', number> & Record<'name' | 'digest' | 'scopes', string> & Record<'last_used_at' | 'expires_at' | 'revoked_at', number | null>
>;

/** The tokens of a shop; undefined when the table is damaged. */
function tokensOf(database: Database.Database): readonly TokenRow[] | undefined {
  try {
    if (database.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'tokens'").get() === undefined) return [];
    // Revoked ones first: a newer token may have the name of a revoked one.
    return database.prepare<[], TokenRow>('SELECT * FROM tokens ORDER BY revoked_at IS NULL, id').all();
  } catch (error) {
    if (isDamaged(error)) return undefined;
    throw error;
  }
}

/**
 * Copies the tokens of the present shop to the restored one, so that revoked tokens stay revoked and tokens created after
 * the backup stay valid. The digest identifies a token.
 * - A token in both shops keeps the id it has in the backup, because its idempotency keys are stored under that id. Name,
 *   scopes and times are those of the present shop, because the backup may have been manipulated.
 * - A token only in the present shop keeps its id, which is part of its text, unless the backup uses that id.
 * - A token only in the backup may have been revoked since, so it is revoked. All tokens of the backup are, when the
 *   present shop is missing, damaged or another shop.
 * Returns the names of the tokens it revoked.
 */
export function mergeTokens(present: Database.Database | undefined, restored: Database.Database, now: number): readonly string[] {
  const rows = (present && tokensOf(present)) ?? [];
  const known = new Set(rows.map(({ digest }) => digest));
  const unknown = (tokensOf(restored) ?? []).filter(({ digest, revoked_at: revokedAt }) => revokedAt === null && !known.has(digest));
  const revoke = restored.prepare('UPDATE tokens SET revoked_at = max(?, created_at) WHERE id = ?');
  for (const { id } of unknown) revoke.run(now, id);
  const idOf = restored.prepare<[string], number | null>('SELECT min(id) FROM tokens WHERE digest = ?').pluck();
  const rowWithId = restored.prepare<[number], number>('SELECT id FROM tokens WHERE id = ?').pluck();
  const merged = rows.map((row) => ({ ...row, id: idOf.get(row.digest) ?? (rowWithId.get(row.id) === undefined ? row.id : null) }));
  // By digest, because a manipulated backup may contain a token twice.
  const remove = restored.prepare('DELETE FROM tokens WHERE digest = ?');
  for (const { digest } of merged) remove.run(digest);
  const insert = restored.prepare(`INSERT OR IGNORE INTO tokens (id, name, digest, scopes, created_at, last_used_at, expires_at, revoked_at)
    VALUES (coalesce($id, (SELECT coalesce(max(id), 0) + 1 FROM tokens)), $name, $digest, $scopes, $created_at, $last_used_at, $expires_at, $revoked_at)`);
  // Tokens with an id first, so that no new id conflicts with theirs.
  for (const row of merged.toSorted((left, right) => Number(left.id === null) - Number(right.id === null))) insert.run(row);
  // Sessions refer to tokens by id, and some may have ended since the backup.
  restored.exec('DELETE FROM sessions');
  // A backup may be old or manipulated: the owner decides which hooks send again.
  restored.exec("UPDATE hooks SET state = 'paused', last_error = 'The shop was restored.', holder = NULL, held_until = 0 WHERE state = 'active'");
  return unknown.map(({ name }) => name);
}
