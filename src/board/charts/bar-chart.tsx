import { scaleLinear } from 'd3-scale';
import type { JSX } from 'preact';
import { inertText, numberText } from '../parts/text.js';
import { ChartFigure } from './chart-figure.js';

/** One bar: a part for each series, and the figure at its end. */
export interface Bar {
  readonly key: string | number;
  readonly label: string;
  readonly parts: readonly number[];
  readonly total: number;
}

interface BarChartProps {
  readonly caption: string;
  readonly series: readonly string[];
  readonly bars: readonly Bar[];
  /** How a figure is written; by default as a number. */
  readonly format?: (value: number) => string;
}

const rowHeight = 40;
const barTop = 22;
const barHeight = 10;
const digitWidth = 9;
const labelGap = 8;

interface BarRowProps {
  readonly bar: Bar;
  readonly y: number;
  readonly width: number;
  readonly scale: (value: number) => number;
  readonly format: (value: number) => string;
}

/** Where each part starts: at the end of those before. */
function startsOf(parts: readonly number[]): readonly number[] {
  return parts.map((_, index) => parts.slice(0, index).reduce((sum, part) => sum + part, 0));
}

function BarRow({ bar, y, width, scale, format }: BarRowProps): JSX.Element {
  const lengths = bar.parts.map((part) => scale(Math.max(0, part)));
  const starts = startsOf(lengths);
  const total = format(bar.total);
  return (
    <g transform={`translate(0,${y})`}>
      {/* Not an SVG text, which would run over the figure at the end of the line. */}
      <foreignObject x={0} y={0} width={Math.max(0, width - total.length * digitWidth - labelGap)} height={barTop}>
        <div class="bar-label">{inertText(bar.label)}</div>
      </foreignObject>
      <text class="bar-total" x={width} y={14} text-anchor="end">
        {total}
      </text>
      <rect class="bar-track" x={0} y={barTop} width={width} height={barHeight} rx={2} />
      {lengths.map((length, index) => (
        <rect key={index} data-series={index + 1} x={starts[index]} y={barTop} width={length} height={barHeight} />
      ))}
    </g>
  );
}

/** Horizontal bars, each with its label and its figure; the screen has a table with the same figures. */
export function BarChart({ caption, series, bars, format = numberText }: BarChartProps): JSX.Element {
  const longest = Math.max(1, ...bars.map(({ parts }) => parts.reduce((sum, part) => sum + Math.max(0, part), 0)));
  return (
    <ChartFigure caption={caption} series={series}>
      {(width) => {
        const scale = scaleLinear().domain([0, longest]).range([0, width]);
        return (
          <svg width={width} height={bars.length * rowHeight} role="img" aria-label={caption}>
            {bars.map((bar, index) => (
              <BarRow key={bar.key} bar={bar} y={index * rowHeight} width={width} scale={scale} format={format} />
            ))}
          </svg>
        );
      }}
    </ChartFigure>
  );
}
