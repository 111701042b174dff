import type { JSX } from 'preact';
import { inertText, numberText } from '../../parts/text.js';

/** One bar: a part for each series, and the figure beside its label. */
export interface Bar {
  readonly key: string | number;
  readonly label: string;
  readonly parts: readonly number[];
  readonly total: number;
}

interface BarChartProps {
  readonly caption: string;
  /** The names of the series in the order of their colours; a single one needs no legend. */
  readonly series: readonly string[];
  readonly bars: readonly Bar[];
}

function BarRow({ bar: { label, parts, total }, longest }: { readonly bar: Bar; readonly longest: number }): JSX.Element {
  const widths = parts.map((part) => (Math.max(0, part) / longest) * 100);
  return (
    <li>
      <bdi>{inertText(label)}</bdi>
      <strong>{numberText(total)}</strong>
      <svg width="100%" height="10" aria-hidden="true">
        {widths.map((width, index) => (
          <rect key={index} data-series={index + 1} x={`${widths.slice(0, index).reduce((sum, before) => sum + before, 0)}%`} width={`${width}%`} height="10" />
        ))}
      </svg>
    </li>
  );
}

/** Horizontal bars, each with its label and its figure; the screen has a table with the same figures. */
export function BarChart({ caption, series, bars }: BarChartProps): JSX.Element {
  const longest = Math.max(1, ...bars.map(({ parts }) => parts.reduce((sum, part) => sum + Math.max(0, part), 0)));
  return (
    <figure class="chart">
      <figcaption>{caption}</figcaption>
      {series.length > 1 && (
        <ul class="legend">
          {series.map((label, index) => (
            <li key={label} data-series={index + 1}>
              {label}
            </li>
          ))}
        </ul>
      )}
      <ul class="bars">
        {bars.map((bar) => (
          <BarRow key={bar.key} bar={bar} longest={longest} />
        ))}
      </ul>
    </figure>
  );
}
