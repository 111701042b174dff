import { scaleLinear } from 'd3-scale';
import type { JSX } from 'preact';
import { Table, type Column } from '../parts/lists/table.js';
import { numberText } from '../parts/text.js';
import { instantText } from '../parts/time.js';
import { LabelAxis, margin, ValueAxis } from './axes.js';
import { ChartFigure } from './chart-figure.js';

/** A value from an instant (ms since 1970) on. */
export interface Step {
  readonly at: number;
  readonly value: number;
}

interface StepChartProps {
  readonly caption: string;
  /** What the values are, such as "On hand". */
  readonly heading: string;
  /** In the order of their times. */
  readonly steps: readonly Step[];
  /** The end of the last step. */
  readonly until: number;
}

const height = 200;
const columnsOf = (heading: string): readonly Column<Step>[] => [
  { heading: 'From', cell: ({ at }) => instantText(at), isHead: true },
  { heading, cell: ({ value }) => numberText(value), isNumber: true },
];

function Drawing({ caption, steps, until, width }: Omit<StepChartProps, 'heading'> & { readonly width: number }): JSX.Element {
  const start = steps[0]?.at ?? until;
  const last = steps.at(-1)?.value ?? 0;
  const points = [...steps, { at: Math.max(until, start + 1), value: last }];
  const x = scaleLinear([start, Math.max(until, start + 1)], [margin.left, width - margin.right]);
  const y = scaleLinear([0, Math.max(1, ...steps.map(({ value }) => value))], [height - margin.bottom, margin.top]).nice(4);
  const line = `M${x(start)},${y(points[0]?.value ?? 0)}${points.map(({ at, value }) => `H${x(at)}V${y(value)}`).join('')}`;
  const labels = width < 360 ? [start, until] : [start, (start + until) / 2, until];
  return (
    <svg width={width} height={height} role="img" aria-label={caption}>
      <ValueAxis scale={y} width={width} />
      <path class="step-area" d={`${line}V${y(0)}H${x(start)}Z`} />
      <path class="step-line" d={line} />
      <LabelAxis labels={labels.map((at) => ({ x: x(at), text: instantText(at) }))} width={width} height={height} />
    </svg>
  );
}

/** A value over time that changes in steps. */
export function StepChart({ caption, heading, steps, until }: StepChartProps): JSX.Element {
  const table = <Table caption={caption} isCaptionHidden columns={columnsOf(heading)} rows={steps} rowKey={({ at }) => at} empty="No changes." />;
  return (
    <ChartFigure caption={caption} series={[heading]} table={table}>
      {(width) => <Drawing caption={caption} steps={steps} until={until} width={width} />}
    </ChartFigure>
  );
}
