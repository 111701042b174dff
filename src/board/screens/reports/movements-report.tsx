import type { JSX } from 'preact';
import { Choice, Filters } from '../../parts/lists/filters.js';
import type { Column } from '../../parts/lists/table.js';
import { Name, PetLink } from '../../parts/name.js';
import { numberText, signedText } from '../../parts/text.js';
import { dayAndYearText } from '../../parts/time.js';
import { timeZone } from '../../state/clock.js';
import { useLoaded } from '../../state/live/loaded.js';
import { queryValue } from '../../state/router.js';
import { call } from '../../state/server/call.js';
import type { AnswerOf } from '../../state/server/contract.js';
import { Bar } from './bar.js';
import { askedRange, RangeFilter, rangeText } from './range-filter.js';
import { Report } from './report.js';

type MovementRow = AnswerOf<'reportMovements'>[number];

/** What the rows of the report are about. */
type Grouping = 'category' | 'pet' | 'day' | 'month';

const isPeriod = (by: Grouping): boolean => by === 'day' || by === 'month';

/** The rows of a report by pet: those with the most units sold. */
const shownPets = 50;

const figures = ['opening', 'received', 'sold', 'returned', 'writtenOff', 'counted', 'closing'] as const;

const names: { readonly [By in Grouping]: Column<MovementRow> } = {
  category: { heading: 'Category', cell: ({ category = '' }) => <Name of={category} />, isHead: true },
  pet: { heading: 'Pet', cell: ({ petId, pet }) => petId !== undefined && <PetLink id={petId} name={pet} />, isHead: true },
  day: { heading: 'Day', cell: ({ day }) => day !== undefined && dayAndYearText(day), isHead: true },
  month: { heading: 'Month', cell: ({ month }) => month, isHead: true },
};

const groupings = Object.keys(names) as readonly Grouping[];

const figureColumns = (mostSold: number): readonly Column<MovementRow>[] => [
  { heading: 'Opening', cell: ({ opening }) => numberText(opening), isNumber: true },
  { heading: 'Received', cell: ({ received }) => numberText(received), isNumber: true },
  { heading: 'Sold', cell: ({ sold }) => <Bar of={sold} largest={mostSold} />, isNumber: true },
  { heading: 'Returned', cell: ({ returned }) => numberText(returned), isNumber: true },
  { heading: 'Written off', cell: ({ writtenOff }) => numberText(writtenOff), isNumber: true },
  { heading: 'Counted', cell: ({ counted }) => signedText(counted), isNumber: true },
  { heading: 'Closing', cell: ({ closing }) => numberText(closing), isNumber: true },
];

const keyOf = ({ categoryId, petId, day, month }: MovementRow): string | number => categoryId ?? petId ?? day ?? month ?? '';

/** The figures of the whole shop, from those of all its categories, as in `petstore report movements`. */
function totalOf(categories: readonly MovementRow[]): MovementRow {
  const total = { opening: 0, received: 0, sold: 0, returned: 0, writtenOff: 0, counted: 0, closing: 0 };
  for (const row of categories) for (const name of figures) total[name] += row[name];
  return total;
}

/** How many rows a report shows. */
const topOf = (by: Grouping): number | undefined => (by === 'pet' ? shownPets : undefined);

interface MovementFigures {
  readonly rows: readonly MovementRow[];
  readonly total: MovementRow;
}

/** Reads the rows, and then those by category for the total. */
async function readMovements(by: Grouping, signal: AbortSignal): Promise<MovementFigures> {
  const read = (grouping: Grouping): Promise<readonly MovementRow[]> =>
    call('reportMovements', { by: grouping, ...askedRange(), top: topOf(grouping), tz: timeZone }, { signal });
  const rows = await read(by);
  return { rows, total: totalOf(by === 'category' ? rows : await read('category')) };
}

function Movements({ by }: { readonly by: Grouping }): JSX.Element {
  const range = askedRange();
  const top = topOf(by);
  const { value, ...loaded } = useLoaded((signal) => readMovements(by, signal), `movements ${JSON.stringify({ by, ...range })}`);
  return (
    <Report
      title={`Movements by ${by}`}
      caption={`${top === undefined ? '' : `The ${top} most sold. `}${rangeText(range)}`}
      name="movements"
      asked={{ by, ...range }}
      // The newest first, as in every list of the board.
      of={{ ...loaded, value: isPeriod(by) ? value?.rows.toReversed() : value?.rows }}
      columns={[names[by], ...figureColumns(Math.max(0, ...(value?.rows ?? []).map(({ sold }) => sold)))]}
      rowKey={keyOf}
      total={() => value?.total}
      empty={`Nothing ${top === undefined ? 'moved' : 'was sold'} in this time.`}
      fields={[...(by === 'category' ? (['categoryId', 'category'] as const) : by === 'pet' ? (['petId', 'pet'] as const) : [by]), ...figures]}
      csvRows={() => call('reportMovements', { by, ...range, tz: timeZone })}
    />
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
      <Movements key={by} by={by} />
    </>
  );
}
