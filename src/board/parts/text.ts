import type { AnswerOf, RowOf } from '../state/server/contract.js';

// C0 and C1 controls, and the bidi controls, which would reorder the text around a name in old data.
// oxlint-disable-next-line no-control-regex -- it is meant to match control characters
const harmful = /[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;

/** Text from outside in one line: control characters become U+FFFD, as on the command line. */
export function inertText(text: string): string {
  return text
    .toWellFormed()
    .replaceAll(/[\t\n\r]/g, ' ')
    .replaceAll(harmful, '\u{fffd}');
}

const numbers = new Intl.NumberFormat('en');
const signedNumbers = new Intl.NumberFormat('en', { signDisplay: 'exceptZero' });

/** A number with its thousands separated: 4,286. */
export function numberText(value: number): string {
  return numbers.format(value);
}

/** A change with its sign: +12, −2. */
export function signedText(value: number): string {
  return signedNumbers.format(value).replace('-', '−');
}

/** A count with its noun: "1 row", "4,286 rows". */
export function countText(count: number, noun: string): string {
  return `${numberText(count)} ${noun}${count === 1 ? '' : 's'}`;
}

/** Units of a pet: "2 × Guppy". */
export function unitsText(units: number, name: string): string {
  return `${numberText(units)} × ${name}`;
}

/** The units and the pet of an order: "2 × Guppy". */
export function orderText({ petId, pet = `pet ${petId}`, quantity = 1 }: RowOf<'listOrders'>): string {
  return petId === undefined ? 'no pet yet' : unitsText(quantity, pet);
}

/** What a sale did: "Sold 2 × Guppy, 5 available (order 12)." */
export function saleText(order: AnswerOf<'placeOrder'>): string {
  const available = order.available === undefined ? '' : `, ${numberText(order.available)} available`;
  return `Sold ${orderText(order)}${available} (order ${order.id}).`;
}

/** A list of which a part is shown: "3 changes", "First 100 of 4,286 changes". */
export function partText(shown: number, total: number, noun: string): string {
  return shown < total ? `First ${numberText(shown)} of ${countText(total, noun)}` : countText(total, noun);
}

const sizes = ['bytes', 'kB', 'MB', 'GB'] as const;

/** A number of bytes: 812 bytes, 34.5 MB. */
export function sizeText(bytes: number): string {
  const power = Math.min(sizes.length - 1, Math.floor(Math.log10(Math.max(bytes, 1)) / 3));
  const value = bytes / 1000 ** power;
  return `${numbers.format(power === 0 ? value : Number(value.toPrecision(3)))} ${sizes[power]}`;
}
