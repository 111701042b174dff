import { useSignal } from '@preact/signals';
import { codeDoubt } from '../../../domain/codes/gtin.js';
import { implausibleText, isPlausible } from '../../../domain/inventory/plausible-units.js';

/** What a form does about numbers of units that are more likely codes that were scanned, and about codes that were mistyped. */
export interface Doubt {
  /** What is said of what was entered last; empty where nothing is. */
  readonly text: string;
  /** Whether these numbers or codes are doubted and entered for the first time: entered once more they are taken. The shop refuses what is no number. */
  readonly isRaised: (numbers: readonly number[], codes?: readonly string[]) => boolean;
}

/** The doubt about the numbers and codes of a form. */
export function useDoubt(): Doubt {
  const doubted = useSignal('');
  const isRaised: Doubt['isRaised'] = (numbers, codes = []) => {
    const doubtful = numbers.filter((units) => !Number.isNaN(units) && !isPlausible(units));
    const text = [
      ...doubtful.map((units) => `${implausibleText(units)} Enter takes it as units.`),
      ...codes.flatMap((code) => codeDoubt(code, false) ?? []).map((sentence) => `${sentence} Enter adds it.`),
    ].join(' ');
    doubted.value = text === doubted.peek() ? '' : text;
    return doubted.peek() !== '';
  };
  return { text: doubted.value, isRaised };
}
