import type { JSX } from 'preact';
import { ColumnChart } from '../../charts/column-chart.js';
import { movementSeries } from '../../charts/movement-series.js';
import { Panel } from '../../parts/screen.js';
import { Shown } from '../../parts/shown.js';
import { dayOf, daysUntil, dayText } from '../../parts/time.js';
import { now, timeZone } from '../../state/clock.js';
import { useCall } from '../../state/live/loaded.js';
import { href } from '../../state/router.js';

const shownDays = 30;

/** The movements of the last 30 days. */
export function MovementsChart(): JSX.Element {
  const days = daysUntil(dayOf(now()), shownDays);
  const movements = useCall('reportMovements', { by: 'day', from: days[0], tz: timeZone });
  return (
    <Panel title="Movements" aside={<a href={href('/reports', { report: 'movements' })}>Report</a>}>
      <Shown of={movements}>
        {(rows) =>
          rows.length === 0 ? (
            <p class="empty">Nothing moved in the last {shownDays} days.</p>
          ) : (
            <ColumnChart caption={`Units moved in the last ${shownDays} days`} heading="Day" labels={days.map(dayText)} series={movementSeries(rows, days)} />
          )
        }
      </Shown>
    </Panel>
  );
}
