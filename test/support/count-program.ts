import { writeSync } from 'node:fs';
import { addCountLines } from '../../src/domain/counts/add-count-lines.js';
import { closeCount } from '../../src/domain/counts/close-count.js';
import { startCount } from '../../src/domain/counts/start-count.js';
import type { Shop } from '../../src/domain/shop.js';
import { openEngine } from '../../src/storage/engines.js';
import { localShop } from '../../src/storage/shop.js';
import { sql } from '../../src/storage/sql.js';
import { file } from './files.js';
import type { Outcome } from './kill-points.js';
import type { TestShop } from './test-shop.js';

const opening = 10;
const linesPerRequest = 20;

/** What is found of a pet: more, fewer, or as many units as there were. */
const found = (petId: number): number => opening + (petId % 5) - 2;

/** The pets of each request. */
function requestsFor(pets: number): readonly (readonly number[])[] {
  const ids = Array.from({ length: pets }, (_, index) => index + 1);
  return Array.from({ length: Math.ceil(pets / linesPerRequest) }, (_, index) => ids.slice(index * linesPerRequest, (index + 1) * linesPerRequest));
}

async function countAll({ call }: Pick<Shop, 'call'>, pets: number, onAnswer: (request: number) => void): Promise<void> {
  for (const [request, petIds] of requestsFor(pets).entries()) {
    await call(addCountLines, { countId: 1, body: { lines: petIds.map((petId) => ({ petId, number: found(petId), key: `line ${petId}` })) } });
    onAnswer(request);
  }
}

/** Creates pets and starts a count of them; with `isCounted` every pet has its line. */
export async function prepareCount(store: string, pets: number, isCounted: boolean): Promise<void> {
  await withShop(store, async (shop) => {
    const rows = Array.from({ length: pets }, (_, index) => `Guppy ${index + 1},Fish,${opening}\n`);
    await shop.importPets(file(`name,category,quantity\n${rows.join('')}`), { mode: 'atomic', createCategories: true, key: 'pets' });
    await shop.call(startCount, { body: {} });
    if (isCounted) await countAll(shop, pets, () => undefined);
  });
}

async function withShop(store: string, work: (shop: Shop) => Promise<void>): Promise<void> {
  const engine = await openEngine({ store, where: store, waitSeconds: 30, nativeBinding: undefined });
  await work(localShop(engine, { actor: 'ana', source: 'cli', clock: () => Date.now() }, store));
  await engine.close();
}

/** A program that is killed: counts all pets, each line under its key, or closes the count under a key. It prints what was answered. */
export async function countOrClose([what = '', store = '', pets = '']: readonly string[]): Promise<void> {
  await withShop(store, async (shop) => {
    const print = (line: string): void => void writeSync(1, `${line}\n`);
    if (what === 'count') await countAll(shop, Number(pets), (request) => print(`request ${request}`));
    else print((await shop.call(closeCount, { countId: 1, body: {} }, { key: 'close' })).state);
  });
}

/** What a killed count has stored: each request whole or not at all, and every one that was answered. */
export async function countOutcome({ rows }: TestShop, pets: number, said: readonly string[]): Promise<Outcome> {
  const lines = await rows<{ readonly key: string; readonly number: number }>(sql`SELECT key, number FROM count_lines`);
  const stored = new Map(lines.map(({ key, number }) => [key, number]));
  if (stored.size !== lines.length) return { wrong: `${lines.length} lines under ${stored.size} keys` };
  const whole = requestsFor(pets).map((petIds) => {
    const right = petIds.filter((petId) => stored.get(`line ${petId}`) === found(petId));
    return right.length === 0 || right.length === petIds.length ? right.length > 0 : undefined;
  });
  if (whole.includes(undefined)) return { wrong: `a part of request ${whole.indexOf(undefined)} is stored` };
  const lost = said.filter((line) => whole[Number(line.split(' ')[1])] !== true);
  if (lost.length > 0) return { wrong: `answered and lost: ${lost.join(', ')}` };
  if (whole.every((one) => one === true)) return 'whole';
  return whole.includes(true) ? 'some' : 'nothing';
}

/** What a killed close has stored: the stock that was found and one batch, or nothing. */
export async function closeOutcome({ rows }: TestShop, pets: number): Promise<Outcome> {
  const [count] = await rows<{ readonly state: string; readonly batches: number }>(
    sql`SELECT state, (SELECT count(*) FROM batches b WHERE b.count_id = c.id) AS batches FROM counts c`,
  );
  const stock = await rows<{ readonly pet: number; readonly quantity: number }>(sql`SELECT pet_id AS pet, quantity FROM stock`);
  const isRight = stock.length === pets && stock.every(({ pet, quantity }) => quantity === found(pet));
  const isUnchanged = stock.length === pets && stock.every(({ quantity }) => quantity === opening);
  if (count?.state === 'closed' && count.batches === 1 && isRight) return 'whole';
  return count?.state === 'open' && count.batches === 0 && isUnchanged ? 'nothing' : { wrong: `half of it: ${JSON.stringify(count)}` };
}
