import { inertText, numberText, signedText } from '../../parts/text.js';
import type { LineState, TypedLine } from '../../state/counts/line-queue.js';
import type { AnswerOf, RowOf } from '../../state/server/contract.js';

/** A count as somebody saw it. */
export type Count = AnswerOf<'getCount'>;

/** A pet of a count with its figures. */
export type CountPet = RowOf<'listCountPets'>;

/** Whether the screens show what is expected: not while a blind count is open. */
export function showsExpected({ blind, state }: Count): boolean {
  return !blind || state !== 'open';
}

/** The pet of a line as far as it is known. */
export function petText({ id, name, text }: TypedLine['pet']): string {
  return name === undefined ? (id === undefined ? `“${inertText(text)}”` : `pet ${id}`) : inertText(name);
}

/** The units of a line: 12, or +3 where they are added to the lines before; ? where no number was typed. */
export function unitsOfLine({ number, adds }: Pick<TypedLine, 'number' | 'adds'>): string {
  if (Number.isNaN(number)) return '?';
  return adds ? signedText(number) : numberText(number);
}

/** The figures of a pet that is counted: "Counted so far 12, expected 14". */
export function figuresText({ counted, onHand }: { readonly counted?: number | undefined; readonly onHand?: number | undefined }): string {
  const soFar = counted === undefined ? 'Not counted so far' : `Counted so far ${numberText(counted)}`;
  return onHand === undefined ? soFar : `${soFar}, expected ${numberText(onHand)}`;
}

/** What the lines of a pet come to after a line that the shop has, and what to do where units left or arrived between two that add up. */
function storedText({ countedSoFar, onHand, stockChange }: LineState & { readonly is: 'stored' }, isExpectedShown: boolean): string {
  if (countedSoFar === undefined) return 'Stored';
  const figures = figuresText({ counted: countedSoFar, onHand: isExpectedShown ? onHand : undefined });
  if (stockChange === undefined) return figures;
  return `${figures}. The stock changed by ${signedText(stockChange)} since the line before; if that was on a shelf counted before, count this pet again.`;
}

/** What became of a line, for its row. */
export function stateText(state: LineState, isExpectedShown: boolean): string {
  switch (state.is) {
    case 'waiting':
      return 'Waiting';
    case 'stored':
      return storedText(state, isExpectedShown);
    case 'refused':
      return inertText(state.reason);
    case 'undone':
      return 'Undone';
  }
}
