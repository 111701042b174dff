import type Database from 'better-sqlite3';
import { isDamaged } from '../errors.js';

type TokenRow = Readonly<
  Record<'id' | 'created_at', number> & Record<'name' | 'digest' | 'scopes', string> & Record<'last_used_at' | 'expires_at' | 'revoked_at', number | null>
>;

/** The tokens of a shop; undefined where they cannot be read. */
function tokensOf(database: Database.Database): readonly TokenRow[] | undefined {
  try {
    if (database.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'tokens'").get() === undefined) return [];
    // Revoked ones first: the name of a revoked token may be taken again.
    return database.prepare<[], TokenRow>('SELECT * FROM tokens ORDER BY revoked_at IS NULL, id').all();
  } catch (error) {
    if (isDamaged(error)) return undefined;
    throw error;
  }
}

/**
 * Carries the tokens of the present shop over to the restored one, as they are: a token stays revoked, and one made since
 * the backup goes on. The id of a token in the backup comes from there, because the keys that it used are kept under that
 * id; its name and scopes do not, because the backup may have been changed. A token that is not in the backup keeps its id,
 * which is part of its text, unless another one has it. A token of the backup that the present shop does not know, because
 * it is missing, damaged or another one, may have been revoked since: it is revoked. Answers the names of those.
 */
export function mergeTokens(present: Database.Database | undefined, restored: Database.Database, now: number): readonly string[] {
  const rows = (present && tokensOf(present)) ?? [];
  const known = new Set(rows.map(({ digest }) => digest));
  const unknown = (tokensOf(restored) ?? []).filter(({ digest, revoked_at: revokedAt }) => revokedAt === null && !known.has(digest));
  const revoke = restored.prepare('UPDATE tokens SET revoked_at = max(?, created_at) WHERE id = ?');
  for (const { id } of unknown) revoke.run(now, id);
  const idOf = restored.prepare<[string], number | null>('SELECT min(id) FROM tokens WHERE digest = ?').pluck();
  const holderOf = restored.prepare<[number], number>('SELECT id FROM tokens WHERE id = ?').pluck();
  const carried = rows.map((row) => ({ ...row, id: idOf.get(row.digest) ?? (holderOf.get(row.id) === undefined ? row.id : null) }));
  // Removes every row of a known token, also a copy that was added to the backup.
  const remove = restored.prepare('DELETE FROM tokens WHERE digest = ?');
  for (const { digest } of carried) remove.run(digest);
  const insert = restored.prepare(`INSERT OR IGNORE INTO tokens (id, name, digest, scopes, created_at, last_used_at, expires_at, revoked_at)
    VALUES (coalesce($id, (SELECT coalesce(max(id), 0) + 1 FROM tokens)), $name, $digest, $scopes, $created_at, $last_used_at, $expires_at, $revoked_at)`);
  // Those with an id first, so that no new id takes it.
  for (const row of carried.toSorted((left, right) => Number(left.id === null) - Number(right.id === null))) insert.run(row);
  return unknown.map(({ name }) => name);
}
