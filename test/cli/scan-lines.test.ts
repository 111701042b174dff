import { expect, test } from 'vitest';
import { numberText } from '../../src/cli/commands/count/line-number.js';
import { scanLines } from '../../src/cli/commands/count/scan-lines.js';
import type { TypedLine } from '../../src/cli/prompts/line-input.js';
import { StoreError } from '../../src/domain/errors.js';

/** A line and how many ms after the one before it arrives; 0: it has arrived already when the one before is taken. */
type Arriving = readonly [text: string, afterMs: number];

/** Scans lines in a shop with the pets 1 to 9; answers what was recorded, what was said, and how it ended. */
async function scan(lines: readonly Arriving[]) {
  let now = 0;
  const coming = lines.map(([text, afterMs]) => ({ text, afterMs }));
  const recorded: string[] = [];
  const said: string[] = [];
  const backlog: TypedLine[] = [];
  const arrived = (): TypedLine | undefined => {
    const back = backlog.shift();
    if (back !== undefined) return back;
    if (coming[0]?.afterMs !== 0) return undefined;
    return { text: coming.shift()?.text ?? '', at: now };
  };
  const input = {
    take: arrived,
    next: async () => {
      const line = coming.shift();
      if (line === undefined) return 'end' as const;
      now += line.afterMs;
      return { text: line.text, at: now };
    },
    putBack: (line: TypedLine) => void backlog.unshift(line),
    isTypedWithin: async (ms: number) => backlog.length > 0 || (coming[0]?.afterMs ?? Infinity) <= ms,
  };
  const how = await scanLines(input, {
    find: async (text) => (/^[1-9]$/.test(text) ? { petId: Number(text), name: `Pet ${text}` } : new StoreError('pet_not_found', `No ${text}.`)),
    record: ({ petId }, counted) => void recorded.push(`${petId}=${numberText(counted)}`),
    say: async (line) => void said.push(line),
    isOver: () => false,
    now: () => now,
  });
  return { recorded, said, how, rest: coming.map(({ text }) => text) };
}

const burst = (...texts: readonly string[]): readonly Arriving[] => texts.map((text, index) => [text, index === 0 ? 50 : 0]);
/** As a person types who reads every answer. */
const typed = (...texts: readonly string[]): readonly Arriving[] => texts.map((text) => [text, 3000]);
/** Lines of a scanner, 25 ms apart. */
const scanned = (...texts: readonly string[]): readonly Arriving[] => texts.map((text) => [text, 25]);

test('pets and numbers are taken in turn, however fast they come', async () => {
  for (const speed of [burst, typed, scanned]) {
    expect(await scan(speed('1', '10', '2', '+3', '3', '0'))).toMatchObject({ recorded: ['1=10', '2=+3', '3=0'], said: [] });
  }
});

test('the number of a refused pet is left out when it comes with it, and not taken for a pet', async () => {
  for (const speed of [burst, scanned]) {
    expect(await scan(speed('1', '10', 'x', '5', '2', '7'))).toMatchObject({
      recorded: ['1=10', '2=7'],
      said: ['No x.', 'Its number 5 was not recorded.'],
    });
    expect((await scan(speed('1', '10', 'x', 'y', '2', '7'))).said).toEqual(['No x.', 'The line after it, "y", was left out.']);
  }
});

test('a person who reads the refusal of a pet types the right one', async () => {
  expect(await scan(typed('x', '5', '2'))).toMatchObject({ recorded: ['5=2'], said: ['No x.'] });
});

test('a corrected name is taken also within a second after an unknown pet; a number then belongs to the unknown one', async () => {
  const soon = await scan([...typed('x'), ['y', 700], ...typed('3', '4')]);
  expect(soon).toMatchObject({ recorded: ['3=4'], said: ['No x.', 'No y.'] });
  expect(await scan([...typed('x'), ['5', 700], ...typed('3', '4')])).toMatchObject({ recorded: ['3=4'], said: ['No x.', 'Its number 5 was not recorded.'] });
});

test('a wrong number leaves its pet out when the next pet follows at once, and is asked for again otherwise', async () => {
  for (const speed of [burst, scanned]) {
    expect(await scan(speed('1', 'x', '2', '7'))).toMatchObject({ recorded: ['2=7'], said: [expect.stringContaining('"x"'), 'Pet 1 was not counted.'] });
  }
  expect(await scan(typed('1', 'x', '2'))).toMatchObject({ recorded: ['1=2'], said: [expect.stringContaining('"x"')] });
  expect(await scan(typed('1', '5901234123457', '8'))).toMatchObject({ recorded: ['1=8'], said: ['"5901234123457" is above 2147483647.'] });
});

test('a number that is more likely a scanned code is recorded only when it is typed again', async () => {
  const said = ['"40170725" is above 9,999; type it again to record it.'];
  expect(await scan(typed('1', '40170725', '40170725', '2', '3'))).toMatchObject({ recorded: ['1=40170725', '2=3'], said });
  expect(await scan(typed('1', '+10000', '+10000'))).toMatchObject({ recorded: ['1=+10000'] });
  expect(await scan(typed('1', '40170725', '8'))).toMatchObject({ recorded: ['1=8'], said });
  expect(await scan(typed('1', '9999'))).toMatchObject({ recorded: ['1=9999'], said: [] });
  expect(await scan(typed('1', '40170725', '40170726', '40170725', '40170725'))).toMatchObject({ recorded: ['1=40170725'] });
  for (const speed of [burst, scanned])
    expect(await scan(speed('1', '40170725', '2', '7'))).toMatchObject({ recorded: ['2=7'], said: [...said, 'Pet 1 was not counted.'] });
});

test('a tab in a line separates the pet from its number', async () => {
  for (const speed of [burst, typed]) {
    expect(await scan(speed('1\t10', 'x\t5', '2 \t +3', '3', '4'))).toMatchObject({ recorded: ['1=10', '2=+3', '3=4'], said: ['No x.'] });
  }
});

test('a wrong number beside its pet is asked for again, and ends no scan', async () => {
  const said = ['"99999999999" is above 2147483647.'];
  for (const speed of [burst, scanned])
    expect(await scan(speed('1\t99999999999', '2\t5'))).toMatchObject({ recorded: ['2=5'], said: [...said, 'Pet 1 was not counted.'] });
  expect(await scan(typed('1\t99999999999', '4', '2\t5'))).toMatchObject({ recorded: ['1=4', '2=5'], said });
  expect(await scan(typed('1\t40170725', '40170725'))).toMatchObject({ recorded: ['1=40170725'] });
});

test('an empty line ends, unless more follows at once', async () => {
  expect(await scan(typed('1', '2', '', '3', '4'))).toMatchObject({ recorded: ['1=2'], how: 'end', rest: ['3', '4'] });
  expect(await scan(burst('1', '', '2', '', '', '3', '4'))).toMatchObject({ recorded: ['1=2', '3=4'] });
  expect(await scan([...typed('1', ''), ...typed('3', '4')])).toMatchObject({ recorded: ['3=4'], said: ['Pet 1 was not counted.'] });
});
