import pg from 'pg';
const c = new pg.Client(process.argv[2]);
await c.connect();
const K = 8192,
  N = 1e6;
const u = `staged s CROSS JOIN LATERAL unnest(s.pet_ids, s.befores, s.afters, s.origins, s.lasts) WITH ORDINALITY AS u (pet_id, before, after, origin, last, n)`;
const q = async (t, v) => {
  const s = performance.now();
  const r = await c.query(t, v);
  console.log(((performance.now() - s) / 1000).toFixed(2), t.slice(0, 110).replace(/\s+/g, ' '));
  return r;
};
for (const [ff, idx] of [
  [100, true],
  [45, false],
  [45, 'gen'],
]) {
  await c.query('DROP TABLE IF EXISTS stock');
  await q(
    `CREATE TABLE stock (pet_id BIGINT PRIMARY KEY, quantity BIGINT NOT NULL CHECK (quantity BETWEEN 0 AND 2147483647), low_at BIGINT, low_own INTEGER NOT NULL DEFAULT 0 ${idx === 'gen' ? ', low INTEGER GENERATED ALWAYS AS (CASE WHEN quantity <= low_at THEN 1 END) STORED, out INTEGER GENERATED ALWAYS AS (CASE WHEN quantity = 0 THEN 1 END) STORED' : ''}) WITH (fillfactor=${ff})`,
  );
  if (idx === true) {
    await q('CREATE INDEX stock_low ON stock (pet_id) WHERE quantity <= low_at');
    await q('CREATE INDEX stock_out ON stock (pet_id) WHERE quantity = 0');
  }
  if (idx === 'gen') {
    await q('CREATE INDEX stock_low ON stock (pet_id) WHERE low = 1');
    await q('CREATE INDEX stock_out ON stock (pet_id) WHERE out = 1');
  }
  await c.query(`INSERT INTO stock SELECT g, 10, NULL, 0 FROM generate_series(1,${N}) g`);
  await c.query('ANALYZE stock');
  await c.query('CHECKPOINT');
  await q('BEGIN');
  await q(`UPDATE stock SET quantity = u.after FROM ${u} WHERE s.run='r' AND u.last = 1 AND stock.pet_id = u.pet_id`);
  await q('COMMIT');
  await c.query('VACUUM stock');
  await c.query('CHECKPOINT');
  await q('BEGIN');
  await c.query('SET LOCAL enable_nestloop=off');
  await q(`UPDATE stock SET quantity = u.after+1 FROM ${u} WHERE s.run='r' AND u.last = 1 AND stock.pet_id = u.pet_id`);
  await q('COMMIT');
}
await c.end();
