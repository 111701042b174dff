import type { StoreError } from '../../../domain/errors.js';
import { shortened } from '../../../domain/values/text.js';
import { burstMs, type LineInput, type TypedLine } from '../../prompts/line-input.js';
import { grouped } from '../../output/numbers.js';
import { countedNumber, isCountedNumber, numberProblem, type CountedNumber } from './line-number.js';

/** A pet that was scanned; what is known of it was shown. */
export interface ScannedPet {
  readonly petId: number;
  readonly name: string;
}

/** What scanning asks for, records and writes. */
interface ScanActions {
  /** Finds a pet by what was scanned or typed; a refusal if there is none. With `isAsked` it is shown, because its number is asked for. */
  readonly find: (text: string, isAsked: boolean) => Promise<ScannedPet | StoreError>;
  readonly record: (pet: ScannedPet, counted: CountedNumber) => void;
  readonly say: (line: string) => Promise<void>;
  /** Whether no further line can be recorded. */
  readonly isOver: () => boolean;
  readonly now: () => number;
}

/** Nobody reads a refusal and reacts in less time: a number that arrives sooner belongs to the refused pet. */
const reactionMs = 1000;

/** Above this a number must be typed twice: it is more likely a code that was scanned. */
const largestUsualNumber = 9999;

/** Why a number is not taken at once, as the end of a sentence; undefined for a usual one. */
function doubt(text: string): string | undefined {
  return Number(text) > largestUsualNumber ? `is above ${grouped(largestUsualNumber)}; type it again to record it` : undefined;
}

type Input = Pick<LineInput, 'next' | 'take' | 'putBack' | 'isTypedWithin'>;

/**
 * The number of a pet: the one beside it on its line, or the answer to a question. After a wrong or a doubtful one it is asked
 * for again; `undefined` leaves the pet out.
 */
async function numberOf(input: Input, actions: ScanActions, { name }: ScannedPet, beside: string | undefined) {
  let refusedAt = -Infinity;
  let refused: string | undefined;
  const check = async (text: string): Promise<CountedNumber | undefined> => {
    const problem = numberProblem(text) ?? (text === refused ? undefined : doubt(text));
    if (problem === undefined) return countedNumber(text);
    refused = text;
    refusedAt = actions.now();
    await actions.say(`"${shortened(text)}" ${problem}.`);
    return undefined;
  };
  const first = beside === undefined ? undefined : await check(beside);
  if (first !== undefined) return first;
  for (;;) {
    const line = input.take() ?? (await input.next('How many? '));
    if (typeof line === 'string') return line;
    const text = line.text.trim();
    if (text === '' && (await input.isTypedWithin(burstMs))) continue;
    if (line.at < refusedAt + reactionMs) input.putBack(line);
    else if (text !== '') {
      const counted = await check(text);
      if (counted !== undefined) return counted;
      continue;
    }
    await actions.say(`${name} was not counted.`);
    return undefined;
  }
}

/** Says that the line after a refused pet, usually its number, is left out. */
function leaveOut(actions: ScanActions, line: TypedLine): Promise<void> {
  const text = line.text.trim();
  return actions.say(isCountedNumber(text) ? `Its number ${text} was not recorded.` : `The line after it, "${shortened(text)}", was left out.`);
}

/** A line with a pet and its number, with a tab in between. */
const both = /^(.*\S)\s*\t\s*([+]?[0-9]+)\s*$/;

/**
 * Takes pets and numbers in turn until an empty line, Ctrl-D (`end`) or Ctrl-C (`interrupt`). Lines that have arrived already are
 * taken in pairs, so that a refused pet does not turn its number into the next pet.
 */
export async function scanLines(input: Input, actions: ScanActions): Promise<'end' | 'interrupt'> {
  let refusedAt = -Infinity;
  while (!actions.isOver()) {
    const line = input.take() ?? (await input.next('Pet: '));
    if (typeof line === 'string') return line;
    const text = line.text.trim();
    if (text === '') {
      if (await input.isTypedWithin(burstMs)) continue;
      return 'end';
    }
    // After a burst, only a number belongs to the refused pet: another text is a corrected name.
    const belongsToRefused = line.at < refusedAt + (isCountedNumber(text) ? reactionMs : burstMs);
    refusedAt = -Infinity;
    if (belongsToRefused) {
      await leaveOut(actions, line);
      continue;
    }
    const [, pairedPet, pairedNumber] = both.exec(line.text) ?? [];
    const next = pairedNumber === undefined ? input.take() : undefined;
    if (next !== undefined) input.putBack(next);
    const pet = await actions.find(pairedPet?.trim() ?? text, pairedNumber === undefined && next === undefined);
    if (pet instanceof Error) {
      await actions.say(pet.message);
      if (pairedNumber !== undefined) continue;
      const number = input.take();
      if (number === undefined) refusedAt = actions.now();
      else await leaveOut(actions, number);
      continue;
    }
    const counted = await numberOf(input, actions, pet, pairedNumber);
    if (typeof counted === 'string') return counted;
    if (counted !== undefined) actions.record(pet, counted);
  }
  return 'end';
}
