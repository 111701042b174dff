import { randomUUID } from 'node:crypto';
import { addCode } from '../../../domain/codes/add-code.js';
import type { OrderRow } from '../../../domain/orders/order.js';
import { StoreError } from '../../../domain/errors.js';
import { shortened } from '../../../domain/values/text.js';
import { HintedError } from '../../../settings/hint.js';
import type { Context } from '../../command.js';
import type { FlagValues } from '../../flags.js';
import type { mutationFlags } from '../../mutation-flags.js';
import { isUnavailable } from '../../exit-codes.js';
import { isColoured, paintFor } from '../../output/colours.js';
import { lineProblemsMessage, type LineProblem } from '../../output/line-problems.js';
import { sanitiseCell } from '../../output/sanitise.js';
import { wrapText } from '../../output/wrapped-text.js';
import { bell, burstMs, openLineInput, type LineInput } from '../../prompts/line-input.js';
import { looksLikeCode } from '../../prompts/text-problems.js';
import { canAsk, cancelled } from '../../prompts/prompter.js';
import { readPet } from '../../shared-arguments.js';
import type { SaleItem } from './sale-items.js';
import { openTill, type Till } from './till.js';

type Mutation = FlagValues<typeof mutationFlags>;

/** What was sold, with the orders of it in the same order. */
export interface Sale {
  readonly items: readonly SaleItem[];
  readonly orders: readonly OrderRow[];
}

/** Sells items in one transaction. */
type Sell = (items: readonly SaleItem[], mutation: Mutation) => Promise<readonly OrderRow[]>;

/** The most bytes of a sale on standard input: more than 1,000 lines of codes have. */
const largestBytes = 1024 * 1024;

/** The lines of standard input before the first empty one. Refuses input that is too long, is not UTF-8, or goes on behind that line. */
async function* pipedLines(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<string, void> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  const decode = (chunk?: Uint8Array): string => {
    try {
      return decoder.decode(chunk, { stream: chunk !== undefined });
    } catch {
      throw new StoreError('not_utf8', 'Standard input is not valid UTF-8; nothing was sold.');
    }
  };
  let size = 0;
  let rest = '';
  for await (const chunk of bytes) {
    size += chunk.length;
    if (size > largestBytes) throw new StoreError('payload_too_large', 'Standard input has more than 1 MiB; nothing was sold.');
    const lines = (rest + decode(chunk)).split(/\r\n|\n|\r(?!$)/);
    rest = lines.pop() ?? '';
    for (const [index, line] of lines.entries()) {
      if (line.trim() !== '') {
        yield line;
        continue;
      }
      if (`${lines.slice(index + 1).join('')}${rest}`.trim() === '') return;
      throw new StoreError('validation_failed', 'An empty line ends a sale, and more lines follow it; nothing was sold.');
    }
  }
  rest += decode();
  if (rest.trim() !== '') yield rest;
}

/** Sells the lines of standard input: all of them, or nothing if one is refused. */
async function sellPiped(context: Context, till: Till, sell: () => Promise<Sale>): Promise<Sale> {
  const problems: LineProblem[] = [];
  let line = 0;
  for await (const text of pipedLines(context.io.stdin.bytes())) {
    line += 1;
    try {
      await context.note(await till.take(text.trim()));
    } catch (error) {
      if (!(error instanceof StoreError) || isUnavailable(error)) throw error;
      problems.push({ line, message: error.message, code: error.code });
    }
  }
  if (problems.length > 0) {
    const sentence = `${problems.length === 1 ? 'A line' : `${problems.length} lines`} cannot be sold; nothing was sold.`;
    throw new StoreError('import_refused', await lineProblemsMessage(context, { sentence, name: 'standard input', problems }), {
      advice: 'Correct these lines and sell again.',
    });
  }
  if (till.items().length === 0) throw new HintedError('validation_failed', 'There are no codes on standard input.', { command: ['sell', '--help'] });
  return sell();
}

