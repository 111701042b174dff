import type { ScaleLinear } from 'd3-scale';
import type { JSX } from 'preact';
import { shortNumberText } from '../parts/text.js';

/** The room around the drawing, for the labels of its axes. */
export const margin = { top: 8, right: 4, bottom: 22, left: 48 } as const;

/** The values of the lines: round and whole numbers, because units are whole. */
const valuesOf = (scale: ScaleLinear<number, number>): readonly number[] => scale.ticks(4).filter((value) => Number.isInteger(value));

/** Horizontal lines with their values. */
export function ValueAxis({ scale, width }: { readonly scale: ScaleLinear<number, number>; readonly width: number }): JSX.Element {
  return (
    <g class="axis">
      {valuesOf(scale).map((value) => (
        <g key={value} transform={`translate(0,${scale(value)})`}>
          <line x1={margin.left} x2={width - margin.right} data-zero={value === 0} />
          <text x={margin.left - 6} dy="0.32em" text-anchor="end">
            {shortNumberText(value).replace('-', '−')}
          </text>
        </g>
      ))}
    </g>
  );
}

/** A label under the drawing. */
export interface AxisLabel {
  readonly x: number;
  readonly text: string;
}

/** The labels under the drawing; the first and the last stay inside it. */
export function LabelAxis({ labels, width, height }: { readonly labels: readonly AxisLabel[]; readonly width: number; readonly height: number }): JSX.Element {
  const anchorAt = (x: number): 'start' | 'middle' | 'end' => (x < margin.left + 20 ? 'start' : x > width - 28 ? 'end' : 'middle');
  return (
    <g class="axis">
      {labels.map(({ x, text }) => (
        <text key={x} x={x} y={height - 6} text-anchor={anchorAt(x)}>
          {text}
        </text>
      ))}
    </g>
  );
}
