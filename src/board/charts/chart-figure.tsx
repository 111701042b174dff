import type { ComponentChildren, JSX } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';

interface ChartFigureProps {
  readonly caption: string;
  /** The names of the series in the order of their colours; a single one needs no legend. */
  readonly series: readonly string[];
  /** The figures of the chart in a table; undefined where the screen shows them in one anyway. */
  readonly table?: ComponentChildren;
  /** Draws the chart as wide as its frame. */
  readonly children: (width: number) => ComponentChildren;
}

/** As wide as a page of A4 or Letter between its margins: charts are drawn for it before they are printed. */
const printWidth = 690;

/** The width of an element in CSS pixels; 0 before it is laid out. */
function useWidth(): readonly [ref: { current: HTMLDivElement | null }, width: number] {
  const element = useRef<HTMLDivElement>(null);
  const [width, setWidth] = useState(0);
  useEffect(() => {
    if (element.current === null) return undefined;
    const observer = new ResizeObserver(([entry]) => setWidth(Math.floor(entry?.contentRect.width ?? 0)));
    observer.observe(element.current);
    const print = (): void => setWidth(printWidth);
    const show = (): void => setWidth(element.current?.clientWidth ?? 0);
    addEventListener('beforeprint', print);
    addEventListener('afterprint', show);
    return () => {
      observer.disconnect();
      removeEventListener('beforeprint', print);
      removeEventListener('afterprint', show);
    };
  }, []);
  return [element, width];
}

/** A chart with its caption, its legend, and its figures in a table on demand. */
export function ChartFigure({ caption, series, table, children }: ChartFigureProps): JSX.Element {
  const [frame, width] = useWidth();
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
      <div ref={frame} class="chart-frame">
        {width > 0 && children(width)}
      </div>
      {table !== undefined && (
        <details>
          <summary>Figures as a table</summary>
          {table}
        </details>
      )}
    </figure>
  );
}
