import type { Call } from '../../../domain/call.js';
import { isPassing, StoreError } from '../../../domain/errors.js';
import { getInventoryItem } from '../../../domain/inventory/get-inventory-item.js';
import { pluralize, shortened } from '../../../domain/values/text.js';
import { linesOf } from '../../io.js';
import { grouped, unitsText } from '../../output/numbers.js';
import type { SaleItem } from './sale-items.js';
import { scanRefusal, type ScanActions, scanAtTerminal, scannerOf, type Scanner, type ScanTerminal } from './scans.js';
import { randomUUID } from 'node:crypto';
import { addCode } from '../../../domain/codes/add-code.js';
import type { OrderRow } from '../../../domain/orders/order.js';
import { HintedError } from '../../../settings/hint.js';
import type { Context } from '../../command.js';
import type { FlagValues } from '../../flags.js';
import type { mutationFlags } from '../../mutation-flags.js';
import { isOfStore } from '../../exit-codes.js';
import { lineProblemsMessage, type LineProblem } from '../../output/line-problems.js';
import { looksLikeCode } from '../../prompts/text-problems.js';
import { canAsk, cancelled } from '../../prompts/prompt.js';
import { readPet } from '../../shared-arguments.js';

/** The most lines of a sale: what is left out of one goes into the next. */
const maximumLines = 1000;

interface TillLine {
  readonly name: string;
  readonly pet: SaleItem['pet'];
  readonly quantity: number;
}

const unitsOf = ({ pet, quantity }: TillLine): number => pet.units * quantity;

const sumOf = (lines: readonly TillLine[]): number => lines.reduce((total, line) => total + unitsOf(line), 0);

const sumText = (lines: readonly TillLine[]): string => `${pluralize(sumOf(lines), 'unit')} to sell`;

const lineText = (line: TillLine): string => `${unitsText(line.quantity, line.pet.units)} × ${line.name}`;

/** A line with the name of its pet. Refuses with `insufficient_stock` if the shop does not have its units besides those of the other lines. */
async function availableLine(call: Call, others: readonly TillLine[], { pet, quantity }: Omit<TillLine, 'name'>): Promise<TillLine> {
  const { petId, name = `pet ${petId}`, available } = await call(getInventoryItem, { petId: pet.petId });
  const line = { name, pet, quantity };
  const before = sumOf(others.filter((other) => other.pet.petId === pet.petId));
  if (before + unitsOf(line) <= available) return line;
  const already = before === 0 ? '' : `, and ${before} in this sale already`;
  throw new StoreError('insufficient_stock', `Only ${available} × ${name} available${already}.`);
}

/** What is sold: the lines of each pet as one item, or as one for each number of units that its codes mean. */
function itemsOf(lines: readonly TillLine[]): readonly SaleItem[] {
  const items = new Map<string, SaleItem>();
  for (const { pet, quantity } of lines) {
    const key = `${pet.petId} ${pet.units}`;
    items.set(key, { pet, quantity: (items.get(key)?.quantity ?? 0) + quantity });
  }
  return [...items.values()];
}

