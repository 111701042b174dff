import type { JSX } from 'preact';
import { StepChart, type Step } from '../../charts/step-chart.js';
import { Table, type Column } from '../../parts/lists/table.js';
import { Panel } from '../../parts/screen.js';
import { Shown } from '../../parts/shown.js';
import { inertText, numberText } from '../../parts/text.js';
import { instantText } from '../../parts/time.js';
import { now } from '../../state/clock.js';
import { useCall } from '../../state/live/loaded.js';
import type { RowOf } from '../../state/server/contract.js';

const mostSteps = 200;

const columns: readonly Column<Step>[] = [
  { heading: 'From', cell: ({ at }) => instantText(at), isHead: true },
  { heading: 'On hand', cell: ({ value }) => numberText(value), isNumber: true },
];

/** The quantities after each movement, oldest first; entries of one moment are one step. */
function stepsOf(entries: readonly RowOf<'listLedger'>[]): readonly Step[] {
  const quantities = entries.flatMap(({ at, quantityAfter }) => (quantityAfter === undefined ? [] : [{ at: Date.parse(at), value: quantityAfter }]));
  return quantities.toReversed().filter(({ at }, index, all) => all[index + 1]?.at !== at);
}

/** The units of a pet on hand over time, from the ledger. */
export function QuantityChart({ petId, name }: { readonly petId: number; readonly name: string }): JSX.Element {
  const kind = ['opening', 'count', 'adjust', 'sale', 'return', 'undo'] as const;
  const movements = useCall('listLedger', { petId: [petId], kind: [...kind], sort: '-id', limit: mostSteps });
  return (
    <Panel title="On hand over time">
      <Shown of={movements}>
        {({ items, next }) => {
          const steps = stepsOf(items);
          const since = steps[0] === undefined ? '' : ` since ${instantText(steps[0].at)}`;
          const caption = `Units of ${inertText(name)} on hand${since}${next === undefined ? '' : `, after the last ${mostSteps} movements`}`;
          const until = now();
          return (
            <StepChart caption={caption} steps={steps} until={until} ends={[instantText(steps[0]?.at ?? until), instantText(until)]}>
              <Table caption={caption} isCaptionHidden columns={columns} rows={steps} rowKey={({ at }) => at} empty="No changes." />
            </StepChart>
          );
        }}
      </Shown>
    </Panel>
  );
}
