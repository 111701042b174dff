import type { JSX } from 'preact';
import { DayFilter, Filters } from '../../parts/lists/filters.js';
import type { Column } from '../../parts/lists/table.js';
import { Name } from '../../parts/name.js';
import { Status } from '../../parts/status.js';
import { numberText } from '../../parts/text.js';
import { dayOf, dayAndYearText } from '../../parts/time.js';
import { now, timeZone } from '../../state/clock.js';
import { useCall } from '../../state/live/loaded.js';
import { queryValue } from '../../state/router.js';
import type { AnswerOf } from '../../state/server/contract.js';
import { NoPets } from '../stock/no-pets.js';
import { BarChart, type Bar } from './bar-chart.js';
import { Report } from './report.js';

type Row = AnswerOf<'reportStock'>[number];

const mostBars = 12;

const columns: readonly Column<Row>[] = [
  { heading: 'Category', cell: ({ category }) => <Name of={category} />, isHead: true },
  { heading: 'Status', cell: ({ status }) => status !== undefined && <Status of={status} />, onPhone: 'corner' },
  { heading: 'Pets', cell: ({ pets }) => numberText(pets), isNumber: true },
  { heading: 'On hand', cell: ({ onHand }) => numberText(onHand), isNumber: true },
  { heading: 'Reserved', cell: ({ reserved = 0 }) => numberText(reserved), isNumber: true },
  { heading: 'On hold', cell: ({ held = 0 }) => numberText(held), isNumber: true },
  { heading: 'Available', cell: ({ available = 0 }) => numberText(available), isNumber: true },
];

/** The ledger records neither status nor reservations. */
const pastColumns = columns.filter(({ heading }) => ['Category', 'Pets', 'On hand'].includes(heading));

/** A bar for each category, the longest first: the report has a row for each status of a category. A past day has no reservations. */
function stockBars(rows: readonly Row[]): readonly Bar[] {
  const bars = new Map<number, Bar>();
  for (const { categoryId, category, onHand, reserved = 0, held = 0, available = onHand } of rows) {
    const { parts: [free = 0, onHold = 0, taken = 0] = [], total = 0 } = bars.get(categoryId) ?? {};
    bars.set(categoryId, { key: categoryId, label: category, parts: [free + available, onHold + held, taken + reserved], total: total + onHand });
  }
  return [...bars.values()].toSorted((one, other) => other.total - one.total);
}

function StockBars({ rows, isPast }: { readonly rows: readonly Row[]; readonly isPast: boolean }): JSX.Element {
  const bars = stockBars(rows);
  const caption = bars.length > mostBars ? `Units on hand in the ${mostBars} largest categories` : 'Units on hand by category';
  const series = isPast ? ['On hand'] : ['Available', 'On hold', 'Reserved'];
  const shown = bars.slice(0, mostBars).map((bar) => (isPast ? { ...bar, parts: [bar.total] } : bar));
  return <BarChart caption={caption} series={series} bars={shown} />;
}

/** The sum of all rows, as in `petstore report stock`. */
function totalOf(rows: readonly Row[]): Row {
  const sum = (figure: (row: Row) => number | undefined): number => rows.reduce((units, row) => units + (figure(row) ?? 0), 0);
  const [pets, onHand] = [sum((row) => row.pets), sum((row) => row.onHand)];
  return {
    categoryId: 0,
    category: 'Total',
    pets,
    onHand,
    reserved: sum((row) => row.reserved),
    held: sum((row) => row.held),
    available: sum((row) => row.available),
  };
}

function StockOf({ at }: { readonly at: string | undefined }): JSX.Element {
  const stock = useCall('reportStock', { at, tz: timeZone });
  const isPast = at !== undefined;
  return (
    <Report
      title={isPast ? 'Stock by category' : 'Stock by category and status'}
      caption={isPast ? `At the end of ${dayAndYearText(at)}, ${timeZone}` : 'Now'}
      name="stock"
      asked={{ at }}
      of={stock}
      columns={isPast ? pastColumns : columns}
      rowKey={({ categoryId, status }) => `${categoryId} ${status}`}
      empty={<NoPets />}
      total={totalOf}
      fields={isPast ? ['categoryId', 'category', 'pets', 'onHand'] : ['categoryId', 'category', 'status', 'pets', 'onHand', 'reserved', 'held', 'available']}
    >
      {(rows) => <StockBars rows={rows} isPast={isPast} />}
    </Report>
  );
}

/** Units by category and status, or by category at the end of a past day. */
export function StockReport(): JSX.Element {
  const at = queryValue('at');
  return (
    <>
      <Filters>
        <DayFilter label="As of the end of" name="at" max={dayOf(now())} />
      </Filters>
      <StockOf key={String(at === undefined)} at={at} />
    </>
  );
}
