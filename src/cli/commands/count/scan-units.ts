import { StoreError } from '../../../domain/errors.js';
import type { IdentifiedPet } from '../../../domain/pets/identify-pet.js';
import { maximumQuantity } from '../../../domain/values/numbers.js';
import { shortened } from '../../../domain/values/text.js';
import type { ReadContext } from '../../arguments.js';
import { burstMs, type LineInput } from '../../prompts/line-input.js';
import { readScanLine, scanNumbers, scanRefusal } from '../../scan-line.js';

/** What scanning units finds, records and writes. */
interface UnitActions extends Pick<ReadContext, 'call'> {
  readonly find: (text: string) => Promise<IdentifiedPet>;
  /** Adds units to what was counted of a pet; answers the key of the line. */
  readonly record: (petId: number, units: number) => string;
  /** Undoes the lines of these keys. */
  readonly takeBack: (keys: readonly string[]) => Promise<void>;
  readonly say: (line: string) => Promise<void>;
  /** Whether no further line can be recorded. */
  readonly isOver: () => boolean;
}

/** The scan that a number, or "-", is about: its pet, how often it counts, and the keys of its lines. */
interface LastScan {
  readonly pet: IdentifiedPet;
  readonly times: number;
  readonly keys: readonly string[];
}

/** Above this a number is more likely a code that was scanned into it. */
const largestUsualNumber = 999;

/** Takes trimmed lines: a scan adds a unit, times the units of its code; a number such as "x12" sets how often the last scan counts. */
function unitCounter(actions: UnitActions): (text: string) => Promise<void> {
  const numberOf = scanNumbers({
    largestUsual: largestUsualNumber,
    asks: true,
    tooSmall: 'Count at least 1; "-" takes the last scan back.',
    instead: '',
  });
  let last: LastScan | undefined;
  /** Adds what is missing to a number of scans; a scan that counts more already is taken back first. */
  const setTimes = async (scan: LastScan, times: number): Promise<LastScan> => {
    const { pet } = scan;
    if (times * pet.units > maximumQuantity) throw scanRefusal(`${times} × ${pet.units} units are above ${maximumQuantity}.`);
    const isLess = times < scan.times;
    if (isLess) await actions.takeBack(scan.keys);
    const missing = isLess ? times : times - scan.times;
    const kept = isLess ? [] : scan.keys;
    return { pet, times, keys: missing === 0 ? kept : [...kept, actions.record(pet.petId, missing * pet.units)] };
  };
  return async (text) => {
    const line = await readScanLine(text, actions);
    if (line.kind === 'scan') {
      // A number that follows a refused scan does not mean the scan before it.
      last = undefined;
      const pet = await actions.find(line.pet);
      // Also without a number: one that was doubted for another scan is not confirmed by this one.
      last = await setTimes({ pet, times: 0, keys: [] }, numberOf(line.digits ?? '1', text));
      return;
    }
    if (last === undefined) throw scanRefusal(`"${text}" is about the last scan; none was recorded, or it was taken back.`);
    if (line.kind === 'number') {
      last = await setTimes(last, numberOf(line.digits, text));
      return;
    }
    const { keys } = last;
    last = undefined;
    await actions.takeBack(keys);
  };
}

/** Takes scans until an empty line, Ctrl-D (`end`) or Ctrl-C (`interrupt`). */
export async function scanUnits(input: Pick<LineInput, 'next' | 'take' | 'isTypedWithin'>, actions: UnitActions): Promise<'end' | 'interrupt'> {
  const count = unitCounter(actions);
  while (!actions.isOver()) {
    const line = input.take() ?? (await input.next('Scan: '));
    if (typeof line === 'string') return line;
    const text = line.text.trim();
    if (text === '') {
      if (await input.isTypedWithin(burstMs)) continue;
      return 'end';
    }
    try {
      await count(text);
    } catch (error) {
      if (!(error instanceof StoreError)) throw error;
      await actions.say(`${error.message}${error.code === 'validation_failed' ? '' : ` Nothing was counted of "${shortened(text)}".`}`);
    }
  }
  return 'end';
}
