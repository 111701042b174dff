import type { JSX } from 'preact';
import { Columns, type ColumnSeries } from '../../charts/columns.js';
import { Panel } from '../../parts/screen.js';
import { Shown } from '../../parts/shown.js';
import { dayOf, daysUntil, dayText } from '../../parts/time.js';
import { now, timeZone } from '../../state/clock.js';
import type { AnswerOf } from '../../state/contract.js';
import { useCall } from '../../state/loaded.js';
import { href } from '../../state/router.js';

const shownDays = 30;

/** A row of the report. */
export type MovementRow = AnswerOf<'reportMovements'>[number];

/** The figures of the report; what leaves the shop is drawn downwards. */
const drawn: readonly { readonly name: string; readonly value: (row: MovementRow) => number }[] = [
  { name: 'Received', value: ({ received }) => received },
  { name: 'Sold', value: ({ sold }) => -sold },
  { name: 'Returned', value: ({ returned }) => returned },
  { name: 'Written off', value: ({ writtenOff }) => -writtenOff },
  { name: 'Counted', value: ({ counted }) => counted },
];

/** The figures of each day, week or month; the report leaves out those without movements. */
export function movementSeries(rows: readonly MovementRow[], times: readonly string[]): readonly ColumnSeries[] {
  const byTime = new Map(rows.map((row) => [row.day ?? row.week ?? row.month, row]));
  return drawn.map(({ name, value }) => ({
    name,
    values: times.map((time) => {
      const row = byTime.get(time);
      return row === undefined ? 0 : value(row);
    }),
  }));
}

/** The movements of the last 30 days. */
export function MovementsChart(): JSX.Element {
  const days = daysUntil(dayOf(now()), shownDays);
  const movements = useCall('reportMovements', { by: 'day', from: days[0], tz: timeZone });
  return (
    <Panel title="Movements" aside={<a href={href('/reports', { report: 'movements' })}>Report</a>}>
      <Shown of={movements}>
        {(rows) => (
          <Columns caption={`Units moved in the last ${shownDays} days`} heading="Day" labels={days.map(dayText)} series={movementSeries(rows, days)} />
        )}
      </Shown>
    </Panel>
  );
}