function tillActions(call: Call, say: (text: string) => Promise<void>): ScanActions<TillLine> {
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

type Mutation = FlagValues<typeof mutationFlags>;

/** What was sold, with the orders of it in the same order. */
export interface Sale {
  readonly items: readonly SaleItem[];
  readonly orders: readonly OrderRow[];
}

type Sell = (items: readonly SaleItem[], mutation: Mutation) => Promise<readonly OrderRow[]>;

/** Sells the lines of standard input before the first empty one: all of them, or nothing if one is refused. */
async function sellPiped(context: Context, sell: SellLines): Promise<Sale> {
  const { call } = await context.shop();
  const till = scannerOf(call, tillActions(call, context.note));
  const problems: LineProblem[] = [];
  let [line, isOver] = [0, false];
  for await (const piped of linesOf(context.io)) {
    const text = piped.trim();
    line += 1;
    if (isOver && text !== '') throw new StoreError('validation_failed', 'An empty line ends a sale, and more lines follow it; nothing was sold.');
    isOver ||= text === '';
    if (isOver) continue;
    try {
      await till.take(text);
    } catch (error) {
      if (!(error instanceof StoreError) || isOfStore(error)) throw error;
      problems.push({ line, message: error.message, code: error.code });
    }
  }
  if (problems.length > 0) {
    const sentence = `${problems.length === 1 ? 'A line' : `${problems.length} lines`} cannot be sold; nothing was sold.`;
    throw new StoreError('import_refused', await lineProblemsMessage(context, { sentence, name: 'standard input', problems }), {
      advice: 'Correct these lines and sell again.',
    });
  }
  if (till.lines().length === 0) throw new HintedError('validation_failed', 'There are no codes on standard input.', { command: ['sell', '--help'] });
  return sell(till.lines());
}

/** Takes lines at a terminal. A code that was refused as unknown can be added to a pet with "+" and the pet. */
function takeScans(context: Context, { take }: Scanner<TillLine>, { say, takeLines }: ScanTerminal, isDryRun: boolean) {
  let unknown: string | undefined;
  const addRefused = async (code: string, pet: string): Promise<string> => {
    const { call } = await context.shop();
    const petId = await readPet(pet, { call });
    const added = await call(addCode, { petId, body: { code } });
    await say(`Added code ${added.code} to pet ${petId}.`, 'done');
    return `code:${added.code}`;
  };
  return takeLines('Code: ', async (text) => {
    const [, pet] = /^\+\s*(.*)$/su.exec(text) ?? [];
    try {
      await take(unknown !== undefined && pet !== undefined ? await addRefused(unknown, pet) : text);
      unknown = undefined;
    } catch (error) {
      if (!(error instanceof StoreError) || error.code !== 'pet_not_found' || pet !== undefined) throw error;
      // The offer holds until another pet is scanned or refused.
      unknown = !isDryRun && looksLikeCode(text) ? text : undefined;
      const offer = unknown === undefined ? '' : ` To add the code ${shortened(unknown)} to a pet, type + and the pet; or go on.`;
      throw new StoreError(error.code, `${error.message}${offer}`);
    }
  });
}

/** Scans at a terminal and sells. A refused sale stays open, to be corrected. */
function sellScanned(context: Context, isDryRun: boolean, sell: SellLines): Promise<Sale | undefined> {
  return scanAtTerminal(context, async (terminal) => {
    const { say } = terminal;
    const { call } = await context.shop();
    const till = scannerOf(
      call,
      tillActions(call, (text) => say(text, 'done')),
    );
    await say('Scan or type a pet. x3 sets the number of the last scan, - takes it back. An empty line sells, Ctrl-C sells nothing.');
    for (;;) {
      const how = await takeScans(context, till, terminal, isDryRun);
      if (how === 'interrupt') throw cancelled();
      if (till.lines().length === 0) {
        await say('Nothing was sold.');
        return undefined;
      }
      try {
        return await sell(till.lines());
      } catch (error) {
        if (!(error instanceof StoreError) || how === 'end') throw error;
        // Where no answer came, the shop may have sold them.
        const next = isPassing(error)
          ? 'Try again with an empty line; they are sold once at most.'
          : 'Nothing is sold yet: take a line back, or try again with an empty line.';
        await say(`${error.message} ${next}`, 'refused');
      }
    }
  });
}

type SellLines = (lines: readonly TillLine[]) => Promise<Sale>;

/** Sells what is scanned, line by line, from standard input or at a terminal; undefined where nothing was. */
export async function sellAtTill(context: Context, mutation: Mutation, place: Sell): Promise<Sale | undefined> {
  const { io, settings } = context;
  const { isTerminal } = io.stdin;
  if (isTerminal && !canAsk(io, settings))
    throw new HintedError('input_required', 'The till needs a terminal, or lines on standard input.', { command: ['sell', '--help'] });
  // With a key of its own, a sale whose answer was lost is not made twice.
  const key = mutation.key ?? (isTerminal ? randomUUID() : undefined);
  const sell: SellLines = async (lines) => ({ items: itemsOf(lines), orders: await place(itemsOf(lines), { ...mutation, key }) });
  return isTerminal ? sellScanned(context, mutation.dryRun === true, sell) : sellPiped(context, sell);
}
