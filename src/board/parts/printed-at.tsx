import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { useEffect } from 'preact/hooks';
import { now, timeZone } from '../state/clock.js';
import { dayOf, dayAndYearText, clockText } from './time.js';

function printedText(): string {
  const instant = now();
  return `Printed ${dayAndYearText(dayOf(instant))}, ${clockText(instant)} (${timeZone})`;
}

/** When the page was printed: paper does not follow the shop. */
export function PrintedAt(): JSX.Element {
  const text = useSignal('');
  useEffect(() => {
    const write = (): void => void (text.value = printedText());
    addEventListener('beforeprint', write);
    return () => removeEventListener('beforeprint', write);
  }, []);
  return <p class="printed-at">{text}</p>;
}
