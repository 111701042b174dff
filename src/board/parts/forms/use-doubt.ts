import { useSignal } from '@preact/signals';
import { implausibleText, isPlausible } from '../../../domain/inventory/plausible-units.js';

/** What a form does about numbers of units that are more likely codes that were scanned. */
export interface Doubt {
  /** What is said of the numbers that were entered last; empty where nothing is. */
  readonly text: string;
  /** Whether these numbers are doubted and entered for the first time: entered once more they are taken. The shop refuses what is no number. */
  readonly isRaised: (numbers: readonly number[]) => boolean;
}

/** The doubt about the numbers of a form. */
export function useDoubt(): Doubt {
  const doubted = useSignal('');
  const isRaised = (numbers: readonly number[]): boolean => {
    const doubtful = numbers.filter((units) => !Number.isNaN(units) && !isPlausible(units));
    const text = doubtful.map(implausibleText).join(' ');
    doubted.value = text === doubted.peek() ? '' : text;
    return doubted.peek() !== '';
  };
  return { text: doubted.value === '' ? '' : `${doubted.value} Enter takes it as units.`, isRaised };
}
