import type { JSX } from 'preact';
import { BarChart } from '../../charts/bar-chart.js';
import { ColumnChart } from '../../charts/column-chart.js';
import { movementSeries, type MovementRow } from '../../charts/movement-series.js';
import { Choice, Filters } from '../../parts/lists/filters.js';
import type { Column } from '../../parts/lists/table.js';
import { Name, PetLink } from '../../parts/name.js';
import { countText, numberText, signedText } from '../../parts/text.js';
import { dayOf, dayText, existingDay, dayAndYearText } from '../../parts/time.js';
import { now, timeZone } from '../../state/clock.js';
import { useCall, type Loaded } from '../../state/live/loaded.js';
import { queryValue } from '../../state/router.js';
import { call } from '../../state/server/call.js';
import { periodOf, periodsUntil, type Period } from './periods.js';
import { askedRange, RangeFilter, rangeText } from './range-filter.js';
import { Report } from './report.js';

/** What the rows of the report are about. */
type Grouping = 'category' | 'pet' | Period;

/** The rows of a report by pet: those with the most units sold. */
const shownPets = 50;
const mostBars = 12;
const mostColumns = 120;

const figures = ['opening', 'received', 'sold', 'returned', 'writtenOff', 'counted', 'closing'] as const;

const names: { readonly [By in Grouping]: Column<MovementRow> } = {
  category: { heading: 'Category', cell: ({ category = '' }) => <Name of={category} />, isHead: true },
  pet: { heading: 'Pet', cell: ({ petId, pet }) => petId !== undefined && <PetLink id={petId} name={pet} />, isHead: true },
  day: { heading: 'Day', cell: ({ day }) => day !== undefined && dayAndYearText(day), isHead: true },
  month: { heading: 'Month', cell: ({ month }) => month, isHead: true },
};

const groupings = Object.keys(names) as readonly Grouping[];

const figureColumns: readonly Column<MovementRow>[] = [
  { heading: 'Opening', cell: ({ opening }) => numberText(opening), isNumber: true },
  { heading: 'Received', cell: ({ received }) => numberText(received), isNumber: true },
  { heading: 'Sold', cell: ({ sold }) => numberText(sold), isNumber: true },
  { heading: 'Returned', cell: ({ returned }) => numberText(returned), isNumber: true },
  { heading: 'Written off', cell: ({ writtenOff }) => numberText(writtenOff), isNumber: true },
  { heading: 'Counted', cell: ({ counted }) => signedText(counted), isNumber: true },
  { heading: 'Closing', cell: ({ closing }) => numberText(closing), isNumber: true },
];

const keyOf = ({ categoryId, petId, day, month }: MovementRow): string | number => categoryId ?? petId ?? day ?? month ?? '';

function SoldBars({ by, rows }: { readonly by: 'category' | 'pet'; readonly rows: readonly MovementRow[] }): JSX.Element | null {
  const sold = rows.filter((row) => row.sold > 0).toSorted((one, other) => other.sold - one.sold);
  if (sold.length === 0) return null;
  const caption = `Units sold by ${by}${sold.length > mostBars ? `, the ${mostBars} most` : ''}`;
  const bars = sold.slice(0, mostBars).map((row) => ({ key: keyOf(row), label: row.category ?? row.pet ?? '', parts: [row.sold], total: row.sold }));
  return <BarChart caption={caption} series={['Sold']} bars={bars} />;
}

function TimeColumns({ by, rows }: { readonly by: Period; readonly rows: readonly MovementRow[] }): JSX.Element {
  const asked = askedRange();
  // The rows of the last range are shown until the shop has refused one that is none.
  const [from, to] = [existingDay(asked.from), existingDay(asked.to)];
  const today = dayOf(now());
  const [oldest] = rows;
  const first = from === undefined ? String(oldest === undefined ? today : keyOf(oldest)) : periodOf(by, from);
  const times = periodsUntil(by, first, to !== undefined && to < today ? to : today, mostColumns);
  const caption = `Units moved by ${by}${times.length === mostColumns ? `, the last ${countText(mostColumns, by)}` : ''}`;
  return <ColumnChart caption={caption} labels={times.map((time) => (by === 'day' ? dayText(time) : time))} series={movementSeries(rows, times)} />;
}

/** The figures of the whole shop, from those of all its categories, as in `petstore report movements`. */
function totalOf(categories: readonly MovementRow[]): MovementRow {
  const total = { opening: 0, received: 0, sold: 0, returned: 0, writtenOff: 0, counted: 0, closing: 0 };
  for (const row of categories) for (const name of figures) total[name] += row[name];
  return total;
}

interface MovementsProps {
  readonly by: Grouping;
  readonly of: Loaded<readonly MovementRow[]>;
  /** The rows by category. */
  readonly categories: readonly MovementRow[] | undefined;
}

/** How many rows a report shows. */
const topOf = (by: Grouping): number | undefined => (by === 'pet' ? shownPets : undefined);

function ByCategory(): JSX.Element {
  const movements = useCall('reportMovements', { by: 'category', ...askedRange(), tz: timeZone });
  return <Movements by="category" of={movements} categories={movements.value} />;
}

function ByOther({ by }: { readonly by: Exclude<Grouping, 'category'> }): JSX.Element {
  const range = askedRange();
  const movements = useCall('reportMovements', { by, ...range, top: topOf(by), tz: timeZone });
  const categories = useCall('reportMovements', { by: 'category', ...range, tz: timeZone });
  return <Movements by={by} of={movements} categories={categories.value} />;
}

function Movements({ by, of: movements, categories }: MovementsProps): JSX.Element {
  const range = askedRange();
  const top = topOf(by);
  const isTime = by !== 'category' && by !== 'pet';
  return (
    <Report
      title={`Movements by ${by}`}
      caption={`${top === undefined ? '' : `The ${top} most sold. `}${rangeText(range)}`}
      name="movements"
      asked={{ by, ...range }}
      // The newest first, as in every list of the board.
      of={isTime && movements.value ? { ...movements, value: movements.value.toReversed() } : movements}
      columns={[names[by], ...figureColumns]}
      rowKey={keyOf}
      noun={by}
      total={() => categories && totalOf(categories)}
      empty={`Nothing ${top === undefined ? 'moved' : 'was sold'} in this time.`}
      fields={[...(by === 'category' ? (['categoryId', 'category'] as const) : by === 'pet' ? (['petId', 'pet'] as const) : [by]), ...figures]}
      csvRows={() => call('reportMovements', { by, ...range, tz: timeZone })}
    >
      {(rows) => (isTime ? <TimeColumns by={by} rows={rows.toReversed()} /> : <SoldBars by={by} rows={rows} />)}
    </Report>
  );
}

/** What went out and came in, by category, pet, day or month. */
export function MovementsReport(): JSX.Element {
  const asked = queryValue('by');
  const by = groupings.find((one) => one === asked) ?? 'category';
  return (
    <>
      <Filters>
        <Choice label="By" name="by" choices={groupings.map((one) => ({ value: one, label: one }))} value={by} />
        <RangeFilter />
      </Filters>
      {by === 'category' ? <ByCategory /> : <ByOther key={by} by={by} />}
    </>
  );
}
