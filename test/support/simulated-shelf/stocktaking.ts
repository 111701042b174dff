import { setTimeout as sleep } from 'node:timers/promises';
import { addCountLines } from '../../../src/domain/counts/add-count-lines.js';
import { closeCount } from '../../../src/domain/counts/close-count.js';
import { getCount } from '../../../src/domain/counts/get-count.js';
import { previewCount } from '../../../src/domain/counts/preview-count.js';
import { startCount } from '../../../src/domain/counts/start-count.js';
import { StoreError } from '../../../src/domain/errors.js';
import { listInventory } from '../../../src/domain/inventory/list-inventory.js';
import { countPets, deliver, note, sellUnits, type Events, type Floor } from './people.js';
import { petLocks } from './pet-locks.js';
import { simulatedShelf, type Shelf } from './shelf.js';
import type { ShopProcess } from './shop-process.js';

/** The processes of a stocktaking. */
export interface Staff {
  readonly ana: ShopProcess;
  readonly ben: ShopProcess;
  readonly till: ShopProcess;
  readonly office: ShopProcess;
  /** Kills the server that all of them use, if there is one. */
  readonly killServer?: (() => Promise<void>) | undefined;
}

/** How much happens. */
export interface Amounts {
  readonly pets: number;
  readonly sales: number;
  readonly files: number;
  /** How many processes are killed meanwhile. */
  readonly kills: number;
}

/** Whether anybody counts a pet: nobody does one in ten of them. */
const isCounted = (index: number): boolean => index % 10 !== 0;

/** Creates pets with some stock, and the shelf that has more or fewer of some of them, in one or two places. */
async function openShop({ importFile }: Pick<ShopProcess, 'importFile'>, pets: number, random: () => number): Promise<Shelf> {
  const quantities = Array.from({ length: pets }, () => Math.floor(random() * 12));
  await importFile('pets', `name,category,quantity\n${quantities.map((quantity, index) => `Guppy ${index + 1},Fish,${quantity}\n`).join('')}`);
  const units = quantities.map((quantity, index) => {
    // What is not counted at all is taken as gone, so there must be none of it.
    const really = isCounted(index) ? Math.max(0, quantity + Math.floor(random() * 5) - 2) : 0;
    const front = Math.floor(random() * (really + 1));
    return index % 3 === 1 ? [front, really - front] : [really];
  });
  return simulatedShelf(new Map(units.map((places, index) => [index + 1, places])));
}

/** Kills some of the processes at any moment until `isOver`, and the server once. */
async function killSome({ killServer, ...people }: Staff, kills: number, random: () => number, isOver: () => boolean, events: Events): Promise<void> {
  const processes: readonly ShopProcess[] = [people.ana, people.ben, people.till, people.office];
  for (let kill = 0; kill < kills && !isOver(); kill += 1) {
    await sleep(random() * 400);
    processes[Math.floor(random() * processes.length)]?.kill();
    note(events, 'kills');
  }
  if (killServer === undefined) return;
  await sleep(random() * 400);
  await killServer();
  note(events, 'kills of the server');
}

/** Both close the count at the same moment, and again where reserved units refuse that; exactly one of them may succeed. Returns what is wrong. */
async function close({ ana, ben }: Staff, countId: number, events: Events): Promise<readonly string[]> {
  const closing = async (person: ShopProcess, allowShortage: boolean): Promise<string> => {
    try {
      const { changed } = await person.call(closeCount, { countId, body: { missing: 'zero', allowShortage } });
      note(events, 'changed by the close', changed);
      return 'closed';
    } catch (error) {
      return error instanceof StoreError ? error.code : String(error);
    }
  };
  const both = (allowShortage: boolean) => Promise.all([ana, ben].map((person) => closing(person, allowShortage)));
  const first = await both(false);
  if (first.includes('count_refused')) note(events, 'closes refused for reservations');
  const ends = first.every((end) => end === 'count_refused') ? await both(true) : first;
  // The till may complete the order that has refused one of them before the other one closes.
  const isRight = ends.filter((end) => end === 'closed').length === 1 && ends.every((end) => ['closed', 'count_not_open', 'count_refused'].includes(end));
  return isRight ? [] : [`two people closed the count: ${String(ends)}`];
}

/** The quantity of each pet in the records. */
async function recorded({ call }: ShopProcess): Promise<ReadonlyMap<number, number>> {
  const { items } = await call(listInventory, { limit: 500 });
  return new Map(items.map(({ petId, quantity }) => [petId, quantity]));
}

/** Counts everything once more; the records must agree. */
async function countAgain({ ana, till }: Staff, shelf: Shelf): Promise<readonly string[]> {
  const { id: countId } = await ana.call(startCount, { body: { note: 'again' } });
  const lines = shelf.petIds.map((petId) => ({ petId, number: shelf.total(petId) }));
  await ana.call(addCountLines, { countId, body: { lines } });
  const { agreeing, differing } = await till.call(getCount, { countId });
  const { items } = await till.call(previewCount, { countId, limit: 500 });
  const { changed } = await ana.call(closeCount, { countId, body: {} });
  if (agreeing === lines.length && differing + items.length + changed === 0) return [];
  return [`the second count: ${agreeing} agree, ${differing} differ, ${changed} changed; ${JSON.stringify(items.slice(0, 5))}`];
}

/** What differs between the records and the shelf. */
function differences(shelf: Shelf, quantities: ReadonlyMap<number, number>): readonly string[] {
  return shelf.petIds.flatMap((petId) => {
    const [is, really] = [quantities.get(petId), shelf.total(petId)];
    return is === really ? [] : [`pet ${petId}: ${is} in the records, ${really} on the shelf`];
  });
}

/**
 * Two people count all pets while a till sells and the office imports deliveries, each in a process of their own, some of
 * which are killed. Afterwards the records must have what is on the shelf. Returns what is wrong.
 */
export async function takeStock(staff: Staff, { pets, sales, files, kills }: Amounts, random: () => number, events: Events): Promise<readonly string[]> {
  const shelf = await openShop(staff.ana, pets, random);
  const floor: Floor = { shelf, withPets: petLocks(), random };
  const { id: countId } = await staff.ana.call(startCount, { body: {} });
  const counted = shelf.petIds.filter((_, index) => isCounted(index));
  const queue = counted.toSorted(() => random() - 0.5);
  let isOver = false;
  const selling = sellUnits(staff.till, floor, sales, events);
  const delivering = deliver(staff.office, floor, files, counted, events);
  const killing = killSome(staff, kills, random, () => isOver, events);
  await Promise.all([
    countPets(staff.ana, floor, { countId, name: 'ana', queue }, events),
    countPets(staff.ben, floor, { countId, name: 'ben', queue }, events),
  ]);
  // The till goes on while the count is closed, and after it.
  const wrong = await close(staff, countId, events);
  await Promise.all([selling, delivering]);
  isOver = true;
  await killing;
  return [...wrong, ...differences(shelf, await recorded(staff.till)), ...(await countAgain(staff, shelf))];
}
