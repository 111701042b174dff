import type { JSX } from 'preact';
import { numberText } from '../../parts/text.js';

interface BarProps {
  readonly of: number;
  /** The largest figure of the rows. */
  readonly largest: number;
}

/** A figure above a bar as long as its part of the largest; the total of the rows has none. */
export function Bar({ of, largest }: BarProps): JSX.Element {
  return (
    <>
      {numberText(of)}
      {of <= largest && (
        <svg class="bar" width="100%" height="6" aria-hidden="true">
          <rect width={`${(Math.max(0, of) / Math.max(1, largest)) * 100}%`} height="6" />
        </svg>
      )}
    </>
  );
}
