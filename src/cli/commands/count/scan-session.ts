import { randomUUID } from 'node:crypto';
import type { AddedLine } from '../../../domain/counts/count-line.js';
import { hidesExpected, type Count } from '../../../domain/counts/count.js';
import { getCount } from '../../../domain/counts/get-count.js';
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
import { readPet } from '../../shared-arguments.js';
import { lineSender, type LineSender, type ScannedLine } from './line-sender.js';
import { numberText, stockChangeText } from './line-number.js';
import { progressText } from './open-count.js';
import { scanLines, type ScannedPet } from './scan-lines.js';

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

/** Finds a pet by its id or name. While the server does not answer, an id is taken as it is: it is checked when the line is sent. */
async function findPet(scanning: Scanning, text: string, isAsked: boolean, sender: LineSender): Promise<ScannedPet | StoreError> {
  try {
    const petId = await readPet(text, scanning);
    const shown = isAsked && !sender.isWaiting() ? await showPet(scanning, petId).catch((error: unknown) => sayUnavailable(scanning, petId, error)) : undefined;
    return { petId, name: shown ?? `Pet ${petId}` };
  } catch (error) {
    if (error instanceof StoreError) return error;
    throw error;
  }
}

function ignoreUnavailable(error: unknown): undefined {
  if (!(error instanceof StoreError) || !isUnavailable(error)) throw error;
}

/** Says that a pet could not be shown because the server does not answer. */
async function sayUnavailable({ say, paint }: Scanning, petId: number, error: unknown): Promise<undefined> {
  if (!(error instanceof StoreError) || !isUnavailable(error)) throw error;
  await say(`${paint.yellow(sanitiseCell(error.message))} Pet ${petId} is checked when the shop answers; go on.`);
}

/** A sender whose lines, refusals and waits are shown. */
function senderOf({ call, count, also, say, paint }: Scanning, input: LineInput): LineSender {
  const target = { call, countId: count.id, also, givenUp: input.interrupted, pause: () => input.pause(retryMs) };
  let wasUnavailable = false;
  return lineSender(target, {
    onRecorded: async (lines) => {
      if (wasUnavailable) await say('The shop answers again.');
      wasUnavailable = false;
      for (const line of lines) {
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

/** Asks at a terminal for pets and numbers, and records them in a count; answers the exit code. */
export async function scanCount(context: Context, count: Count, also: boolean): Promise<number> {
  const { io, settings } = context;
  const { call } = await context.shop();
  const paint = await paintFor(isColoured(io.stderr, settings.colour, io.environment));
  const input = openLineInput(io);
  const say = (line: string): Promise<void> => input.print(`${wrapText(line, io.stderr.columns)}\n`);
  const scanning: Scanning = { call, count, also, paint, say, now: io.now };
  try {
    await say(`Count ${count.id}: ${progressText(count)}. Scan or type a pet, then how many; +2 adds two. An empty line ends.`);
    const sender = senderOf(scanning, input);
    const session = randomUUID();
    let lines = 0;
    const how = await scanLines(input, {
      find: (text, isAsked) => findPet(scanning, text, isAsked, sender),
      record: ({ petId }, counted) => sender.add({ petId, ...counted, key: `${session}:${(lines += 1)}` }),
      say: (line) => say(`${sanitiseCell(line)}${bell}`),
      isOver: () => sender.failure() !== undefined,
      now: io.now,
    });
    await (how === 'end' ? Promise.race([sender.sent(), interrupted(input)]) : Promise.race([sender.sent(), input.pause(lastAnswerMs)]));
    await sayResult(scanning, context, sender);
    const failure = sender.failure();
    if (failure !== undefined) throw failure;
    return input.interrupted.aborted ? exitCodes.cancelled : 0;
  } finally {
    input.close();
  }
}
