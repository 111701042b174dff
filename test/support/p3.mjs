import pg from 'pg';
const c = new pg.Client(process.argv[2]);
await c.connect();
const K = 8192,
  N = 1e6;
const u = `staged s CROSS JOIN LATERAL unnest(s.pet_ids, s.befores, s.afters, s.origins, s.lasts) WITH ORDINALITY AS u (pet_id, before, after, origin, last, n)`;
const ex = async (t) => {
  const s = performance.now();
  const r = await c.query('EXPLAIN (ANALYZE, BUFFERS, WAL, TIMING OFF) ' + t);
  console.log(((performance.now() - s) / 1000).toFixed(2));
  console.log(r.rows.map((x) => x['QUERY PLAN']).join('\n'));
};
await c.query('BEGIN');
const base = Number((await c.query('select max(id) as m from ledger')).rows[0].m);
await ex(
  `INSERT INTO ledger (id, kind, pet_id, delta, quantity_after, batch_id, line) SELECT ${base} + s.seq * ${K} + u.n, 'count', u.pet_id, u.after - u.before, u.after, 2, u.origin FROM ${u} WHERE s.run = 'r'`,
);
await ex(`UPDATE stock SET quantity = u.after FROM ${u} WHERE s.run='r' AND u.last = 1 AND stock.pet_id = u.pet_id`);
await c.query('ROLLBACK');
await c.query('BEGIN');
let s = performance.now();
for (let seq = 0; seq * K < N; seq++)
  await c.query({
    name: 'ch',
    text: `UPDATE stock SET quantity = u.after FROM ${u} WHERE s.run='r' AND s.seq = $1 AND u.last = 1 AND stock.pet_id = u.pet_id`,
    values: [seq],
  });
console.log('chunked update', ((performance.now() - s) / 1000).toFixed(2));
s = performance.now();
for (let seq = 0; seq * K < N; seq++)
  await c.query({
    name: 'cu',
    text: `INSERT INTO stock (pet_id, quantity) SELECT u.pet_id, u.after+1 FROM ${u} WHERE s.run='r' AND s.seq = $1 AND u.last = 1 ON CONFLICT (pet_id) DO UPDATE SET quantity = excluded.quantity`,
    values: [seq],
  });
console.log('chunked upsert', ((performance.now() - s) / 1000).toFixed(2));
s = performance.now();
for (let seq = 0; seq * K < N; seq++)
  await c.query({
    name: 'cl',
    text: `INSERT INTO ledger (id, kind, pet_id, delta, quantity_after, batch_id, line) SELECT ${base} + s.seq * ${K} + u.n, 'count', u.pet_id, u.after - u.before, u.after, 2, u.origin FROM ${u} WHERE s.run = 'r' AND s.seq=$1`,
    values: [seq],
  });
console.log('chunked ledger', ((performance.now() - s) / 1000).toFixed(2));
await c.query('ROLLBACK');
await c.end();
