import type { Call } from '../../../domain/call.js';
import { StoreError, unlessRefused } from '../../../domain/errors.js';
import { isPlausible, plausibleUnits } from '../../../domain/inventory/plausible-units.js';
import { identifyPet, type IdentifiedPet } from '../../../domain/pets/identify-pet.js';
import { shortened } from '../../../domain/values/text.js';
import type { Context } from '../../command.js';
import { isColoured, paintFor } from '../../output/colours.js';
import { grouped } from '../../output/numbers.js';
import { sanitiseCell } from '../../output/sanitise.js';
import { wrapText } from '../../output/wrapped-text.js';
import { openLineInput, type LineInput, type LinesEnd } from '../../prompts/line-input.js';
import { saleItem } from './sale-items.js';

/** A pet and a number, with a tab in between. */
const both = /^(.*\S)\s*\t\s*([0-9]+)$/su;

/** A number for the line before: "x12" or "*12". */
const times = /^[x×*]\s*([0-9]+)$/iu;

/** The refusal of a scan. */
export function scanRefusal(message: string): StoreError {
  return new StoreError('validation_failed', message);
}

function scanNumber(digits: string): number {
  const number = Number(digits);
  if (number >= 1 && isPlausible(number)) return number;
  throw scanRefusal(`${shortened(digits)} is no number of scans; at least 1 and at most ${grouped(plausibleUnits)} are taken.`);
}

/** Refuses a number such as "x12" that is also a code or a name of the shop: nobody knows which is meant. */
async function refusePetName(call: Call, text: string, digits: string): Promise<void> {
  const named = await unlessRefused(call(identifyPet, { text }), 'pet_not_found');
  if (named === undefined) return;
  const kind = named.code === undefined ? 'name' : 'code';
  const other = text.startsWith('*') ? 'x' : '*';
  throw scanRefusal(`"${text}" is a ${kind} of pet ${named.petId} and would set a number; write ${kind}:${text}, or ${other}${digits}.`);
}

/** What scans do; each can refuse, and says what it did. `others` are the lines before. */
export interface ScanActions<Line> {
  readonly add: (pet: IdentifiedPet, number: number, others: readonly Line[]) => Promise<Line>;
  /** Sets how often the last scan counts. */
  readonly change: (last: Line, number: number, others: readonly Line[]) => Promise<Line>;
  readonly takeBack: (last: Line, others: readonly Line[]) => Promise<void>;
}

/** Takes what is scanned line by line, for a sale or a count. */
export interface Scanner<Line> {
  /** Takes a line: a pet, also with its number, a number for the last scan, or "-" to take that back. A refused line changes nothing. */
  readonly take: (text: string) => Promise<void>;
  /** Takes a pet with its number. */
  readonly takeNumber: (pet: IdentifiedPet, digits: string) => Promise<void>;
  readonly lines: () => readonly Line[];
}

/** A scanner without lines. */
export function scannerOf<Line>(call: Call, { add, change, takeBack }: ScanActions<Line>): Scanner<Line> {
  const lines: Line[] = [];
  /** The last scan was refused: a number that follows it, or "-", does not mean the line before it. */
  let isRefused = false;
  const lastOf = (text: string): Line => {
    const last = lines.at(-1);
    if (!isRefused && last !== undefined) return last;
    const refusal = scanRefusal(`"${text}" is about the last scan; ${isRefused ? 'it was refused and added nothing' : 'there is none'}.`);
    // Another "-" is about the scan before the refused one.
    if (text === '-') isRefused = false;
    throw refusal;
  };
  const takeNumber = async (pet: IdentifiedPet, digits: string): Promise<void> => {
    isRefused = true;
    lines.push(await add(pet, scanNumber(digits), lines));
    isRefused = false;
  };
  const scan = async (text: string): Promise<void> => {
    isRefused = true;
    const [, named = text, beside] = both.exec(text) ?? [];
    const { pet, quantity } = await saleItem(named, { call });
    if (beside !== undefined && quantity !== undefined) throw scanRefusal(`"${shortened(text)}" has two numbers.`);
    await takeNumber(pet, beside ?? String(quantity ?? 1));
  };
  return {
    take: async (text) => {
      const [, digits] = times.exec(text) ?? [];
      if (text !== '-' && digits === undefined) return scan(text);
      if (digits !== undefined) await refusePetName(call, text, digits);
      const last = lastOf(text);
      const others = lines.slice(0, -1);
      if (digits !== undefined) lines.splice(-1, 1, await change(last, scanNumber(digits), others));
      else {
        await takeBack(last, others);
        lines.pop();
      }
    },
    takeNumber,
    lines: () => lines,
  };
}

/** The bell of a terminal: who scans does not look at the screen. */
const bell = '\u0007';

/** A terminal at which somebody scans. */
export interface ScanTerminal {
  readonly input: LineInput;
  readonly say: (text: string, mark?: 'done' | 'differs' | 'refused') => Promise<void>;
  /** Takes lines until they end. A refusal is shown, and the next line taken, unless `isOver`: that is thrown. */
  readonly takeLines: (question: string, take: (text: string) => Promise<void>, isOver?: (refusal: StoreError) => boolean) => Promise<LinesEnd>;
}

/** Runs a session in which lines are scanned at the terminal. */
export async function scanAtTerminal<T>({ io, settings }: Context, session: (terminal: ScanTerminal) => Promise<T>): Promise<T> {
  const paint = await paintFor(isColoured(io.stderr, settings.colour, io.environment));
  const marks = { done: paint.green('✓ '), differs: paint.yellow('✓ '), refused: paint.red('✗ ') };
  const input = openLineInput(io);
  const say: ScanTerminal['say'] = (text, mark) => {
    const marked = text.split('\n').map(sanitiseCell).join('\n');
    return input.print(`${wrapText(`${mark === undefined ? '' : marks[mark]}${marked}`, io.stderr.columns)}${mark === 'refused' ? bell : ''}\n`);
  };
  const takeLines: ScanTerminal['takeLines'] = async (question, take, isOver = () => false) => {
    for (;;) {
      const line = await input.next(question);
      if (typeof line === 'string') return line;
      try {
        await take(line.text);
      } catch (error) {
        if (!(error instanceof StoreError) || isOver(error)) throw error;
        await say(error.message, 'refused');
      }
    }
  };
  return session({ input, say, takeLines }).finally(input.close);
}
