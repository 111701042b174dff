import type { JSX } from 'preact';
import { Bars, type Bar } from '../../charts/bars.js';
import { Panel } from '../../parts/screen.js';
import { Shown } from '../../parts/shown.js';
import { countText } from '../../parts/text.js';
import type { AnswerOf } from '../../state/contract.js';
import { useCall } from '../../state/loaded.js';
import { href } from '../../state/router.js';

const mostBars = 10;

/** A bar for each category, the longest first: the report has a row for each status of a category. A past day has no reservations. */
export function stockBars(rows: AnswerOf<'reportStock'>): readonly Bar[] {
  const bars = new Map<number, Bar>();
  for (const { categoryId, category, onHand, reserved = 0, available = onHand } of rows) {
    const { parts: [free = 0, held = 0] = [], total = 0 } = bars.get(categoryId) ?? {};
    bars.set(categoryId, { key: categoryId, label: category, parts: [free + available, held + reserved], total: total + onHand });
  }
  return [...bars.values()].toSorted((one, other) => other.total - one.total);
}

function captionOf(count: number): string {
  return count > mostBars ? `Units on hand in the ${mostBars} largest of ${countText(count, 'category', 'categories')}` : 'Units on hand by category';
}

/** The stock by category. */
export function CategoryChart(): JSX.Element {
  const stock = useCall('reportStock', {});
  return (
    <Panel title="Stock by category" aside={<a href={href('/reports', { report: 'stock' })}>Report</a>}>
      <Shown of={stock}>
        {(rows) => {
          const bars = stockBars(rows);
          return (
            <Bars
              caption={captionOf(bars.length)}
              heading="Category"
              series={['Available', 'Reserved']}
              totalHeading="On hand"
              bars={bars.slice(0, mostBars)}
            />
          );
        }}
      </Shown>
    </Panel>
  );
}
