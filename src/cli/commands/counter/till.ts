import type { Call } from '../../../domain/call.js';
import { StoreError } from '../../../domain/errors.js';
import { getInventoryItem } from '../../../domain/inventory/get-inventory-item.js';
import { pluralize } from '../../../domain/values/text.js';
import { grouped, unitsText } from '../../output/numbers.js';
import type { SaleItem } from './sale-items.js';
import { scanRefusal, type ScanActions } from './scans.js';

/** The most lines of a sale: what is left out of one goes into the next. */
const maximumLines = 1000;

/** A line of a sale: a pet, and how often it was scanned. */
export interface TillLine {
  readonly name: string;
  readonly pet: SaleItem['pet'];
  readonly quantity: number;
}

const unitsOf = ({ pet, quantity }: TillLine): number => pet.units * quantity;

const sumOf = (lines: readonly TillLine[]): number => lines.reduce((total, line) => total + unitsOf(line), 0);

const sumText = (lines: readonly TillLine[]): string => `${pluralize(sumOf(lines), 'unit')} so far`;

const lineText = (line: TillLine): string => `${unitsText(line.quantity, line.pet.units)} × ${line.name}`;

/** A line with the name of its pet. Refuses with `insufficient_stock` if the shop does not have its units besides those of the other lines. */
async function availableLine(call: Call, others: readonly TillLine[], { pet, quantity }: Omit<TillLine, 'name'>): Promise<TillLine> {
  const { name, available } = await call(getInventoryItem, { petId: pet.petId });
  const line = { name, pet, quantity };
  const before = sumOf(others.filter((other) => other.pet.petId === pet.petId));
  if (before + unitsOf(line) <= available) return line;
  const already = before === 0 ? '' : `, and ${before} in this sale already`;
  throw new StoreError('insufficient_stock', `Only ${available} × ${name} available${already}.`);
}

/** What is sold: the lines of each pet as one item, or as one for each number of units that its codes mean. */
export function itemsOf(lines: readonly TillLine[]): readonly SaleItem[] {
  const items = new Map<string, SaleItem>();
  for (const { pet, quantity } of lines) {
    const key = `${pet.petId} ${pet.units}`;
    items.set(key, { pet, quantity: (items.get(key)?.quantity ?? 0) + quantity });
  }
  return [...items.values()];
}

/** What scans do to a sale. */
export function tillActions(call: Call, say: (text: string) => Promise<void>): ScanActions<TillLine> {
  const add: ScanActions<TillLine>['add'] = async (pet, quantity, others) => {
    if (others.length === maximumLines) throw scanRefusal(`A sale has at most ${grouped(maximumLines)} lines; complete it first.`);
    const line = await availableLine(call, others, { pet, quantity });
    await say(`${lineText(line)}; ${sumText([...others, line])}`);
    return line;
  };
  return {
    add,
    change: ({ pet }, quantity, others) => add(pet, quantity, others),
    takeBack: (line, others) => say(`Taken back: ${lineText(line)}; ${sumText(others)}`),
  };
}
