import type { RefusalError } from '../server/refusal.js';
import type { TypedPet } from '../typed-pet.js';

/** What was counted: the number of units, and whether it is added to the lines before. */
export interface TypedNumber {
  readonly number: number;
  readonly adds: boolean;
}

/** The units in a text such as 12, or +3, which is added to the lines before; undefined for a text that is not a number. */
export function numberOf(text: string, adds: boolean): TypedNumber | undefined {
  // More digits would be rounded; a number that is too large is refused by the shop.
  const [, plus, digits] = /^(\+?)\s*(\d{1,15})$/.exec(text) ?? [];
  return digits === undefined ? undefined : { number: Number(digits), adds: adds || plus === '+' };
}

/** What became of a line. */
export type LineState =
  /** Kept in the page; `wasSent` where the shop may have it already, because an answer got lost. */
  | { readonly is: 'waiting'; readonly wasSent: boolean }
  /** In the shop: its id, what the lines of the pet came to with it, and how many were on hand. */
  | ({ readonly is: 'stored' } & Pick<StoredLine, 'id' | 'countedSoFar' | 'onHand' | 'stockChange'>)
  /** Refused by the shop, or not a line at all. */
  | { readonly is: 'refused'; readonly reason: string; readonly isOutside: boolean }
  | { readonly is: 'undone' };

/** A line of a count as somebody typed it. */
export interface TypedLine extends TypedNumber {
  /** Made in the page: the shop takes a line under its key only once. */
  readonly key: string;
  readonly countId: number;
  /** The name in whose session it was typed. It is sent only in a session of this name. */
  readonly by: string;
  readonly pet: TypedPet;
  /** Why it is refused if its text is no code. */
  readonly unlessCode?: string | undefined;
  /** Whether a pet that is not in the count is taken into it. */
  readonly also: boolean;
  readonly state: LineState;
  /** Whether somebody undid it, and the shop does not know it yet. */
  readonly awaitsUndo: boolean;
  /** Why it could not be undone. */
  readonly undoRefusal?: string | undefined;
}

/** What the shop answered for a line. */
export interface StoredLine {
  readonly key?: string | undefined;
  readonly id: number;
  readonly name: string;
  readonly countedSoFar?: number | undefined;
  readonly onHand: number;
  /** By how many units the stock changed since the line before, to which this one adds. */
  readonly stockChange?: number | undefined;
}

/** The next task: find the pet of a line by its name, send lines, or undo one. */
export type QueueTask =
  | { readonly does: 'find'; readonly line: TypedLine }
  | { readonly does: 'send'; readonly lines: readonly [TypedLine, ...TypedLine[]] }
  | { readonly does: 'undo'; readonly line: TypedLine; readonly id: number };

/** The most lines that the page keeps for the shop, those that were refused included: a day without network at a line every three seconds. */
export const maximumLines = 10_000;

/** The most lines of a request. */
export const maximumSent = 1000;

/** How many lines that are done are kept, to show and undo them. */
export const shownLines = 10;

/** Whether the shop does not know a line yet, or that it was undone. */
export function isPending({ state, awaitsUndo }: TypedLine): boolean {
  return state.is === 'waiting' || (state.is === 'stored' && awaitsUndo);
}

function isKept(line: TypedLine): boolean {
  return isPending(line) || line.state.is === 'refused';
}

/** Whether no further line can be kept. */
export function isFull(lines: readonly TypedLine[]): boolean {
  return lines.length >= maximumLines && lines.filter(isKept).length >= maximumLines;
}

/** Without the oldest lines that are done. */
function trimmed(lines: readonly TypedLine[]): readonly TypedLine[] {
  let surplus = lines.filter((line) => !isKept(line)).length - shownLines;
  return surplus <= 0 ? lines : lines.filter((line) => isKept(line) || (surplus -= 1) < 0);
}

/** With a line after all others. */
export function withLine(lines: readonly TypedLine[], line: TypedLine): readonly TypedLine[] {
  return trimmed([...lines, line]);
}

function changed(lines: readonly TypedLine[], keys: ReadonlySet<string>, change: (line: TypedLine) => TypedLine): readonly TypedLine[] {
  return trimmed(lines.map((line) => (keys.has(line.key) ? change(line) : line)));
}

const isSentAgain = ({ state }: TypedLine): boolean => state.is === 'waiting' && state.wasSent;

const keysOf = (lines: readonly TypedLine[]): ReadonlySet<string> => new Set(lines.map(({ key }) => key));

/**
 * The next task of the session with a name: lines go in the order in which they were typed, and those of other names stay.
 * At most `limit` lines are sent at once. Those whose answer got lost are sent again without later ones, which can then still be undone.
 */
