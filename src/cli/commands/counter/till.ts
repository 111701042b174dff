import { StoreError } from '../../../domain/errors.js';
import { getInventoryItem } from '../../../domain/inventory/get-inventory-item.js';
import { pluralize, shortened } from '../../../domain/values/text.js';
import type { ReadContext } from '../../arguments.js';
import { grouped, unitsText } from '../../output/numbers.js';
import { readScanLine, scanNumbers, scanRefusal } from '../../scan-line.js';
import { saleItem, type SaleItem } from './sale-items.js';

/** The most lines of a sale: what is left out of one goes into the next. */
const maximumLines = 1000;

/** Above this a number is more likely a code that was scanned into it. */
const largestUsualNumber = 100;

/** A line of a sale: a pet, and how often it was scanned. */
interface TillLine {
  readonly name: string;
  readonly pet: SaleItem['pet'];
  readonly quantity: number;
}

/** What a till finds pets with, and what it asks. */
interface TillActions extends Pick<ReadContext, 'call'> {
  /** Whether a number above the usual is taken when it is typed a second time; without it, it is refused. */
  readonly asks: boolean;
}

/** A sale that is scanned line by line. */
export interface Till {
  /** Takes a line that is not empty and says what it did. Refuses a line that is none, which changes nothing. */
  readonly take: (text: string) => Promise<string>;
  /** What is sold: each pet once, or once for each code that means another number of units. */
  readonly items: () => readonly SaleItem[];
}

const unitsOf = ({ pet, quantity }: TillLine): number => pet.units * quantity;

const sumOf = (lines: readonly TillLine[]): number => lines.reduce((total, line) => total + unitsOf(line), 0);

const lineText = (line: TillLine): string => `${unitsText(line.quantity, line.pet.units)} × ${line.name}`;

/** A line with the name of its pet. Refuses with `insufficient_stock` if the shop does not have its units besides those of the other lines. */
async function availableLine({ call }: TillActions, others: readonly TillLine[], { pet, quantity }: Omit<TillLine, 'name'>): Promise<TillLine> {
  const { name, available } = await call(getInventoryItem, { petId: pet.petId });
  const line = { name, pet, quantity };
  const before = sumOf(others.filter((other) => other.pet.petId === pet.petId));
  if (before + unitsOf(line) <= available) return line;
  const already = before === 0 ? '' : `, and ${before} in this sale already`;
  throw new StoreError('insufficient_stock', `Only ${available} × ${name} available${already}.`);
}

/** The lines of each pet as one item, or as one for each number of units. */
function itemsOf(lines: readonly TillLine[]): readonly SaleItem[] {
  const items = new Map<string, SaleItem>();
  for (const { pet, quantity } of lines) {
    const key = `${pet.petId} ${pet.units}`;
    items.set(key, { pet, quantity: (items.get(key)?.quantity ?? 0) + quantity });
  }
  return [...items.values()];
}

/** Opens a till with an empty sale. */
export function openTill(actions: TillActions): Till {
  const lines: TillLine[] = [];
  const numberOf = scanNumbers({
    largestUsual: largestUsualNumber,
    asks: actions.asks,
    tooSmall: 'Sell at least 1; "-" takes the last line back.',
    instead: 'a sale of so many is one of its own: petstore sell <pet> <quantity>.',
  });
  /** The last scan was refused: a number that follows it, or "-", does not mean the line before it. */
  let isRefused = false;

  const sum = (): string => `${pluralize(sumOf(lines), 'unit')} so far`;
  const scan = async (text: string, named: string, beside: string | undefined): Promise<string> => {
    if (lines.length === maximumLines) throw scanRefusal(`A sale has at most ${grouped(maximumLines)} lines; complete it first.`);
    const { pet, quantity } = await saleItem(named, actions);
    if (beside !== undefined && quantity !== undefined) throw scanRefusal(`"${shortened(text)}" has two numbers.`);
    const number = numberOf(beside ?? String(quantity ?? 1), text);
    const line = await availableLine(actions, lines, { pet, quantity: number });
    lines.push(line);
    return `${lineText(line)}; ${sum()}`;
  };
  const setNumber = async (digits: string, text: string): Promise<string> => {
    const last = lines.at(-1);
    if (isRefused || last === undefined)
      throw scanRefusal(`"${text}" sets the number of a scan; ${isRefused ? 'the last one was refused' : 'nothing was scanned yet'}.`);
    const quantity = numberOf(digits, text);
    const line = await availableLine(actions, lines.slice(0, -1), { ...last, quantity });
    lines.splice(-1, 1, line);
    return `${lineText(line)}; ${sum()}`;
  };
  const takeBack = (): string => {
    if (isRefused) return `The last scan added nothing; ${sum()}`;
    const last = lines.pop();
    if (last === undefined) throw scanRefusal('There is no line to take back.');
    return `Taken back: ${lineText(last)}; ${sum()}`;
  };
  return {
    take: async (text) => {
      const line = await readScanLine(text, actions);
      if (line.kind === 'number') return setNumber(line.digits, text);
      if (line.kind === 'back') {
        const said = takeBack();
        isRefused = false;
        return said;
      }
      isRefused = true;
      const said = await scan(text, line.pet, line.digits);
      isRefused = false;
      return said;
    },
    items: () => itemsOf(lines),
  };
}
