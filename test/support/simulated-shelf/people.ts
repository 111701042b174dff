import { addCountLines } from '../../../src/domain/counts/add-count-lines.js';
import { undoCountLine } from '../../../src/domain/counts/undo-count-line.js';
import { StoreError } from '../../../src/domain/errors.js';
import { cancelOrder } from '../../../src/domain/orders/cancel-order.js';
import { placeOrder } from '../../../src/domain/orders/place-order.js';
import { updateOrder } from '../../../src/domain/orders/update-order.js';
import type { WithPets } from './pet-locks.js';
import type { Shelf } from './shelf.js';
import type { ShopProcess } from './shop-process.js';

/** What people share: what is really there, and the right to touch a pet. */
export interface Floor {
  readonly shelf: Shelf;
  readonly withPets: WithPets;
  readonly random: () => number;
}

/** How often things happened, by name. */
export type Events = Map<string, number>;

/** Notes that something happened. */
export function note(events: Events, name: string, times = 1): void {
  events.set(name, (events.get(name) ?? 0) + times);
}

/** A number from 0 to below a limit. */
export function below({ random }: Pick<Floor, 'random'>, limit: number): number {
  return Math.floor(random() * limit);
}

/** The refusal with one of these codes; throws everything else. */
async function refusalAmong<T>(codes: readonly string[], work: Promise<T>): Promise<T | undefined> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof StoreError && codes.includes(error.code)) return undefined;
    throw error;
  }
}

/** A till: sells, takes units back, and completes orders of before. What it takes from the shelf and what it records is one step. */
export async function sellUnits({ call }: Pick<ShopProcess, 'call'>, floor: Floor, sales: number, events: Events): Promise<void> {
  const { shelf, withPets } = floor;
  const sold: { readonly orderId: number; readonly petId: number; readonly units: number }[] = [];
  const sell = (petId: number, units: number): Promise<void> =>
    withPets([petId], async () => {
      if (!shelf.take(petId, units)) return;
      const order = await refusalAmong(['insufficient_stock'], call(placeOrder, { body: { petId, quantity: units, complete: true } }));
      // The records have fewer units than the shelf, so the customer goes without.
      if (order === undefined) return shelf.put(petId, units);
      sold.push({ orderId: order.id, petId, units });
      note(events, 'sold', units);
    });
  const takeBack = async (): Promise<void> => {
    const [sale] = sold.splice(below(floor, sold.length), 1);
    if (sale === undefined) return;
    const { orderId, petId, units } = sale;
    await withPets([petId], async () => {
      await call(updateOrder, { orderId, body: { complete: false } });
      await call(cancelOrder, { orderId });
      shelf.put(petId, units);
      note(events, 'returned', units);
    });
  };
  const reserve = async (petId: number): Promise<void> => {
    const order = await refusalAmong(['insufficient_stock'], call(placeOrder, { body: { petId } }));
    if (order === undefined) return;
    await withPets([petId], async () => {
      // The customer of a reservation comes later, and finds nothing if the records were wrong.
      const isThere = shelf.take(petId, 1);
      const isSold = isThere && (await refusalAmong(['out_of_stock'], call(updateOrder, { orderId: order.id, body: { complete: true } }))) !== undefined;
      if (isSold) return note(events, 'sold');
      if (isThere) shelf.put(petId, 1);
      await call(cancelOrder, { orderId: order.id });
    });
  };
  for (let sale = 0; sale < sales; sale += 1) {
    const petId = shelf.petIds[below(floor, shelf.petIds.length)] ?? 0;
    const die = below(floor, 20);
    if (die === 0) await takeBack();
    else if (die === 1) await reserve(petId);
    else await sell(petId, 1 + below(floor, 2));
  }
}

