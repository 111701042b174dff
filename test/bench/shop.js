import { closeSync, constants, copyFileSync, fsyncSync, openSync, rmSync, writeSync } from 'node:fs';
import Database from 'better-sqlite3';
import { petstore, succeed } from './measure.js';

/** Creates a shop with this many pets with one unit each, by SQL, because the program would take longer than the measurement. */
export async function makeShop(path, pets) {
  await succeed(process.execPath, [petstore, '--store', path, 'init', '--quiet']);
  const database = new Database(path);
  database.pragma('synchronous = OFF');
  database.exec(`
    BEGIN;
    INSERT INTO categories (name, folded) VALUES ('Dogs', 'dogs');
    INSERT INTO batches (kind, state, key, sha256, actor, source, at, mode, total, applied, unchanged, rejected, first_entry, last_entry)
      VALUES ('pets', 'applied', 'bench', 'bench', 'bench', 'import', 1700000000000, 'atomic', ${pets}, ${pets}, 0, 0, 1, ${pets});
    WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${pets})
      INSERT INTO pets (id, name, folded, category_id) SELECT i, 'Pet ' || i, 'pet ' || i, 1 FROM n;
    INSERT INTO stock (pet_id, quantity) SELECT id, 1 FROM pets;
    INSERT INTO ledger (kind, pet_id, delta, quantity_after, batch_id, line) SELECT 'opening', id, 1, 1, 1, id + 1 FROM pets;
    COMMIT`);
  database.pragma('wal_checkpoint(TRUNCATE)');
  database.close();
}

/** Copies a shop and syncs the copy to the disk. */
export function copyShop(from, to) {
  for (const suffix of ['-wal', '-shm']) rmSync(to + suffix, { force: true });
  copyFileSync(from, to, constants.COPYFILE_FICLONE);
  const file = openSync(to, 'r+');
  fsyncSync(file);
  closeSync(file);
}

/** The counted quantity of a pet, which differs from its single unit. */
const counted = (pet) => 2 + ((pet * 7919) % 500);

/** Writes lines to a file in pieces. */
function writeLines(path, header, lines) {
  const file = openSync(path, 'w');
  let text = `${header}\n`;
  for (const line of lines) {
    text += `${line}\n`;
    if (text.length < 1 << 20) continue;
    writeSync(file, text);
    text = '';
  }
  writeSync(file, text);
  closeSync(file);
}

function* newPets(pets) {
  for (let index = 1; index <= pets; index += 1) yield `Pet number ${index},Kind ${(index * 7919) % 50},${index % 100}`;
}

/** Writes new pets of 50 categories. */
export function writePets(path, pets) {
  writeLines(path, 'name,category,quantity', newPets(pets));
}

/** Writes a recount of every pet in a fixed pseudo-random order. */
export function writeRecount(path, pets) {
  const order = Uint32Array.from({ length: pets }, (_, index) => index + 1);
  let seed = 12_345;
  for (let last = pets - 1; last > 0; last -= 1) {
    seed = (Math.imul(seed, 1_103_515_245) + 12_345) >>> 0;
    const other = seed % (last + 1);
    [order[last], order[other]] = [order[other], order[last]];
  }
  writeLines(
    path,
    'petId,quantity',
    Array.from(order, (pet) => `${pet},${counted(pet)}`),
  );
}

/** Fails unless the shop has the quantities of the recount and one ledger row for each pet, so only correct results are measured. */
export function verifyRecount(path, pets) {
  const database = new Database(path, { readonly: true });
  database.function('counted', { deterministic: true }, counted);
  const wrong = database.prepare('SELECT count(*) FROM stock WHERE quantity <> counted(pet_id)').pluck().get();
  const rows = database.prepare("SELECT count(*) FROM ledger WHERE kind = 'count' AND batch_id = (SELECT max(id) FROM batches)").pluck().get();
  database.close();
  if (wrong !== 0 || rows !== pets) throw new Error(`${path}: ${String(wrong)} wrong figures and ${String(rows)} ledger rows for ${pets} pets.`);
}
