import { HintedError } from '../../../settings/hint.js';
import type { ReadContext } from '../../arguments.js';
import { StoreError } from '../../../domain/errors.js';
import type { IdentifiedPet } from '../../../domain/pets/identify-pet.js';
import { commandText } from '../../command-text.js';
import { isPetName, unitCount } from '../../readers.js';
import { scannedPet } from '../../shared-arguments.js';

/** A pet of a sale, and how many times the units that it was named with; without a quantity, once. */
export interface SaleItem {
  readonly pet: IdentifiedPet;
  readonly quantity: number | undefined;
}

/** What follows the first item of a sale: its quantity, or further items. */
type SaleRest = { readonly quantity: number } | { readonly items: readonly SaleItem[] };

/** Splits an item: a pet, or a pet with its quantity, such as "13x5" or "Neon tetra x5". */
function splitItem(text: string): { readonly pet: string; readonly quantity: number | undefined } {
  const [, pet = text, quantity] = /^([0-9]+|.+ )[x×]([0-9]{1,15})$/su.exec(text) ?? [];
  return { pet: pet.trim(), quantity: quantity === undefined ? undefined : Number(quantity) };
}

/** Reads an item. */
export async function saleItem(text: string, context: Pick<ReadContext, 'call'>): Promise<SaleItem> {
  const { pet, quantity } = splitItem(text);
  return { pet: await scannedPet(pet, context), quantity };
}

/** Digits that are a code and never a quantity. */
const isScan = /^[0-9]{7,}$/;

/** Reads the words behind the first item. */
export async function saleRest(texts: readonly string[], context: ReadContext): Promise<SaleRest> {
  const [second] = texts;
  const [first = ''] = context.words;
  if (first === '-' && second !== undefined)
    throw new HintedError('usage', 'petstore sell - takes pets from standard input or a scanner, and no further words.', { command: ['sell', '--help'] });
  const isQuantity = second !== undefined && second.trim() !== '' && !isPetName(second) && !isScan.test(second) && splitItem(first).quantity === undefined;
  if (!isQuantity) {
    const items: SaleItem[] = [];
    for (const text of texts) items.push(await saleItem(text, context));
    return { items };
  }
  const quantity = unitCount(second, 'The quantity');
  if (texts.length === 1) return { quantity };
  // Neither reading is certain: a second pet, or the quantity of the first.
  throw new HintedError('usage', `"${first} ${second}" can be two pets, or ${second} units of one; give each quantity with its pet, such as ${first}x1.`, {
    command: ['sell', '--help'],
  });
}

/** The items of a sale in the order in which they were typed. Refuses a quantity below 1 with `validation_failed`. */
export function saleItems(first: SaleItem, rest: SaleRest): readonly SaleItem[] {
  const items = 'items' in rest ? [first, ...rest.items] : [{ ...first, quantity: rest.quantity }];
  if (items.every(({ quantity = 1 }) => quantity >= 1)) return items;
  throw new StoreError('validation_failed', 'Sell at least 1.', { advice: `To take a sale back: ${commandText(['undo', '--list'])}` });
}
