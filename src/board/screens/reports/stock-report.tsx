import type { JSX } from 'preact';
import type { Column } from '../../parts/lists/table.js';
import { Name } from '../../parts/name.js';
import { Status } from '../../parts/status.js';
import { numberText } from '../../parts/text.js';
import { useCall } from '../../state/live/loaded.js';
import type { AnswerOf } from '../../state/server/contract.js';
import { NoPets } from '../stock/no-pets.js';
import { Bar } from './bar.js';
import { Report } from './report.js';

type Row = AnswerOf<'reportStock'>[number];

const columns = (largest: number): readonly Column<Row>[] => [
  { heading: 'Category', cell: ({ category }) => <Name of={category} />, isHead: true },
  { heading: 'Status', cell: ({ status }) => status !== undefined && <Status of={status} />, onPhone: 'corner' },
  { heading: 'Pets', cell: ({ pets }) => numberText(pets), isNumber: true },
  { heading: 'On hand', cell: ({ onHand }) => <Bar of={onHand} largest={largest} />, isNumber: true },
  { heading: 'Reserved', cell: ({ reserved = 0 }) => numberText(reserved), isNumber: true },
  { heading: 'On hold', cell: ({ held = 0 }) => numberText(held), isNumber: true },
  { heading: 'Available', cell: ({ available = 0 }) => numberText(available), isNumber: true },
];

const figures = ['pets', 'onHand', 'reserved', 'held', 'available'] as const;

/** The sum of all rows, as in `petstore report stock`. */
function totalOf(rows: readonly Row[]): Row {
  const total = { categoryId: 0, category: 'Total', pets: 0, onHand: 0, reserved: 0, held: 0, available: 0 };
  for (const row of rows) for (const name of figures) total[name] += row[name] ?? 0;
  return total;
}

/** Units by category and status. */
export function StockReport(): JSX.Element {
  const stock = useCall('reportStock', {});
  return (
    <Report
      title="Stock by category and status"
      caption="Now"
      name="stock"
      asked={{}}
      of={stock}
      columns={columns(Math.max(0, ...(stock.value ?? []).map(({ onHand }) => onHand)))}
      rowKey={({ categoryId, status }) => `${categoryId} ${status}`}
      empty={<NoPets />}
      total={totalOf}
      fields={['categoryId', 'category', 'status', ...figures]}
    />
  );
}
