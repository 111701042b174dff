import { randomUUID } from 'node:crypto';
import type { Call } from '../../../domain/call.js';
import type { AddedLine } from '../../../domain/counts/count-line.js';
import { hidesExpected, type Count } from '../../../domain/counts/count.js';
import { getCount } from '../../../domain/counts/get-count.js';
import { undoCountLine } from '../../../domain/counts/undo-count-line.js';
import { isPassing, StoreError } from '../../../domain/errors.js';
import type { IdentifiedPet } from '../../../domain/pets/identify-pet.js';
import { pluralize, shortened } from '../../../domain/values/text.js';
import type { Context } from '../../command.js';
import { commandForShop } from '../../command-text.js';
import { exitCodes } from '../../exit-codes.js';
import { scannedPet } from '../../shared-arguments.js';
import { scanAtTerminal, scannerOf, scanRefusal, type ScanActions, type Scanner, type ScanTerminal } from '../counter/scans.js';
import { numberText, stockChangeText, sendLines } from './count-lines.js';
import { progressText } from './open-count.js';

const retryMs = 1000;

/** A scan of a pet: how often it counts, and the ids of the lines that record it. */
interface CountedScan {
  readonly pet: IdentifiedPet;
  readonly number: number;
  readonly lineIds: readonly number[];
}

/** A call that is repeated while the shop does not answer, until Ctrl-C. What is typed meanwhile waits. */
function patientCall(call: Call, { input, say }: ScanTerminal): Call {
  return async (operation, request, options) => {
    for (let tries = 1; ; tries += 1) {
      try {
        return await call(operation, request, options);
      } catch (error) {
        if (!isPassing(error) || input.interrupted.aborted) throw error;
        if (tries === 1) await say(`${error.message} What is scanned waits until the shop answers; go on.`);
        await input.pause(retryMs);
      }
    }
  };
}

/** A line that was recorded: what its pet has now, and what is expected. */
function recordedText({ name, number, adds, countedSoFar = number, onHand }: AddedLine, count: Count): string {
  return `${name}: ${numberText({ number, adds })}, ${countedSoFar} so far${hidesExpected(count) ? '' : ` (${onHand} expected)`}`;
}

/** What scans do to a count; `onRecorded` is called for each line. */
function countActions(call: Call, count: Count, also: boolean, { say }: ScanTerminal, onRecorded: () => void): ScanActions<CountedScan> {
  const record = async ({ petId, units }: IdentifiedPet, scans: number): Promise<readonly number[]> => {
    const line = { petId, number: scans * units, adds: true, key: randomUUID() };
    const recorded = await sendLines({ call, countId: count.id, also }, [line]);
    for (const one of recorded) {
      onRecorded();
      const differs = !hidesExpected(count) && one.countedSoFar !== one.onHand;
      await say(recordedText(one, count), differs ? 'differs' : 'done');
      const change = stockChangeText(one);
      if (change !== undefined) await say(change);
    }
    return recorded.map(({ id }) => id);
  };
  const takeBack = async ({ lineIds }: CountedScan): Promise<void> => {
    for (const lineId of lineIds) {
      const { name, countedSoFar = 0, ...line } = await call(undoCountLine, { countId: count.id, lineId });
      await say(`${name}: ${numberText(line)} taken back, ${countedSoFar} so far`, 'done');
    }
  };
  return {
    add: async (pet, number) => ({ pet, number, lineIds: await record(pet, number) }),
    change: async (last, number) => {
      const { pet } = last;
      if (number >= last.number) return { pet, number, lineIds: [...last.lineIds, ...(number > last.number ? await record(pet, number - last.number) : [])] };
      await takeBack(last);
      return { pet, number, lineIds: await record(pet, number) };
    },
    takeBack,
  };
}

/** Takes a pet from one line and its number from the next; after a refused number another one is taken for the same pet. */
function pairsOf(call: Call, { say }: ScanTerminal, { take, takeNumber }: Scanner<CountedScan>) {
  let waiting: { readonly text: string; readonly pet: IdentifiedPet; readonly name: string } | undefined;
  return {
    take: async (text: string): Promise<void> => {
      if (waiting === undefined) {
        if (text === '-') return take(text);
        const pet = await scannedPet(text, { call });
        const { petId, name = `pet ${petId}` } = pet;
        waiting = { text, pet, name };
        return say(`${name}: how many?`);
      }
      const { pet, name } = waiting;
      if (text !== '-' && !/^[0-9]+$/.test(text)) throw scanRefusal(`"${shortened(text)}" is no number; type how many of ${name}, or - to leave it out.`);
      await (text === '-' ? say(`${name} is left out.`) : takeNumber(pet, text));
      waiting = undefined;
    },
    /** A pet whose number is missing. */
    rest: (): readonly string[] => (waiting === undefined ? [] : [waiting.text]),
  };
}

const howToScan = 'Each scan, or pet that you type, adds one. x12 makes the last scan 12, - takes it back. An empty line ends.';
const howToScanPairs = 'Scan or type a pet, then how many. - takes the last one back. An empty line ends.';

/** Asks at a terminal for scans and records them in a count, with `inPairs` a pet and then its number; answers the exit code. */
export async function scanCount(context: Context, count: Count, also: boolean, inPairs: boolean): Promise<number> {
  const { call: once } = await context.shop();
  return scanAtTerminal(context, async (terminal) => {
    const { input, say, takeLines } = terminal;
    const call = patientCall(once, terminal);
    let recorded = 0;
    const scanner = scannerOf(
      call,
      countActions(call, count, also, terminal, () => (recorded += 1)),
    );
    const { take, rest } = inPairs ? pairsOf(call, terminal, scanner) : { take: scanner.take, rest: () => [] };
    await say(`Count ${count.id}: ${progressText(count)}. ${inPairs ? howToScanPairs : howToScan}`);
    let refused: { readonly text: string; readonly error: StoreError } | undefined;
    const takeOne = (text: string): Promise<void> =>
      take(text).catch((error: unknown) => {
        const isOver = error instanceof StoreError && (error.code === 'count_not_open' || input.interrupted.aborted);
        if (isOver) refused = { text, error };
        throw error;
      });
    const how = await takeLines('Scan: ', takeOne, () => refused !== undefined).catch((error: unknown) => {
      if (refused === undefined) throw error;
    });
    const unsent = [...rest(), ...(refused === undefined ? [] : [refused.text]), ...input.rest()];
    const result = `${pluralize(recorded, 'line')} recorded in count ${count.id}`;
    if (unsent.length > 0) await say(`${result}, ${unsent.length} not recorded:\n${unsent.join('\n')}`);
    else {
      const now = await once(getCount, { countId: count.id }).catch((error: unknown) => {
        if (!isPassing(error)) throw error;
      });
      await say(`${result}${now === undefined ? '.' : `: ${progressText(now)}.`}`);
      if (now?.state === 'open' && now.counted === now.pets) await say(`Next: ${commandForShop(['count', 'close', String(count.id)], context)}`);
    }
    if (refused !== undefined && !input.interrupted.aborted) throw refused.error;
    return how === 'interrupt' || input.interrupted.aborted ? exitCodes.cancelled : 0;
  });
}
