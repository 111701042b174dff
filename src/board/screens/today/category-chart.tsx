import type { JSX } from 'preact';
import { BarChart } from '../../charts/bar-chart.js';
import { stockBars } from '../../charts/stock-bars.js';
import { Panel } from '../../parts/screen.js';
import { Shown } from '../../parts/shown.js';
import { countText } from '../../parts/text.js';
import { useCall } from '../../state/live/loaded.js';
import { href } from '../../state/router.js';
import { NoPets } from '../stock/no-pets.js';

const mostBars = 10;

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
          if (bars.length === 0) {
            return (
              <p class="empty">
                <NoPets />
              </p>
            );
          }
          return (
            <BarChart
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
