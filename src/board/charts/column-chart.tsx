import { scaleBand, scaleLinear } from 'd3-scale';
import type { JSX } from 'preact';
import { numberText } from '../parts/text.js';
import { LabelAxis, margin, ValueAxis } from './axes.js';
import { ChartFigure } from './chart-figure.js';

/** A series of figures, one for each column. */
export interface ColumnSeries {
  readonly name: string;
  readonly values: readonly number[];
  /** Whether the figures are units that left the shop, which are drawn downwards. */
  readonly isOutgoing: boolean;
}

interface ColumnChartProps {
  readonly caption: string;
  readonly labels: readonly string[];
  readonly series: readonly ColumnSeries[];
}

const height = 220;
const labelWidth = 90;
const widestColumn = 72;

/** The lower and the upper end of each part of each column: what came in upwards from 0, what left downwards. */
function stacked(series: readonly ColumnSeries[], count: number): readonly (readonly (readonly [number, number])[])[] {
  const tops = Array.from({ length: count }, () => 0);
  const bottoms = [...tops];
  return series.map(({ values, isOutgoing }) =>
    tops.map((top, index) => {
      const value = (values[index] ?? 0) * (isOutgoing ? -1 : 1);
      if (value >= 0) return [top, (tops[index] = top + value)];
      const bottom = bottoms[index] ?? 0;
      return [(bottoms[index] = bottom + value), bottom];
    }),
  );
}

function Drawing({ caption, labels, series, width }: ColumnChartProps & { readonly width: number }): JSX.Element {
  const layers = stacked(series, labels.length);
  const ends = layers.flatMap((parts) => parts.flat());
  const y = scaleLinear([Math.min(0, ...ends), Math.max(1, ...ends)], [height - margin.bottom, margin.top]).nice(4);
  const x = scaleBand(labels, [margin.left, width - margin.right]).padding(0.2);
  // A single column does not fill the chart.
  const columnWidth = Math.min(widestColumn, x.bandwidth());
  const start = (label: string): number => (x(label) ?? 0) + (x.bandwidth() - columnWidth) / 2;
  const every = Math.max(1, Math.ceil(labels.length / Math.max(1, Math.floor((width - margin.left) / labelWidth))));
  const shown = labels.filter((_, index) => (labels.length - 1 - index) % every === 0);
  return (
    <svg width={width} height={height} role="img" aria-label={caption}>
      <ValueAxis scale={y} width={width} />
      {layers.map((parts, layer) => (
        <g key={layer} data-series={layer + 1}>
          {parts.map(([low, high], index) => {
            const label = labels[index] ?? '';
            if (low === high) return null;
            return (
              <rect key={label} x={start(label)} y={y(high)} width={columnWidth} height={Math.max(1, y(low) - y(high))}>
                <title>{`${label}: ${numberText(series[layer]?.values[index] ?? 0)} ${series[layer]?.name.toLowerCase()}`}</title>
              </rect>
            );
          })}
        </g>
      ))}
      <LabelAxis labels={shown.map((text) => ({ x: (x(text) ?? 0) + x.bandwidth() / 2, text }))} width={width} height={height} />
    </svg>
  );
}

/** Columns over time, stacked upwards and downwards; the screen has a table with the same figures. */
export function ColumnChart({ caption, labels, series }: ColumnChartProps): JSX.Element {
  return (
    <ChartFigure caption={caption} series={series.map(({ name }) => name)}>
      {(width) => <Drawing caption={caption} labels={labels} series={series} width={width} />}
    </ChartFigure>
  );
}
