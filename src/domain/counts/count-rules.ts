import type { ShortagePolicy, Stock } from '../inventory/stock.js';
import { quantityAfter, type StockRefusal } from '../imports/stock-change.js';
import type { AddedLine, CountLine } from './count-line.js';

/** What a rule needs to know of a line. */
export type LineFacts = Pick<CountLine, 'number' | 'adds' | 'by' | 'at' | 'onHand' | 'undone'>;

/** What the lines of a pet come to. */
export interface Tally {
  readonly counted: number;
  /** The quantity on hand at the last of the lines. */
  readonly expected: number;
  readonly by: string;
  readonly at: string;
  /** The number of lines that are not undone. */
  readonly lines: number;
}

/** How what the lines of a pet come to changes; undefined without lines. */
export interface TallyChange {
  readonly before: Tally | undefined;
  readonly after: Tally | undefined;
}

/**
 * What the lines of a pet come to after one more line; undefined before the first one. The last replacing line and the adding
 * lines after it are summed. An undone line counts as if it were not there.
 */
export function afterLine(before: Tally | undefined, line: LineFacts): Tally | undefined {
  if (line.undone) return before;
  const sum = line.adds ? (before?.counted ?? 0) : 0;
  return { counted: sum + line.number, expected: line.onHand, by: line.by, at: line.at, lines: (before?.lines ?? 0) + 1 };
}

/**
 * By how many units the stock of a pet changed between a line that adds to others and the one before it; undefined where it did
 * not. If units were sold from a shelf that was counted before, the sum still includes them: no record says which shelf a unit was on.
 */
export function stockChangeBefore(before: Tally | undefined, { adds, onHand }: Pick<LineFacts, 'adds' | 'onHand'>): number | undefined {
  return !adds || before === undefined || before.expected === onHand ? undefined : onHand - before.expected;
}

/** What the lines of a pet come to, oldest first. */
export function tallyOf(lines: readonly LineFacts[]): Tally | undefined {
  return lines.reduce<Tally | undefined>(afterLine, undefined);
}

/** A line as answers show it; `tally` is what all lines of its pet come to, undefined if all are undone. */
export function addedLineOf(line: CountLine, tally: Tally | undefined): AddedLine {
  return { ...line, ...(tally && { countedSoFar: tally.counted }) };
}

/** What happens at the close to pets that nobody counted: they keep their stock, or were not found and so have none. */
export type MissingPolicy = 'keep' | 'zero';

/** How a count is closed. */
export interface ClosePolicy extends ShortagePolicy {
  readonly missing: MissingPolicy;
}

/** A pet at the close of a count; `stock` is undefined for a deleted one. */
export interface PetAtClose {
  readonly petId: number;
  readonly name: string;
  readonly tally: Pick<Tally, 'counted' | 'expected'> | undefined;
  readonly stock: Pick<Stock, 'quantity' | 'reserved'> | undefined;
}

/** What closing a count does to a pet. */
export type CloseOutcome =
  /** It was not counted, and keeps its stock. */
  | { readonly kind: 'not counted' }
  /** It was deleted meanwhile, or cannot be changed; its lines are kept. */
  | { readonly kind: 'deleted' | 'refused'; readonly counted: number; readonly expected: number; readonly refusal: StockRefusal }
  /** Its stock becomes `after`, which may be what it is: then the count agrees. */
  | { readonly kind: 'applied'; readonly counted: number; readonly expected: number; readonly after: number };

/**
 * What closing a count does to a pet: its present quantity changes by counted − expected, so that sales, deliveries and corrections
 * since the line stay. With `missing: 'zero'` a pet that nobody counted is taken as counted at the close with 0 units, so that it
 * has none afterwards, whatever was sold meanwhile.
 */
export function closeOutcomeOf({ petId, name, tally, stock }: PetAtClose, { missing, allowShortage }: ClosePolicy): CloseOutcome {
  const asMissing = missing === 'zero' && stock ? { counted: 0, expected: stock.quantity } : undefined;
  const found = tally ?? asMissing;
  if (found === undefined) return { kind: 'not counted' };
  const { counted, expected } = found;
  if (stock === undefined) {
    return { kind: 'deleted', counted, expected, refusal: { code: 'unknown_pet', message: `${name} (pet ${petId}) was deleted meanwhile; nothing changes.` } };
  }
  const figure = { petId, name, value: counted - expected, expected: undefined };
  const after = quantityAfter('adjust', figure, stock, { allowShortage, onStale: 'fail' });
  if (typeof after === 'object') return { kind: 'refused', counted, expected, refusal: after };
  return { kind: 'applied', counted, expected, after };
}

/** How the figures of a count change with those of a pet. */
export function figuresChange(before: Tally | undefined, after: Tally | undefined): { readonly counted: number; readonly differing: number } {
  const counted = (tally: Tally | undefined): number => (tally === undefined ? 0 : 1);
  const differing = (tally: Tally | undefined): number => (tally === undefined || tally.counted === tally.expected ? 0 : 1);
  return { counted: counted(after) - counted(before), differing: differing(after) - differing(before) };
}
