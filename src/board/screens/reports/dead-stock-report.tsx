import type { JSX } from 'preact';
import { Choice, Filters } from '../../parts/lists/filters.js';
import type { Column } from '../../parts/lists/table.js';
import { Name, PetLink } from '../../parts/name.js';
import { numberText } from '../../parts/text.js';
import { Time } from '../../parts/time.js';
import { timeZone } from '../../state/clock.js';
import { useCall } from '../../state/live/loaded.js';
import { queryValue } from '../../state/router.js';
import type { AnswerOf } from '../../state/server/contract.js';
import { Report } from './report.js';

type Row = AnswerOf<'reportDeadStock'>[number];

const defaultDays = 90;
const choices = [7, 30, defaultDays, 180, 365];

const columns: readonly Column<Row>[] = [
  { heading: 'Pet', cell: ({ petId, pet }) => <PetLink id={petId} name={pet} />, isHead: true },
  { heading: 'Category', cell: ({ category }) => <Name of={category} />, onPhone: 'line' },
  { heading: 'On hand', cell: ({ onHand }) => numberText(onHand), isNumber: true },
  { heading: 'Last sold', cell: ({ lastSold }) => (lastSold === undefined ? 'never' : <Time at={lastSold} />) },
  { heading: 'Idle days', cell: ({ idleDays }) => numberText(idleDays), isNumber: true },
];

/** The pets on hand that nobody bought for some time. */
export function DeadStockReport(): JSX.Element {
  const asked = Number(queryValue('days'));
  const days = Number.isSafeInteger(asked) && asked > 0 ? asked : defaultDays;
  const pets = useCall('reportDeadStock', { days, tz: timeZone });
  return (
    <>
      <Filters>
        <Choice
          label="Days without a sale"
          name="days"
          choices={choices.map((count) => ({ value: String(count), label: `${count} days` }))}
          value={String(days)}
        />
      </Filters>
      <Report
        title={`Pets without a sale for ${days} days`}
        caption={`Longest idle first, at most 500. A pet that was never sold counts from its creation. ${timeZone}`}
        name="dead-stock"
        asked={{ days }}
        of={pets}
        columns={columns}
        rowKey={({ petId }) => petId}
        empty={`Every pet on hand was sold or added within ${days} days.`}
        fields={['petId', 'pet', 'category', 'onHand', 'lastSold', 'idleDays']}
      />
    </>
  );
}
