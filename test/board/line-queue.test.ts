import { expect, test } from 'vitest';
import {
  isFull,
  isPending,
  maximumLines,
  nextTask,
  numberOf,
  refusedAmong,
  shownLines,
  whenDismissed,
  whenFound,
  whenRefused,
  whenSent,
  whenStored,
  whenTakenIn,
  whenUndoAsked,
  whenUndone,
  withLine,
  type StoredLine,
  type TypedLine,
} from '../../src/board/state/counts/line-queue.js';
import { RefusalError } from '../../src/board/state/server/refusal.js';
import { petOf } from '../../src/board/state/typed-pet.js';
import { seededRandom } from '../support/seeded-random.js';

function line(key: string, given: Partial<TypedLine> = {}): TypedLine {
  const pet = petOf('7');
  return { key, countId: 1, by: 'ana', pet, number: 5, adds: false, also: false, state: { is: 'waiting', wasSent: false }, awaitsUndo: false, ...given };
}

const typed = (...lines: readonly TypedLine[]): readonly TypedLine[] => lines.reduce(withLine, [] as readonly TypedLine[]);

const answer = (key: string, id = 1): StoredLine => ({ key, id, name: 'Koi', countedSoFar: 5, onHand: 4 });

const statesOf = (lines: readonly TypedLine[]): readonly string[] => lines.map(({ key, state }) => `${key} ${state.is}`);

/** The keys of the lines that would be sent next. */
function sentNext(lines: readonly TypedLine[], by = 'ana', limit?: number): readonly string[] {
  const task = nextTask(lines, by, limit);
  return task?.does === 'send' ? task.lines.map(({ key }) => key) : [];
}

test('digits are an id, and another text is a name', () => {
  expect(petOf('7')).toEqual({ text: '7', id: 7 });
  expect(petOf('007')).toEqual({ text: '007', id: 7 });
  for (const text of ['koi', '7 koi', '0', '-7', '1e3', '9'.repeat(16)]) expect(petOf(text)).toEqual({ text });
});

test('a number replaces what was counted, and one with a plus is added to it', () => {
  expect(numberOf('12', false)).toEqual({ number: 12, adds: false });
  expect(numberOf('+3', false)).toEqual({ number: 3, adds: true });
  expect(numberOf('12', true)).toEqual({ number: 12, adds: true });
  for (const text of ['x', '-3', '1.5', '1e2', '', '+', '9'.repeat(16)]) expect(numberOf(text, false)).toBeUndefined();
});

test('lines are sent together in the order in which they were typed', () => {
  const lines = typed(line('a'), line('b', { pet: petOf('8') }), line('c'));
  expect(sentNext(lines)).toEqual(['a', 'b', 'c']);
  expect(sentNext(lines, 'ana', 2)).toEqual(['a', 'b']);
  // A line of another count begins a request of its own.
  expect(sentNext(typed(line('a'), line('b', { countId: 2 }), line('c')))).toEqual(['a']);
});

test('lines whose answer got lost are sent again without those that were typed since', () => {
  const lines = withLine(whenSent(typed(line('a'), line('b')), [line('a'), line('b')]), line('c'));
  expect(sentNext(lines)).toEqual(['a', 'b']);
  expect(sentNext(whenStored(lines, [answer('a'), answer('b')]))).toEqual(['c']);
});

test('a pet that was typed by its name is found before its line and those after it are sent', () => {
  const lines = typed(line('a'), line('b', { pet: petOf('koi') }), line('c'));
  expect(sentNext(lines)).toEqual(['a']);
  const next = whenStored(lines, [answer('a')]);
  expect(nextTask(next, 'ana')).toMatchObject({ does: 'find', line: { key: 'b' } });
  expect(sentNext(whenFound(next, line('b'), { text: 'koi', id: 9, name: 'Koi' }))).toEqual(['b', 'c']);
});

test('lines that were typed under another name wait for it, and do not stop the others', () => {
  const lines = typed(line('a'), line('b', { by: 'ben' }), line('c'));
  expect([sentNext(lines, 'ana'), sentNext(lines, 'ben'), sentNext(lines, 'eve')]).toEqual([['a', 'c'], ['b'], []]);
});