/** What is done with lines at a terminal. */
interface Counter {
  readonly context: Context;
  readonly input: LineInput;
  readonly till: Till;
  readonly say: (text: string, mark?: 'done' | 'refused') => Promise<void>;
  readonly isDryRun: boolean;
}

/** Adds the code that was refused last to a pet. */
async function addRefused({ context, say }: Counter, text: string, pet: string): Promise<string> {
  const { call } = await context.shop();
  const petId = await readPet(pet, { call });
  const { code } = await call(addCode, { petId, body: { code: text } });
  await say(`Added code ${code} to pet ${petId}.`, 'done');
  return `code:${code}`;
}

/** Takes lines until the sale is to be completed; answers whether more can follow. Refuses with `cancelled` after Ctrl-C. */
async function scanned(counter: Counter): Promise<boolean> {
  const { input, till, say, isDryRun } = counter;
  let unknown: string | undefined;
  for (;;) {
    const line = input.take() ?? (await input.next('Code: '));
    if (line === 'interrupt') throw cancelled();
    if (line === 'end') return false;
    const text = line.text.trim();
    if (text === '') {
      if (await input.isTypedWithin(burstMs)) continue;
      return true;
    }
    const [, pet] = /^\+\s*(.*)$/su.exec(text) ?? [];
    try {
      const scan = unknown !== undefined && pet !== undefined ? await addRefused(counter, unknown, pet) : text;
      await say(await till.take(scan), 'done');
      unknown = undefined;
    } catch (error) {
      if (!(error instanceof StoreError)) throw error;
      // The offer holds until another pet is scanned or refused.
      if (pet === undefined && error.code === 'pet_not_found') unknown = !isDryRun && looksLikeCode(text) ? text : undefined;
      const offer = unknown !== text ? '' : ` To add the code ${shortened(unknown)} to a pet, type + and the pet; or go on.`;
      await say(`${error.message}${offer}`, 'refused');
    }
  }
}

/** Scans at a terminal and sells. A refused sale stays open, to be corrected. */
async function sellScanned(context: Context, till: Till, isDryRun: boolean, sell: () => Promise<Sale>): Promise<Sale | undefined> {
  const { io, settings } = context;
  const paint = await paintFor(isColoured(io.stderr, settings.colour, io.environment));
  const marks = { done: paint.green('✓ '), refused: paint.red('✗ ') };
  const input = openLineInput(io);
  const say: Counter['say'] = (text, mark) =>
    input.print(`${wrapText(`${mark === undefined ? '' : marks[mark]}${sanitiseCell(text)}`, io.stderr.columns)}${mark === 'refused' ? bell : ''}\n`);
  try {
    await say('Scan or type a pet. x3 sets the number of the last scan, - takes it back. An empty line sells, Ctrl-C sells nothing.');
    for (;;) {
      const goesOn = await scanned({ context, input, till, say, isDryRun });
      if (till.items().length === 0) {
        await say('Nothing was sold.');
        return undefined;
      }
      try {
        return await sell();
      } catch (error) {
        if (!(error instanceof StoreError) || !goesOn) throw error;
        await say(`${error.message} Nothing is sold yet: take a line back, or try again with an empty line.`, 'refused');
      }
    }
  } finally {
    input.close();
  }
}

/** Sells what is scanned, line by line, from standard input or at a terminal; undefined where nothing was. */
export async function sellAtTill(context: Context, mutation: Mutation, place: Sell): Promise<Sale | undefined> {
  const { io, settings } = context;
  const { isTerminal } = io.stdin;
  if (isTerminal && !canAsk(io, settings))
    throw new HintedError('input_required', 'The till needs a terminal, or lines on standard input.', { command: ['sell', '--help'] });
  const { call } = await context.shop();
  const till = openTill({ call, asks: isTerminal });
  // With a key of its own, a sale whose answer was lost is not made twice.
  const key = mutation.key ?? (isTerminal ? randomUUID() : undefined);
  const sell = async (): Promise<Sale> => ({ items: till.items(), orders: await place(till.items(), { ...mutation, key }) });
  return isTerminal ? sellScanned(context, till, mutation.dryRun === true, sell) : sellPiped(context, till, sell);
}
