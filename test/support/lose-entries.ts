import type { Engine } from '../../src/storage/engine.js';
import { sql } from '../../src/storage/sql.js';

const isSqlite = (engine: Engine): Promise<boolean> =>
  engine
    .read((queries) => queries.get(sql`SELECT sqlite_version()`))
    .then(
      () => true,
      () => false,
    );

/** Removes categories and their ledger entries after an entry, as a failover to a standby that had not received them does. */
export async function loseCategories(engine: Engine, after: number): Promise<void> {
  const onSqlite = await isSqlite(engine);
  await engine.write(async (queries) => {
    const trigger = onSqlite
      ? await queries.get<{ readonly text: string }>(sql`SELECT sql AS text FROM sqlite_master WHERE name = 'ledger_keeps_rows'`)
      : { text: 'SET LOCAL session_replication_role = origin' };
    await queries.run({ text: onSqlite ? 'DROP TRIGGER ledger_keeps_rows' : 'SET LOCAL session_replication_role = replica', values: [] });
    await queries.run(sql`DELETE FROM categories WHERE id IN (SELECT category_id FROM ledger WHERE id > ${after})`);
    await queries.run(sql`DELETE FROM ledger WHERE id > ${after}`);
    await queries.run({ text: trigger?.text ?? '', values: [] });
  });
}