/** A delivery: files are imported when their units arrive. Some go back, and their import is undone. */
export async function deliver({ importFile, undoBatch }: ShopProcess, floor: Floor, files: number, petIds: readonly number[], events: Events): Promise<void> {
  const { shelf, withPets } = floor;
  for (let file = 0; file < files; file += 1) {
    const first = below(floor, petIds.length);
    const units = new Map(petIds.map((petId, index) => [petId, 1 + ((first + index) % 5)] as const).filter((_, index) => (index + first) % 3 === 0));
    const batchId = await withPets(units.keys(), async () => {
      const report = await importFile('stock', `petId,delta\n${[...units].map((row) => `${row.join(',')}\n`).join('')}`);
      for (const [petId, more] of units) shelf.put(petId, more);
      return report.batch;
    });
    note(events, 'delivered', units.size);
    if (file % 2 === 0 || batchId === null) continue;
    await withPets(units.keys(), async () => {
      const taken: (readonly [number, number])[] = [];
      for (const row of units) if (shelf.take(...row)) taken.push(row);
      const isUndone =
        taken.length === units.size &&
        (await refusalAmong(['undo_refused', 'not_undoable', 'stock_reserved', 'out_of_stock'], undoBatch(batchId))) !== undefined;
      if (isUndone) note(events, 'sent back', units.size);
      else for (const row of taken) shelf.put(...row);
    });
  }
}

/** What somebody found in a place, with the key of its line. */
interface Finding {
  readonly petId: number;
  readonly place: number;
  readonly number: number;
  readonly adds: boolean;
  readonly key: string;
  /** Whether the number is wrong, and has to be corrected. */
  readonly isWrong: boolean;
}

type Line = Pick<Finding, 'petId' | 'number' | 'adds' | 'key'>;

const lineOf = ({ petId, number, adds, key }: Finding): Line => ({ petId, number, adds, key });

/** What somebody who counts needs. */
export interface Counting {
  readonly countId: number;
  readonly name: string;
  /** The pets that have places to count; whoever counts takes some, and puts them back when there is more to do. */
  readonly queue: number[];
}

/** Looks at the next place of a pet. One in twelve numbers is wrong. */
function lookAt({ shelf, ...floor }: Floor, petId: number, place: number, key: string): Finding {
  const [isWrong, isFirst] = [below(floor, 12) === 0, place === 0];
  const right = shelf.unitsIn(petId, place);
  // The first place of a pet replaces what was counted before.
  return { petId, place, number: isWrong ? right + 1 + below(floor, 9) : right, adds: !isFirst, key, isWrong };
}

/** Counts the pets in the queue, with another person who does the same, until every place of each has its number. */
export async function countPets({ call }: Pick<ShopProcess, 'call'>, floor: Floor, { countId, name, queue }: Counting, events: Events): Promise<void> {
  const { shelf, withPets } = floor;
  const sent: Line[][] = [];
  let lines = 0;
  const add = async (added: readonly Line[]) => (await call(addCountLines, { countId, body: { lines: [...added] } })).lines;
  const correct = async ({ petId, place, adds }: Finding, lineId: number): Promise<void> => {
    if (adds || below(floor, 2) === 0) {
      await call(undoCountLine, { countId, lineId });
      note(events, 'undone');
    } else note(events, 'counted again');
    // A wrong number of the first place has replaced all others.
    if (place === 0) shelf.noteUncounted(petId);
  };
  const round = async (petIds: readonly number[]): Promise<void> => {
    const findings = petIds.flatMap((petId) => {
      const place = shelf.nextPlace(petId);
      return place === undefined ? [] : [lookAt(floor, petId, place, `${name} ${(lines += 1)}`)];
    });
    if (findings.length === 0) return;
    const written = findings.map(lineOf);
    const stored = await add(written);
    sent.push(written);
    note(events, 'lines', written.length);
    for (const [index, finding] of findings.entries()) {
      if (finding.isWrong) await correct(finding, stored[index]?.id ?? 0);
      else shelf.noteCounted(finding.petId, finding.place, !finding.adds);
    }
  };
  for (let petIds = queue.splice(0, 1 + below(floor, 6)); petIds.length > 0; petIds = queue.splice(0, 1 + below(floor, 6))) {
    await withPets(petIds, () => round(petIds));
    for (const petId of petIds) {
      if (shelf.nextPlace(petId) === undefined && below(floor, 15) === 0) shelf.noteUncounted(petId);
      if (shelf.nextPlace(petId) !== undefined) queue.push(petId);
    }
    // A request that is sent once more, under the same keys, adds nothing.
    const again = sent[below(floor, sent.length * 8)];
    if (again) {
      const stored = await add(again);
      if (stored.some(({ key }, index) => key !== again[index]?.key)) throw new Error(`A repeated line was answered as another one: ${JSON.stringify(stored)}`);
      note(events, 'repeated lines', again.length);
    }
  }
}