test('a refused line stays with its reason, and those after it are sent', () => {
  const lines = whenRefused(typed(line('a'), line('b')), [line('a')], 'There is no pet 7.');
  expect(lines[0]?.state).toEqual({ is: 'refused', reason: 'There is no pet 7.', isOutside: false });
  expect(sentNext(lines)).toEqual(['b']);
  expect(statesOf(whenDismissed(lines, 'a'))).toEqual(['b waiting']);
  expect(statesOf(whenDismissed(lines, 'b'))).toEqual(['a refused', 'b waiting']);
});

test('a refused line is sent once more, after all others, to take its pet into the count', () => {
  const lines = whenTakenIn(whenRefused(typed(line('a'), line('b')), [line('a')], 'Pet 7 is not in count 1.', true), 'a');
  expect(statesOf(lines)).toEqual(['b waiting', 'a waiting']);
  expect(nextTask(lines, 'ana')).toMatchObject({
    does: 'send',
    lines: [
      { key: 'b', also: false },
      { key: 'a', also: true },
    ],
  });
  expect(whenTakenIn(lines, 'b')).toBe(lines);
});

test('a line that was not sent is undone without the shop', () => {
  const lines = whenUndoAsked(typed(line('a'), line('b')), 'a');
  expect(statesOf(lines)).toEqual(['a undone', 'b waiting']);
  expect(sentNext(lines)).toEqual(['b']);
});

test('a stored line is undone by the shop, and says why where it cannot be', () => {
  const stored = whenStored(typed(line('a')), [answer('a', 12)]);
  expect(nextTask(stored, 'ana')).toBeUndefined();
  const undone = whenUndoAsked(stored, 'a');
  expect(nextTask(undone, 'ana')).toMatchObject({ does: 'undo', id: 12, line: { key: 'a' } });
  expect(statesOf(whenUndone(undone, line('a')))).toEqual(['a undone']);
  const [kept] = whenUndone(undone, line('a'), 'Count 1 is closed.');
  expect(kept).toMatchObject({ state: { is: 'stored' }, awaitsUndo: false, undoRefusal: 'Count 1 is closed.' });
  expect(nextTask(kept ? [kept] : [], 'ana')).toBeUndefined();
});

test('a line whose answer got lost is sent again before it is undone, because the shop may have it', () => {
  const sent = whenUndoAsked(whenSent(typed(line('a')), [line('a')]), 'a');
  expect(sentNext(sent)).toEqual(['a']);
  expect(nextTask(whenStored(sent, [answer('a', 12)]), 'ana')).toMatchObject({ does: 'undo', id: 12 });
  expect(statesOf(whenRefused(sent, [line('a')], 'There is no pet 7.'))).toEqual(['a undone']);
});

test('only the last lines that are done are kept, and every line that is not', () => {
  const many = Array.from({ length: 30 }, (_, index) => line(`${index}`, { pet: petOf(String(index + 1)) }));
  let lines = whenRefused(typed(...many), many.slice(0, 1), 'There is no pet 1.');
  lines = whenStored(
    lines,
    many.slice(1, 25).map(({ key }, index) => answer(key, index + 1)),
  );
  const done = lines.filter(({ state }) => state.is === 'stored').map(({ key }) => key);
  expect(done).toEqual(many.slice(25 - shownLines, 25).map(({ key }) => key));
  expect(statesOf(lines).filter((text) => !text.endsWith('stored'))).toEqual(['0 refused', ...[25, 26, 27, 28, 29].map((key) => `${key} waiting`)]);
});

test('no more than ten thousand lines are kept for the shop', () => {
  const lines = Array.from({ length: maximumLines }, (_, index) => line(`${index}`));
  expect(isFull(lines.slice(1))).toBe(false);
  expect(isFull(lines)).toBe(true);
  expect(isFull(whenRefused(lines, lines.slice(0, 5), 'There is no pet 7.'))).toBe(true);
  expect(isFull(whenStored(lines, [answer('3')]))).toBe(false);
});

