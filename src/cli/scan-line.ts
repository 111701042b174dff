import { StoreError } from '../domain/errors.js';
import { identifyPet } from '../domain/pets/identify-pet.js';
import { maximumQuantity } from '../domain/values/numbers.js';
import { shortened } from '../domain/values/text.js';
import type { ReadContext } from './arguments.js';

/** A line with a pet and a number, with a tab in between. */
const both = /^(.*\S)\s*\t\s*([0-9]+)$/su;

/** A number for the line before: "x12" or "*12". */
const times = /^[x×*]\s*([0-9]+)$/iu;

/** What a line of a scanner or of the keyboard says. */
type ScanLine =
  | { readonly kind: 'scan'; readonly pet: string; readonly digits: string | undefined }
  | { readonly kind: 'number'; readonly digits: string }
  | { readonly kind: 'back' };

/** Reads a trimmed line. Refuses a number such as "x12" that is also a code or a name of the shop: nobody knows which is meant. */
export async function readScanLine(text: string, { call }: Pick<ReadContext, 'call'>): Promise<ScanLine> {
  if (text === '-') return { kind: 'back' };
  const [, digits] = times.exec(text) ?? [];
  if (digits === undefined) {
    const [, pet = text, beside] = both.exec(text) ?? [];
    return { kind: 'scan', pet, digits: beside };
  }
  const named = await call(identifyPet, { text }).catch((error: unknown) => {
    if (error instanceof StoreError && error.code === 'pet_not_found') return undefined;
    throw error;
  });
  if (named === undefined) return { kind: 'number', digits };
  const kind = named.code === undefined ? 'name' : 'code';
  throw scanRefusal(
    `"${text}" is a ${kind} of pet ${named.petId} and would set a number; write ${kind}:${text}, or ${text.startsWith('*') ? 'x' : '*'}${digits}.`,
  );
}

/** The refusal of a line. */
export function scanRefusal(message: string): StoreError {
  return new StoreError('validation_failed', message);
}

/** Which numbers are taken. */
interface NumberLimits {
  /** Above this a number is more likely a code that was scanned into it. */
  readonly largestUsual: number;
  /** Whether a number above that is taken when it is typed a second time; without it, it is refused. */
  readonly asks: boolean;
  /** The sentence about a number below 1. */
  readonly tooSmall: string;
  /** What to do where nobody is asked. */
  readonly instead: string;
}

/** Reads the number of a scan. Refuses one that is impossible, and one that is more likely a code, unless it is typed a second time. */
export function scanNumbers({ largestUsual, asks, tooSmall, instead }: NumberLimits): (digits: string, typed: string) => number {
  let doubted: string | undefined;
  return (digits, typed) => {
    const number = Number(digits);
    const isConfirmed = asks && doubted === typed;
    doubted = undefined;
    if (number < 1) throw scanRefusal(tooSmall);
    if (number > maximumQuantity) throw scanRefusal(`${shortened(digits)} is above ${maximumQuantity}.`);
    if (number <= largestUsual || isConfirmed) return number;
    const doubt = digits.length < 7 ? `${digits} is above ${largestUsual}` : `${digits} is more likely a code`;
    if (!asks) throw scanRefusal(`${doubt}; ${instead}`);
    doubted = typed;
    throw scanRefusal(`${doubt}; type "${typed.replace('\t', ' (tab) ')}" again to take it.`);
  };
}
