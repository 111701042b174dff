import type { JSX } from 'preact';
import { Filters } from '../../parts/lists/filters.js';
import type { Column } from '../../parts/lists/table.js';
import { Name } from '../../parts/name.js';
import { numberText } from '../../parts/text.js';
import { timeZone } from '../../state/clock.js';
import { useCall } from '../../state/live/loaded.js';
import type { AnswerOf } from '../../state/server/contract.js';
import { askedRange, RangeFilter, rangeText } from './range-filter.js';
import { Report } from './report.js';

type Row = AnswerOf<'reportSellThrough'>[number];

const percentText = (share: number): string => `${(share * 100).toFixed(1)} %`;

const columns: readonly Column<Row>[] = [
  { heading: 'Category', cell: ({ category = '' }) => <Name of={category} />, isHead: true },
  { heading: 'Opening', cell: ({ opening }) => numberText(opening), isNumber: true },
  { heading: 'Received', cell: ({ received }) => numberText(received), isNumber: true },
  { heading: 'Sold', cell: ({ sold }) => numberText(sold), isNumber: true },
  { heading: 'Returned', cell: ({ returned }) => numberText(returned), isNumber: true },
  { heading: 'Closing', cell: ({ closing }) => numberText(closing), isNumber: true },
  { heading: 'Sell-through', cell: ({ sellThrough }) => sellThrough !== undefined && percentText(sellThrough), isNumber: true },
  { heading: 'Days left', cell: ({ daysOfStock }) => daysOfStock !== undefined && numberText(daysOfStock), isNumber: true },
];

/** How well the stock sold. */
export function SellThroughReport(): JSX.Element {
  const range = askedRange();
  const sales = useCall('reportSellThrough', { ...range, tz: timeZone });
  return (
    <>
      <Filters>
        <RangeFilter />
      </Filters>
      <Report
        title="Sell-through by category"
        caption={rangeText(range)}
        name="sell-through"
        asked={{ ...range }}
        of={{ ...sales, value: sales.value?.filter(({ category }) => category !== undefined) }}
        columns={columns}
        rowKey={({ categoryId = 'total' }) => categoryId}
        empty="Nothing moved in this time."
        fields={['categoryId', 'category', 'opening', 'received', 'sold', 'returned', 'closing', 'sellThrough', 'daysOfStock']}
        total={() => sales.value?.find(({ category }) => category === undefined)}
      />
    </>
  );
}
