import pg from 'pg';
const c = new pg.Client(process.argv[2]);
await c.connect();
const N = 1000000;
const q = async (t, v) => {
  const s = performance.now();
  const r = await c.query(t, v);
  console.log(((performance.now() - s) / 1000).toFixed(2), t.slice(0, 90).replace(/\s+/g, ' '));
  return r;
};
await c.query('DROP TABLE IF EXISTS stock; DROP TABLE IF EXISTS ledger; DROP TABLE IF EXISTS staged');
await q(
  `CREATE TABLE stock (pet_id BIGINT PRIMARY KEY, quantity BIGINT NOT NULL CHECK (quantity BETWEEN 0 AND 2147483647), low_at BIGINT, low_own INTEGER NOT NULL DEFAULT 0)`,
);
await q('CREATE INDEX stock_low ON stock (pet_id) WHERE quantity <= low_at');
await q('CREATE INDEX stock_out ON stock (pet_id) WHERE quantity = 0');
await q(`CREATE TABLE ledger (id BIGINT PRIMARY KEY CHECK (id BETWEEN 1 AND 9007199254740991), kind TEXT COLLATE "C" NOT NULL, pet_id BIGINT, order_id BIGINT, category_id BIGINT, delta BIGINT, quantity_after BIGINT, batch_id BIGINT, line BIGINT, at BIGINT, actor TEXT, source TEXT, reverses BIGINT, shortage INTEGER, note TEXT,
 CHECK (batch_id IS NOT NULL OR (at IS NOT NULL AND actor IS NOT NULL AND source IS NOT NULL)), CHECK (CASE WHEN delta IS NULL THEN quantity_after IS NULL ELSE coalesce(quantity_after, -1) BETWEEN 0 AND 2147483647 END))`);
await q('CREATE INDEX ledger_by_pet ON ledger (pet_id, id) WHERE pet_id IS NOT NULL');
await q('CREATE INDEX ledger_by_order ON ledger (order_id, id) WHERE order_id IS NOT NULL');
await q('CREATE INDEX ledger_by_category ON ledger (category_id, id) WHERE category_id IS NOT NULL');
await q('CREATE UNIQUE INDEX ledger_reversed_once ON ledger (reverses) WHERE reverses IS NOT NULL');
await q(`INSERT INTO stock SELECT g, 10, NULL, 0 FROM generate_series(1,${N}) g`);
await q(`INSERT INTO ledger (id, kind, pet_id, delta, quantity_after, batch_id, line) SELECT g, 'opening', g, 10, 10, 1, g FROM generate_series(1,${N}) g`);
await q(
  `CREATE TABLE staged (run TEXT, seq BIGINT, pet_ids BIGINT[], befores BIGINT[], afters BIGINT[], origins BIGINT[], lasts INTEGER[], PRIMARY KEY (run, seq))`,
);
await c.query('SET synchronous_commit=off');
let s = performance.now();
const K = 8192;
for (let at = 0, seq = 0; at < N; at += K, seq++) {
  const n = Math.min(K, N - at);
  const ids = [],
    b = [],
    a = [],
    o = [],
    l = [];
  for (let i = 0; i < n; i++) {
    ids.push(at + i + 1);
    b.push(10);
    a.push((((at + i) * 7919) % 100) + 11);
    o.push((((at + i) * 7919) % N) + 2);
    l.push(1);
  }
  await c.query({
    name: 'x',
    text: 'INSERT INTO staged VALUES ($1,$2,$3,$4,$5,$6,$7)',
    values: ['r', seq, ...[ids, b, a, o, l].map((x) => '{' + x.join(',') + '}')],
  });
}
console.log('stage arrays', ((performance.now() - s) / 1000).toFixed(2));
s = performance.now();
let sum = 0;
for (let at = 0; at < N; at += K) {
  const r = await c.query({
    name: 'y',
    text: 'SELECT array_agg(pet_id) AS p, array_agg(quantity) AS q, array_agg(low_at) AS l FROM stock WHERE pet_id BETWEEN $1 AND $2',
    values: [at + 1, at + K],
    types: { getTypeParser: () => (x) => x },
  });
  const row = r.rows[0];
  for (const k of ['p', 'q', 'l']) {
    const parts = row[k].slice(1, -1).split(',');
    for (const x of parts) sum += x === 'NULL' ? 0 : Number(x);
  }
}
console.log('read stock', ((performance.now() - s) / 1000).toFixed(2), sum);
await c.query('SET synchronous_commit=on');
for (let round = 0; round < 2; round++) {
  await q('BEGIN');
  const u = `staged s CROSS JOIN LATERAL unnest(s.pet_ids, s.befores, s.afters, s.origins, s.lasts) WITH ORDINALITY AS u (pet_id, before, after, origin, last, n)`;
  const base = Number((await c.query('select max(id) as m from ledger')).rows[0].m);
  await q(
    `INSERT INTO ledger (id, kind, pet_id, delta, quantity_after, batch_id, line) SELECT ${base} + s.seq * ${K} + u.n, 'count', u.pet_id, u.after - u.before, u.after, 2, u.origin FROM ${u} WHERE s.run = 'r'`,
  );
  await q(`UPDATE stock SET quantity = u.after FROM ${u} WHERE s.run='r' AND u.last = 1 AND stock.pet_id = u.pet_id`);
  await q('DELETE FROM staged WHERE run=$1', ['zz']);
  await q('COMMIT');
}
await c.end();
