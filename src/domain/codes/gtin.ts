const zero = '0'.charCodeAt(0);

/** The check digit of the digits before it (GS1 General Specifications, 7.9): weights 3 and 1 from the right. */
function checkDigit(digits: string): number {
  let sum = 0;
  for (let index = digits.length - 1, weight = 3; index >= 0; index -= 1, weight = 4 - weight) sum += (digits.charCodeAt(index) - zero) * weight;
  return (10 - (sum % 10)) % 10;
}

/** The digits of a GTIN with its leading zeros. */
export const gtinLength = 14;
const leastGtin = 1e11;
const half = 1e7;

/** The sum of the digits of a number below 2^31 with the weights 3 and 1 in turn, that of the last digit first. */
function weightedSum(digits: number, lastWeight: 1 | 3): number {
  let sum = 0;
  for (let rest = digits, weight: number = lastWeight; rest > 0; rest = (rest / 10) | 0, weight = 4 - weight) sum += (rest % 10) * weight;
  return sum;
}

/** Whether digits that are this number are a GTIN, with or without leading zeros; of a number with fewer than 12 digits they do not tell. */
export function isGtinNumber(number: number): boolean {
  if (!(number >= leastGtin)) return false;
  const high = Math.floor(number / half);
  return (weightedSum(number - high * half, 1) + weightedSum(high, 3)) % 10 === 0;
}

/** A GTIN (8, 12, 13 or 14 digits of which the last is the check digit) with 14 digits; undefined for another text. */
export function gtinKey(text: string): string | undefined {
  if (!/^(?:\d{8}|\d{12,14})$/.test(text)) return undefined;
  return checkDigit(text.slice(0, -1)) === Number(text.at(-1)) ? text.padStart(gtinLength, '0') : undefined;
}

/** The GTIN, with 14 digits, whose leading zeros a spreadsheet may have removed from these digits; undefined if there is none. */
export function gtinWithoutZeros(text: string): string | undefined {
  return /^[1-9]\d{5,10}$/.test(text) && gtinKey(text) === undefined ? gtinKey(text.padStart(gtinLength, '0')) : undefined;
}

/** Fewer digits are more often a number of the shop or of a supplier than a damaged barcode number. */
const leastDamaged = 9;

/** A sentence about a code that looks like a barcode number with lost zeros or a wrong check digit; undefined for other codes. A dry run passes false. */
export function codeDoubt(code: string, isAdded = true): string | undefined {
  if (code.length < leastDamaged) return undefined;
  if (gtinWithoutZeros(code) !== undefined) return `The code ${code} would be a barcode number with a leading zero; spreadsheets drop leading zeros.`;
  if (!/^\d{12,14}$/.test(code) || gtinKey(code) !== undefined) return undefined;
  return `The code ${code} has a wrong check digit (should end in ${checkDigit(code.slice(0, -1))}); it ${isAdded ? 'is' : 'would be'} kept as it is.`;
}

/** The range of GTINs that GS1 keeps for use within a shop, and the digits of the id of a pet in it. */
const ownRange = '20';
const idDigits = 10;

/** The shop's own EAN-13 for a pet; undefined for an id with more than ten digits. It is never stored. */
export function ownNumber(petId: number): string | undefined {
  const id = String(petId);
  if (id.length > idDigits) return undefined;
  const digits = `${ownRange}${id.padStart(idDigits, '0')}`;
  return `${digits}${checkDigit(digits)}`;
}

const leastOwn = Number(`${ownRange}${'0'.repeat(idDigits)}0`);

/** The pet whose own number a GTIN is, given as a number; undefined for a GTIN of another range. */
export function petOfOwnGtin(gtin: number): number | undefined {
  const petId = Math.floor((gtin - leastOwn) / 10);
  return petId >= 1 && petId < 10 ** idDigits ? petId : undefined;
}

/** The pet whose own number a key of a code is; undefined for another one. */
export function petOfOwnNumber(key: string): number | undefined {
  return gtinKey(key) === key ? petOfOwnGtin(Number(key)) : undefined;
}

/** A symbology identifier (ISO/IEC 15424), which some scanners send before the code. */
const symbology = /^\][A-Za-z][0-9A-Za-z]/;
/** Those of GS1-128, GS1 DataBar, GS1 DataMatrix and GS1 QR, whose data are application identifiers with their values. */
const gs1Symbologies: ReadonlySet<string> = new Set([']C1', ']e0', ']d2', ']Q3']);
const separator = '\u001d';

/** The length of an application identifier and its value where it is fixed, by the first two digits (GS1 General Specifications, 7.8.4). */
const fixedLengths: ReadonlyMap<string, number> = new Map([
  ['00', 20],
  ['01', 16],
  ['02', 16],
  ['03', 16],
  ['04', 18],
  ...['11', '12', '13', '14', '15', '16', '17', '18', '19'].map((start) => [start, 8] as const),
  ['20', 4],
  ...['31', '32', '33', '34', '35', '36'].map((start) => [start, 10] as const),
  ['41', 16],
]);

/** The article number (application identifier 01) in the data of a GS1 symbol; undefined without one. */
function articleNumber(data: string): string | undefined {
  let rest = data;
  while (rest !== '') {
    if (rest.startsWith(separator)) {
      rest = rest.slice(1);
      continue;
    }
    const number = /^01(\d{14})/.exec(rest)?.[1];
    if (number !== undefined) return number;
    const length = fixedLengths.get(rest.slice(0, 2)) ?? rest.indexOf(separator);
    if (length < 1) return undefined;
    rest = rest.slice(length);
  }
  return undefined;
}

/** What a scanner has read, without the symbology identifier before it; of a GS1 symbol with an article number, that number. */
export function scannedText(text: string): string {
  const trimmed = text.trim();
  const found = symbology.exec(trimmed)?.[0];
  if (found === undefined) return trimmed;
  const data = trimmed.slice(found.length);
  return (gs1Symbologies.has(found) && articleNumber(data)) || data;
}
