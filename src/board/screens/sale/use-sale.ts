import { signal, useSignal, type ReadonlySignal, type Signal } from '@preact/signals';
import { useRef } from 'preact/hooks';
import { numberIn } from '../../parts/forms/field.js';
import { identifyPet, type Named } from '../../state/identify-pet.js';
import { call } from '../../state/server/call.js';
import type { AnswerOf, RowOf } from '../../state/server/contract.js';
import { RefusalError, unlessRefused } from '../../state/server/refusal.js';
import { timesIn } from '../../state/typed-pet.js';

/** A pet of a sale. */
export interface SaleLine {
  readonly petId: number;
  readonly name: string;
  readonly units: Signal<string>;
  /** Its stock, once it was read. */
  readonly stock: Signal<AnswerOf<'getInventoryItem'> | undefined>;
}

/** A scan that named no pet, and why. */
interface FailedScan {
  readonly key: number;
  readonly text: string;
  readonly reason: string;
}

/** What was scanned or typed for a sale. */
export interface Sale {
  /** The newest first. */
  readonly lines: ReadonlySignal<readonly SaleLine[]>;
  readonly failed: ReadonlySignal<readonly FailedScan[]>;
  /** Takes a scan or a typed text; where it names no pet, `offered` is meant. Answers with the id of its pet. */
  readonly take: (text: string, offered?: RowOf<'listInventory'>) => Promise<number | undefined>;
  /** Waits until every scan so far has its line or its reason. */
  readonly settle: () => Promise<unknown>;
  readonly remove: (line: SaleLine) => void;
  readonly dismiss: (scan: FailedScan) => void;
  /** Reads the stock of the lines again. */
  readonly refresh: () => void;
}

async function readStock(line: SaleLine): Promise<void> {
  line.stock.value = (await unlessRefused(call('getInventoryItem', { petId: line.petId }))) ?? line.stock.peek();
}

/** The lines of a sale. Scans are resolved in the order in which they arrived, and a failed one loses nothing of what follows. */
export function useSale(): Sale {
  const lines = useSignal<readonly SaleLine[]>([]);
  const failed = useSignal<readonly FailedScan[]>([]);
  const last = useRef<Promise<unknown>>(Promise.resolve());
  const count = useRef(0);
  const lastScan = useRef<{ readonly line: SaleLine; readonly before: number; readonly units: number } | undefined>(undefined);
  const add = ({ petId, name = `pet ${petId}`, units }: Named): void => {
    const known = lines.peek().find((line) => line.petId === petId);
    const line = known ?? { petId, name, units: signal('0'), stock: signal(undefined) };
    const before = numberIn(line.units.peek()) || 0;
    line.units.value = String(before + units);
    lastScan.current = { line, before, units };
    if (known === undefined) lines.value = [line, ...lines.peek()];
    void readStock(line);
  };
  /** Sets how often the last scan counts; returns whether there is one. */
  const repeat = (times: number): boolean => {
    const { current } = lastScan;
    if (current === undefined || !lines.peek().includes(current.line)) return false;
    current.line.units.value = String(current.before + times * current.units);
    return true;
  };
  const resolve = async (text: string, offered: RowOf<'listInventory'> | undefined): Promise<number | undefined> => {
    const fail = (reason: string): undefined => {
      // A number that follows a refused scan does not mean the line before it.
      lastScan.current = undefined;
      failed.value = [...failed.peek(), { key: (count.current += 1), text, reason }];
    };
    try {
      const named = await identifyPet(text);
      if (named.name === undefined) return fail(`There is no pet ${named.petId}.`);
      add(named);
      return named.petId;
    } catch (error) {
      if (!(error instanceof RefusalError)) throw error;
      const times = error.code === 'pet_not_found' ? timesIn(text) : undefined;
      if (times !== undefined) return repeat(times) ? undefined : fail('No scan was added before it.');
      if (error.code !== 'pet_not_found' || offered === undefined) return fail(error.message);
      add({ ...offered, units: 1 });
      return offered.petId;
    }
  };
  const take: Sale['take'] = (text, offered) => {
    const taken = last.current.then(() => resolve(text, offered));
    last.current = taken.catch(() => undefined);
    return taken;
  };
  return {
    lines,
    failed,
    take,
    settle: () => last.current,
    remove: (removed) => void (lines.value = lines.value.filter((line) => line !== removed)),
    dismiss: (scan) => void (failed.value = failed.value.filter((one) => one !== scan)),
    refresh: () => lines.peek().forEach((line) => void readStock(line)),
  };
}
