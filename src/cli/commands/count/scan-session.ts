import { randomUUID } from 'node:crypto';
import type { AddedLine } from '../../../domain/counts/count-line.js';
import { hidesExpected, type Count } from '../../../domain/counts/count.js';
import { getCount } from '../../../domain/counts/get-count.js';
import { undoCountLine } from '../../../domain/counts/undo-count-line.js';
import { listCountPets } from '../../../domain/counts/list-count-pets.js';
import type { Call } from '../../../domain/call.js';
import { StoreError } from '../../../domain/errors.js';
import { getPetDetails } from '../../../domain/pets/get-pet-details.js';
import { pluralize } from '../../../domain/values/text.js';
import type { Context } from '../../command.js';
import { commandForShop } from '../../command-text.js';
import { exitCodes, isUnavailable } from '../../exit-codes.js';
import { isColoured, paintFor, type Paint } from '../../output/colours.js';
import { sanitiseCell } from '../../output/sanitise.js';
import { wrapText } from '../../output/wrapped-text.js';
import { bell, openLineInput, type LineInput } from '../../prompts/line-input.js';
import { readPet, scannedPet } from '../../shared-arguments.js';
import { lineSender, type LineSender, type ScannedLine } from './line-sender.js';
import { numberText, stockChangeText } from './line-number.js';
import { progressText } from './open-count.js';
import { scanLines, type ScannedPet } from './scan-lines.js';
import { scanUnits } from './scan-units.js';

const retryMs = 1000;

/** How long the answer to the last lines is waited for after Ctrl-C. */
const lastAnswerMs = 2000;

function interrupted({ interrupted: signal }: LineInput): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    signal.addEventListener('abort', () => resolve(), { once: true });
  });
}

/** A count that is scanned, and where its lines are written. */
interface Scanning {
  readonly call: Call;
  readonly count: Count;
  readonly also: boolean;
  readonly paint: Paint;
  readonly say: (line: string) => Promise<void>;
  readonly now: () => number;
  /** The ids of recorded lines by their keys. */
  readonly lineIds: Map<string, number>;
}

/** A line that was recorded: what its pet has now, and what is expected. */
function recordedText({ name, number, adds, countedSoFar = number, onHand }: AddedLine, count: Count, paint: Paint): string {
  const isExpectedShown = !hidesExpected(count);
  const soFar = adds ? `, ${countedSoFar} so far` : '';
  const expected = isExpectedShown ? ` (${onHand} expected)` : '';
  const mark = isExpectedShown && countedSoFar !== onHand ? paint.yellow('✓') : paint.green('✓');
  return `${mark} ${sanitiseCell(name)}: ${numberText({ number, adds })}${soFar}${expected}`;
}

/** Shows a pet whose number is asked for; answers its name. Refuses with `not_in_count` a pet that is not in the count. */
async function showPet({ call, count, also, say }: Scanning, petId: number): Promise<string> {
  const { items } = await call(listCountPets, { countId: count.id, petId, limit: 1 });
  const [found] = items;
  if (found === undefined) {
    const { name, inventory } = await call(getPetDetails, { petId });
    if (!also) throw new StoreError('not_in_count', `${name} (pet ${petId}) is not in count ${count.id}; add such pets with --also.`);
    await say(`${sanitiseCell(name)}: new in this count${hidesExpected(count) ? '' : `, ${inventory.quantity} expected`}`);
    return name;
  }
  const { name, counted, onHand } = found;
  const soFar = counted === undefined ? 'not counted yet' : `${counted} counted so far`;
  await say(`${sanitiseCell(name)}: ${soFar}${hidesExpected(count) || onHand === undefined ? '' : `, ${onHand} expected`}`);
  return name;
}

/** Finds a pet by its id, code or name. */
async function findPet(scanning: Scanning, text: string, isAsked: boolean, sender: LineSender): Promise<ScannedPet | StoreError> {
  try {
    const petId = await readPet(text, scanning);
    return { petId, name: isAsked && !sender.isWaiting() ? await showPet(scanning, petId) : `Pet ${petId}` };
  } catch (error) {
    if (error instanceof StoreError) return error;
    throw error;
  }
}

function ignoreUnavailable(error: unknown): undefined {
  if (!(error instanceof StoreError) || !isUnavailable(error)) throw error;
}

/** A sender whose lines, refusals and waits are shown. */
function senderOf({ call, count, also, say, paint, lineIds }: Scanning, input: LineInput): LineSender {
  const target = { call, countId: count.id, also, givenUp: input.interrupted, pause: () => input.pause(retryMs) };
  let wasUnavailable = false;
  return lineSender(target, {
    onRecorded: async (lines) => {
      if (wasUnavailable) await say('The shop answers again.');
      wasUnavailable = false;
      for (const line of lines) {
        if (line.key !== undefined) lineIds.set(line.key, line.id);
        await say(recordedText(line, count, paint));
        const change = stockChangeText(line);
        if (change !== undefined) await say(sanitiseCell(change));
      }
    },
    onRefused: (line, { message }) => say(`${paint.red('✗')} ${sanitiseCell(message)} Its number ${numberText(line)} was not recorded.${bell}`),
    onFailure: input.stop,
    onWaiting: async ({ message }, lines) => {
      wasUnavailable = true;
      await say(`${paint.yellow(sanitiseCell(message))} ${pluralize(lines, 'line')} will be sent when the shop answers; go on.`);
    },
  });
}

