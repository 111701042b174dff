import { listInventory } from '../../src/domain/inventory/list-inventory.js';
import { listPets } from '../../src/domain/pets/list-pets.js';
import { checkRules } from '../../src/storage/maintenance/check-rules.js';
import { sql } from '../../src/storage/sql.js';
import { itemsOf } from './pages.js';
import type { TestShop } from './test-shop.js';

const reserved = "(SELECT coalesce(sum(o.quantity), 0) FROM orders o WHERE o.pet_id = s.pet_id AND o.state = 'open')";

/** The status of every live pet, computed from its row alone. */
const statuses = `SELECT p.id, CASE WHEN p.hold = 1 THEN 'pending' WHEN s.quantity > ${reserved} THEN 'available'
  WHEN ${reserved} > 0 THEN 'pending' ELSE 'sold' END AS status FROM pets p JOIN stock s ON s.pet_id = p.id WHERE p.archived = 0 ORDER BY p.id`;

/** The rules that the rows of a shop break: what doctor finds, and names that two categories have, which another program may have given. */
export async function brokenRules({ engine }: Pick<TestShop, 'engine'>): Promise<readonly string[]> {
  const [checks, names] = await engine.read(
    async (queries) =>
      [
        await checkRules(queries),
        await queries.all<{ readonly name: string }>(sql`SELECT min(name) AS name FROM categories WHERE archived = 0 GROUP BY folded HAVING count(*) > 1`),
      ] as const,
  );
  const failed = checks.filter(({ status }) => status !== 'pass').map(({ name, message }) => `${name}: ${message}`);
  return [...failed, ...names.map(({ name }) => `two categories have the name ${name}`)];
}

type Status = readonly [id: number, status: string];

/** Every rule that the rows or the lists break. That ids are never reused is tested where records are created. */
export async function brokenInvariants({ rows, call, engine }: TestShop): Promise<readonly string[]> {
  const found = [...(await brokenRules({ engine }))];
  const expected = (await rows<{ readonly id: number; readonly status: string }>({ text: statuses, values: [] })).map(({ id, status }): Status => [id, status]);
  const pets = await itemsOf((cursor) => call(listPets, { limit: 500, cursor }));
  const inventory = await itemsOf((cursor) => call(listInventory, { limit: 500, cursor }));
  const seen = [pets.map(({ id, status }): Status => [id, status]), inventory.map(({ petId, status }): Status => [petId, status])];
  for (const list of seen) {
    const at = expected.findIndex((one, index) => String(one) !== String(list[index]));
    if (at >= 0 || list.length !== expected.length)
      found.push(`the status is the same in every list: ${list.length} pets, not ${expected.length}; ${String(list[at])}, not ${String(expected[at])}`);
  }
  return found;
}