test('the refusal of a request names its lines by index or by pet, or all of them', () => {
  const lines = [line('a'), line('b', { pet: petOf('8') }), line('c')];
  const keys = (code: ConstructorParameters<typeof RefusalError>[0], details = {}) =>
    refusedAmong(lines, new RefusalError(code, 'No.', 409, details))?.map(({ key }) => key);
  expect(keys('unknown_pet', { petId: 7 })).toEqual(['a', 'c']);
  expect(keys('validation_failed', { lineIndex: 1 })).toEqual(['b']);
  expect(keys('already_counting', { countId: 2, petIds: [8, 9] })).toEqual(['b']);
  expect(keys('count_not_open')).toEqual(['a', 'b', 'c']);
  expect(keys('validation_failed')).toBeUndefined();
  expect(refusedAmong(lines.slice(0, 1), new RefusalError('validation_failed', 'No.', 422))).toHaveLength(1);
});

/** A shop that takes lines as the contract says: all or none, each key once. */
function fakeShop(unknownPet: number) {
  const stored: { readonly key: string; readonly id: number; isUndone: boolean }[] = [];
  return {
    stored,
    add: (lines: readonly TypedLine[]): readonly StoredLine[] | undefined => {
      if (lines.some(({ pet }) => pet.id === unknownPet)) return undefined;
      return lines.map(({ key }) => {
        const known = stored.find((one) => one.key === key);
        if (known === undefined) stored.push({ key, id: stored.length + 1, isUndone: false });
        return answer(key, known?.id ?? stored.length);
      });
    },
    undo: (id: number): void => stored.filter((one) => one.id === id).forEach((one) => (one.isUndone = true)),
  };
}

test('whatever answers get lost, the shop has every line once, in order, without those that were undone', () => {
  for (let seed = 1; seed <= 200; seed += 1) {
    const random = seededRandom(seed);
    const isSo = (share: number): boolean => random() < share;
    const shop = fakeShop(3);
    const [kept, undone]: [string[], Set<string>] = [[], new Set()];
    let lines: readonly TypedLine[] = [];
    const type = (): void => {
      const key = `${kept.length}`;
      const pet = petOf(isSo(0.2) ? 'koi' : String(1 + Math.floor(random() * 4)));
      kept.push(key);
      lines = withLine(lines, line(key, { pet }));
    };
    const undo = (): void => {
      const own = lines.filter(({ state, awaitsUndo }) => !awaitsUndo && state.is !== 'refused' && state.is !== 'undone');
      const chosen = own[Math.floor(random() * own.length)];
      if (chosen) lines = (undone.add(chosen.key), whenUndoAsked(lines, chosen.key));
    };
    const perform = (): void => {
      const task = nextTask(lines, 'ana', 1 + Math.floor(random() * 5));
      if (task === undefined) return;
      if (task.does === 'find') lines = isSo(0.3) ? lines : whenFound(lines, task.line, { text: 'koi', id: 9 });
      else if (task.does === 'undo') {
        if (isSo(0.7)) shop.undo(task.id);
        else return;
        if (isSo(0.7)) lines = whenUndone(lines, task.line);
      } else {
        lines = whenSent(lines, task.lines);
        // The request got lost, or its answer.
        if (isSo(0.2)) return;
        const stored = shop.add(task.lines);
        if (isSo(0.2)) return;
        const refused = refusedAmong(task.lines, new RefusalError('unknown_pet', 'There is no pet 3.', 422, { petId: 3 }));
        lines = stored ? whenStored(lines, stored) : whenRefused(lines, refused ?? [], 'There is no pet 3.');
      }
    };
    for (let step = 0; step < 60; step += 1) [type, undo, perform, perform][Math.floor(random() * 4)]?.();
    for (let step = 0; step < 2000 && lines.some(isPending); step += 1) perform();
    const refused = new Set(lines.filter(({ state }) => state.is === 'refused').map(({ key }) => key));
    const isThere = (key: string): boolean => !undone.has(key) && !refused.has(key);
    expect([seed, shop.stored.filter(({ isUndone }) => !isUndone).map(({ key }) => key)]).toEqual([seed, kept.filter(isThere)]);
    expect(lines.some(isPending)).toBe(false);
  }
});
