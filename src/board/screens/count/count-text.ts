import { inertText, numberText, signedText } from '../../parts/text.js';
import type { LineState, TypedLine } from '../../state/counts/line-queue.js';
import type { AnswerOf } from '../../state/server/contract.js';

/** A count as somebody saw it. */
export type Count = AnswerOf<'getCount'>;

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

/** What became of a line, for its row. */
export function stateText(state: LineState, isExpectedShown: boolean): string {
  switch (state.is) {
    case 'waiting':
      return 'Waiting';
    case 'stored':
      return state.countedSoFar === undefined ? 'Stored' : figuresText({ counted: state.countedSoFar, onHand: isExpectedShown ? state.onHand : undefined });
    case 'refused':
      return inertText(state.reason);
    case 'withdrawn':
      return 'Taken back';
  }
}