export function nextTask(lines: readonly TypedLine[], by: string, limit = maximumSent): QueueTask | undefined {
  const pending = lines.filter((line) => isPending(line) && line.by === by);
  const [first] = pending;
  if (first === undefined) return undefined;
  if (first.state.is === 'stored') return { does: 'undo', line: first, id: first.state.id };
  if (first.pet.id === undefined) return { does: 'find', line: first };
  const isAgain = isSentAgain(first);
  const isSentToo = (line: TypedLine): boolean =>
    line.state.is === 'waiting' && isSentAgain(line) === isAgain && line.pet.id !== undefined && line.countId === first.countId;
  const end = pending.findIndex((line) => !isSentToo(line));
  return { does: 'send', lines: [first, ...pending.slice(1, Math.min(limit, end === -1 ? pending.length : end))] };
}

/** The shop may have these lines from now on. */
export function whenSent(lines: readonly TypedLine[], sent: readonly TypedLine[]): readonly TypedLine[] {
  return changed(lines, keysOf(sent), (line) => ({ ...line, state: { is: 'waiting', wasSent: true } }));
}

/** The shop has these lines. */
export function whenStored(lines: readonly TypedLine[], stored: readonly StoredLine[]): readonly TypedLine[] {
  const answers = new Map(stored.map((answer) => [answer.key, answer]));
  return trimmed(
    lines.map((line) => {
      const answer = answers.get(line.key);
      if (answer === undefined) return line;
      const { id, name, countedSoFar, onHand, stockChange } = answer;
      return { ...line, pet: { ...line.pet, name }, state: { is: 'stored', id, countedSoFar, onHand, stockChange } };
    }),
  );
}

/** The pet of a line was found by its name or its code, one scan of which means so many units. */
export function whenFound(lines: readonly TypedLine[], { key }: TypedLine, pet: TypedPet, unitsOfScan = 1): readonly TypedLine[] {
  return changed(lines, new Set([key]), (line) => ({ ...line, pet, number: line.number * unitsOfScan }));
}

/** These lines were refused; `isOutside` where only because their pet is not in the count. */
export function whenRefused(lines: readonly TypedLine[], refused: readonly TypedLine[], reason: string, isOutside = false): readonly TypedLine[] {
  return changed(lines, keysOf(refused), (line) =>
    line.awaitsUndo ? { ...line, awaitsUndo: false, state: { is: 'undone' } } : { ...line, state: { is: 'refused', reason, isOutside } },
  );
}

/** The shop has undone a line, or says why it cannot. */
export function whenUndone(lines: readonly TypedLine[], { key }: TypedLine, undoRefusal?: string): readonly TypedLine[] {
  return changed(lines, new Set([key]), (line) =>
    undoRefusal === undefined ? { ...line, awaitsUndo: false, state: { is: 'undone' } } : { ...line, awaitsUndo: false, undoRefusal },
  );
}

/** Somebody undoes a line. The shop is not told of one that was never sent. */
export function whenUndoAsked(lines: readonly TypedLine[], key: string): readonly TypedLine[] {
  return changed(lines, new Set([key]), (line) => {
    const { state } = line;
    if (state.is === 'waiting' && !state.wasSent) return { ...line, state: { is: 'undone' } };
    return state.is === 'waiting' || state.is === 'stored' ? { ...line, awaitsUndo: true, undoRefusal: undefined } : line;
  });
}

/** Without a line that was refused, once somebody has read why. */
export function whenDismissed(lines: readonly TypedLine[], key: string): readonly TypedLine[] {
  return lines.filter((line) => line.key !== key || line.state.is !== 'refused');
}

/** Sends a refused line once more, after all others, and takes its pet into the count. */
export function whenTakenIn(lines: readonly TypedLine[], key: string): readonly TypedLine[] {
  const line = lines.find((one) => one.key === key);
  if (line?.state.is !== 'refused') return lines;
  return [...lines.filter((one) => one !== line), { ...line, also: true, state: { is: 'waiting', wasSent: false } }];
}

/**
 * The lines of a request that its refusal is about: the line that it names, and others of the same pet. All of them where the count
 * itself takes none. Undefined where the refusal does not tell: the request was refused as a whole, so others may be valid.
 */
export function refusedAmong(lines: readonly TypedLine[], { code, details }: RefusalError): readonly TypedLine[] | undefined {
  if (lines.length === 1 || code === 'count_not_open' || code === 'count_not_found' || code === 'insufficient_scope') return lines;
  const { lineIndex, petId, petIds = [] } = details;
  const refused = lines.filter(({ pet: { id } }, index) => index === lineIndex || (id !== undefined && [petId, ...petIds].includes(id)));
  return refused.length > 0 ? refused : undefined;
}
