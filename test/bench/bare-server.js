// The baseline: the same answers with only node:http and better-sqlite3, hand-written routes, and a commit for each write.
// Its argument is the path of a shop; it prints its address when it listens. No validation, no log, and only the headers that a list needs.
import Database from 'better-sqlite3';
import { createServer } from 'node:http';

const database = new Database(process.argv[2]);
database.pragma('foreign_keys = ON');
database.pragma('synchronous = FULL');

const reserved = "(SELECT coalesce(sum(o.quantity), 0) FROM orders o WHERE o.pet_id = p.id AND o.state = 'open') AS reserved";
const figures = `p.id, p.name, p.category_id AS categoryId, c.name AS category, p.hold, s.quantity, ${reserved}`;
const tables = 'pets p CROSS JOIN stock s CROSS JOIN categories c';
const joined = 's.pet_id = p.id AND c.id = p.category_id AND p.archived = 0';
const edge = (direction) =>
  `(SELECT coalesce(l.at, b.at) FROM ledger l LEFT JOIN batches b ON b.id = l.batch_id WHERE l.pet_id = p.id ORDER BY l.id ${direction} LIMIT 1)`;
const onePet = database.prepare(`SELECT ${figures} FROM ${tables} WHERE p.id = ? AND ${joined}`);
const details = database.prepare(`SELECT ${figures}, c.description,
  (SELECT count(*) FROM orders o WHERE o.pet_id = p.id AND o.state = 'open') AS openOrders,
  (SELECT max(l.id) FROM ledger l WHERE l.pet_id = p.id) AS version, ${edge('ASC')} AS createdAt, ${edge('DESC')} AS updatedAt
  FROM ${tables} WHERE p.id = ? AND ${joined}`);
const page = database.prepare(`SELECT ${figures} FROM ${tables} WHERE p.id > ? AND ${joined} ORDER BY p.id LIMIT ?`);
const stock = database.prepare(`SELECT p.hold, s.quantity, ${reserved} FROM stock s JOIN pets p ON p.id = s.pet_id WHERE s.pet_id = ? AND p.archived = 0`);
const setQuantity = database.prepare('UPDATE stock SET quantity = ? WHERE pet_id = ?');
const append = database.prepare(`INSERT INTO ledger (kind, pet_id, order_id, category_id, delta, quantity_after, batch_id, line, at, actor, source,
  reverses, shortage, note) VALUES ('count', ?, NULL, NULL, ?, ?, NULL, NULL, ?, 'bare', 'http', NULL, NULL, NULL)`);

function statusOf({ hold, quantity, reserved: units }) {
  if (hold === 1) return 'pending';
  if (quantity > units) return 'available';
  return units > 0 ? 'pending' : 'sold';
}

const petOf = (row) => ({ id: row.id, name: row.name, categoryId: row.categoryId, status: statusOf(row) });

function detailsOf(row) {
  const { categoryId, category, description, quantity, reserved: units, openOrders, version, createdAt, updatedAt } = row;
  return {
    ...petOf(row),
    category: { id: categoryId, name: category, ...(description !== null && { description }) },
    inventory: { quantity, reserved: units, available: quantity - units },
    openOrders,
    version,
    createdAt: new Date(createdAt).toISOString(),
    updatedAt: new Date(updatedAt).toISOString(),
  };
}

/** Sets a quantity like the shop: checks the reserved units and writes the change and its ledger row in one transaction. */
const set = database.transaction((petId, quantity) => {
  const before = stock.get(petId);
  if (before === undefined || quantity < before.reserved) return undefined;
  if (quantity !== before.quantity) {
    setQuantity.run(quantity, petId);
    append.run(petId, quantity - before.quantity, quantity, Date.now());
  }
  return { petId, quantity, status: statusOf({ ...before, quantity }) };
});

function answer(response, value, headers) {
  const text = JSON.stringify(value ?? { code: 'refused' });
  response.writeHead(value === undefined ? 404 : 200, {
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': Buffer.byteLength(text),
    ...headers,
  });
  response.end(text);
}

function list(response, query) {
  const parameters = new URLSearchParams(query);
  const limit = Number(parameters.get('limit') ?? 50);
  const rows = page.all(Number(parameters.get('cursor') ?? 0), limit + 1);
  const items = rows.slice(0, limit).map(petOf);
  const next = rows.length > limit ? `, </pets?limit=${limit}&cursor=${items.at(-1).id}>; rel="next"` : '';
  answer(response, items, { Link: `</pets?limit=${limit}>; rel="first"${next}` });
}

function put(request, response, petId) {
  let body = '';
  request.setEncoding('utf8');
  request.on('data', (chunk) => (body += chunk));
  request.on('end', () => answer(response, set.immediate(petId, JSON.parse(body).quantity)));
}

const server = createServer((request, response) => {
  const [path, query] = request.url.split('?');
  const segments = path.split('/');
  if (request.method === 'PUT' && segments[2] === 'inventory') return put(request, response, Number(segments[3]));
  if (segments[1] !== 'pets') return answer(response, undefined);
  if (segments.length === 2) return list(response, query);
  const row = (segments[3] === 'details' ? details : onePet).get(Number(segments[2]));
  return answer(response, row && (segments[3] === 'details' ? detailsOf(row) : petOf(row)));
});
server.listen(0, '127.0.0.1', () => process.stdout.write(`http://127.0.0.1:${server.address().port}\n`));
