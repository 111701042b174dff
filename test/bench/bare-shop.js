// The statements of the bare servers, one for each request, and the records they give.
import Database from 'better-sqlite3';

function statusOf({ hold, quantity, reserved: units }) {
  if (hold === 1) return 'pending';
  if (quantity > units) return 'available';
  return units > 0 ? 'pending' : 'sold';
}

const petOf = (row) => ({ id: row.id, name: row.name, categoryId: row.categoryId, status: statusOf(row) });

function detailsOf(row, codes) {
  const { categoryId, category, description, quantity, reserved: units, openOrders, version, createdAt, updatedAt } = row;
  return {
    ...petOf(row),
    category: { id: categoryId, name: category, ...(description !== null && { description }) },
    inventory: { quantity, reserved: units, available: quantity - units },
    codes,
    openOrders,
    version,
    createdAt: new Date(createdAt).toISOString(),
    updatedAt: new Date(updatedAt).toISOString(),
  };
}

/** A shop without rules but that of reserved units; `synchronous` is FULL for writes that a power cut does not lose, or NORMAL. */
export function openBareShop(path, synchronous) {
  const database = new Database(path);
  database.pragma('foreign_keys = ON');
  database.pragma(`synchronous = ${synchronous}`);

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
  const codes = database.prepare('SELECT code, units FROM codes WHERE pet_id = ? ORDER BY key');
  const page = database.prepare(`SELECT ${figures} FROM ${tables} WHERE p.id > ? AND ${joined} ORDER BY p.id LIMIT ?`);
  const stock = database.prepare(`SELECT p.hold, s.quantity, ${reserved} FROM stock s JOIN pets p ON p.id = s.pet_id WHERE s.pet_id = ? AND p.archived = 0`);
  const setQuantity = database.prepare('UPDATE stock SET quantity = ? WHERE pet_id = ?');
  const append = database.prepare(`INSERT INTO ledger (kind, pet_id, order_id, category_id, delta, quantity_after, batch_id, line, at, actor, source,
    reverses, shortage, note) VALUES ('count', ?, NULL, NULL, ?, ?, NULL, NULL, ?, 'bare', 'http', NULL, NULL, NULL)`);

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
  return {
    pet: (id) => {
      const row = onePet.get(id);
      return row && petOf(row);
    },
    details: (id) => {
      const row = details.get(id);
      return row && detailsOf(row, codes.all(id));
    },
    page: (after, limit) => page.all(after, limit).map(petOf),
    set: (petId, quantity) => set.immediate(petId, quantity),
  };
}
