import type { ComponentChildren, JSX } from 'preact';
import { numberText } from '../parts/text.js';

/** A value from a time on. */
export interface Step {
  readonly at: number;
  readonly value: number;
}

interface StepChartProps {
  readonly caption: string;
  /** In the order of their times. */
  readonly steps: readonly Step[];
  /** The end of the last step. */
  readonly until: number;
  /** What is written below the first step and the end. */
  readonly ends: readonly [first: string, last: string];
  /** The figures in a table; undefined where the screen shows them in one anyway. */
  readonly children?: ComponentChildren;
}

const size = 100;

/** A value over time that changes in steps, drawn as wide as its frame. */
export function StepChart({ caption, steps, until, ends, children }: StepChartProps): JSX.Element {
  const start = steps[0]?.at ?? until;
  const highest = Math.max(1, ...steps.map(({ value }) => value));
  const x = (at: number): number => ((at - start) / Math.max(1, until - start)) * size;
  const line = steps.map(({ at, value }, index) => `${index === 0 ? 'M0,' : `H${x(at)}V`}${size * (1 - value / highest)}`).join('');
  return (
    <figure class="chart">
      <figcaption>{caption}</figcaption>
      <div class="steps">
        <div class="scale">
          <span>{numberText(highest)}</span>
          <span>0</span>
        </div>
        <svg viewBox={`0 0 ${size} ${size}`} preserveAspectRatio="none" role="img" aria-label={caption}>
          <path class="step-area" d={`${line}H${size}V${size}H0Z`} />
          <path class="step-line" d={`${line}H${size}`} />
        </svg>
        <div class="ends">
          <span>{ends[0]}</span>
          <span>{ends[1]}</span>
        </div>
      </div>
      {children !== undefined && (
        <details>
          <summary>Figures as a table</summary>
          {children}
        </details>
      )}
    </figure>
  );
}