/** Says how many lines are recorded, and which are not. */
async function sayResult({ call, count, say }: Scanning, context: Context, sender: LineSender): Promise<void> {
  const unsent = sender.unsent();
  const recorded = `${pluralize(sender.recorded(), 'line')} recorded in count ${count.id}`;
  if (unsent.length > 0) {
    await say(`${recorded}, ${unsent.length} not sent:`);
    return say(unsent.map((line: ScannedLine) => `${line.petId}\t${numberText(line)}`).join('\n'));
  }
  const now = await call(getCount, { countId: count.id }).catch(ignoreUnavailable);
  await say(`${recorded}${now === undefined ? '.' : `: ${progressText(now)}.`}`);
  if (now?.state === 'open' && now.counted === now.pets) await say(`Next: ${commandForShop(['count', 'close', String(count.id)], context)}`);
}

/** A call that is repeated while the shop does not answer, until Ctrl-C. */
function patientCall({ call, say, paint }: Scanning, input: LineInput): Call {
  return async (operation, request, options) => {
    for (let tries = 1; ; tries += 1) {
      try {
        return await call(operation, request, options);
      } catch (error) {
        ignoreUnavailable(error);
        if (input.interrupted.aborted) throw error;
        if (tries === 1) await say(`${paint.yellow(sanitiseCell((error as StoreError).message))} What is scanned waits until the shop answers; go on.`);
        await input.pause(retryMs);
      }
    }
  };
}

/** Asks for scans, each of which adds units. */
function scanAllUnits(scanning: Scanning, input: LineInput, sender: LineSender, nextKey: () => string): Promise<'end' | 'interrupt'> {
  const { count, say, paint, lineIds } = scanning;
  const call = patientCall(scanning, input);
  return scanUnits(input, {
    call,
    find: async (text) => {
      const pet = await scannedPet(text, { call });
      if (pet.name === undefined) throw new StoreError('pet_not_found', `There is no pet ${text}.`);
      return pet;
    },
    record: (petId, number) => {
      const key = nextKey();
      sender.add({ petId, number, adds: true, key });
      return key;
    },
    takeBack: async (keys) => {
      await Promise.race([sender.sent(), interrupted(input)]);
      const ids = keys.flatMap((key) => lineIds.get(key) ?? []);
      if (ids.length === 0) await say('Nothing of the last scan was recorded.');
      for (const lineId of ids) {
        const { name, countedSoFar = 0, ...line } = await call(undoCountLine, { countId: count.id, lineId });
        await say(`${paint.green('✓')} ${sanitiseCell(name)}: ${numberText(line)} taken back, ${countedSoFar} so far`);
      }
    },
    say: (line) => say(`${paint.red('✗')} ${sanitiseCell(line)}${bell}`),
    isOver: () => sender.failure() !== undefined,
  });
}

/** Asks for pets and numbers in turn. */
function scanPairs(scanning: Scanning, input: LineInput, sender: LineSender, nextKey: () => string): Promise<'end' | 'interrupt'> {
  const patient = { ...scanning, call: patientCall(scanning, input) };
  return scanLines(input, {
    find: (text, isAsked) => findPet(patient, text, isAsked, sender),
    record: ({ petId }, counted) => sender.add({ petId, ...counted, key: nextKey() }),
    say: (line) => scanning.say(`${sanitiseCell(line)}${bell}`),
    isOver: () => sender.failure() !== undefined,
    now: scanning.now,
  });
}

/** How a count is scanned. */
interface ScanOptions {
  /** Whether pets that are not in the count are added to it. */
  readonly also: boolean;
  /** Whether each pet is followed by its number. */
  readonly pairs: boolean;
}

/** Asks at a terminal for scans, or for pets and numbers, and records them in a count; answers the exit code. */
export async function scanCount(context: Context, count: Count, { also, pairs }: ScanOptions): Promise<number> {
  const { io, settings } = context;
  const { call } = await context.shop();
  const paint = await paintFor(isColoured(io.stderr, settings.colour, io.environment));
  const input = openLineInput(io);
  const say = (line: string): Promise<void> => input.print(`${wrapText(line, io.stderr.columns)}\n`);
  const scanning: Scanning = { call, count, also, paint, say, now: io.now, lineIds: new Map() };
  try {
    const usage = pairs
      ? 'Scan or type a pet, then how many; +2 adds two.'
      : 'Each scan, or pet that you type, adds one. x12 makes the last scan 12, - takes it back.';
    await say(`Count ${count.id}: ${progressText(count)}. ${usage} An empty line ends.`);
    const sender = senderOf(scanning, input);
    const session = randomUUID();
    let lines = 0;
    const nextKey = (): string => `${session}:${(lines += 1)}`;
    const how = pairs ? await scanPairs(scanning, input, sender, nextKey) : await scanAllUnits(scanning, input, sender, nextKey);
    await (how === 'end' ? Promise.race([sender.sent(), interrupted(input)]) : Promise.race([sender.sent(), input.pause(lastAnswerMs)]));
    await sayResult(scanning, context, sender);
    const failure = sender.failure();
    if (failure !== undefined) throw failure;
    return input.interrupted.aborted ? exitCodes.cancelled : 0;
  } finally {
    input.close();
  }
}
