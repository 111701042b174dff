import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { Facts } from '../../parts/facts.js';
import { UndoDialog } from '../../parts/forms/undo-dialog.js';
import { entryColumns } from '../../parts/ledger/entry-columns.js';
import { RowsTakenBack } from '../../parts/ledger/undo-change.js';
import { PagedTable } from '../../parts/lists/paged-table.js';
import { pageSize } from '../../parts/lists/pages.js';
import { CountLink, Name } from '../../parts/name.js';
import { Panel, Screen } from '../../parts/screen.js';
import { Shown } from '../../parts/shown.js';
import { Status } from '../../parts/status.js';
import { countText, numberText } from '../../parts/text.js';
import { Time } from '../../parts/time.js';
import { useCall } from '../../state/live/loaded.js';
import { queryValue } from '../../state/router.js';
import type { AnswerOf } from '../../state/server/contract.js';
import { may } from '../../state/session.js';
import { RefusedTable } from './refused-table.js';

type Batch = AnswerOf<'getBatch'>;

const titles: Readonly<Record<Batch['kind'], string>> = { pets: 'New pets', codes: 'Codes', stock: 'Stock', count: 'Count' };

function BatchFacts({ of }: { readonly of: Batch }): JSX.Element {
  return (
    <Facts
      of={{
        State: <Status of={of.state} />,
        ...(of.countId === undefined ? { File: of.fileName === undefined ? 'no name' : <Name of={of.fileName} /> } : { Count: <CountLink id={of.countId} /> }),
        'Rows applied': numberText(of.applied),
        Unchanged: numberText(of.unchanged),
        Refused: numberText(of.rejected),
        By: <Name of={of.actor} />,
        When: <Time at={of.at} />,
        ...(of.note !== undefined && { Note: <Name of={of.note} /> }),
      }}
    />
  );
}

/** The entries of the ledger that an import wrote. */
function Changes({ of: batch }: { readonly of: Batch }): JSX.Element {
  const entries = useCall('listLedger', { batchId: [batch.id], names: true, sort: 'id', limit: pageSize, cursor: queryValue('cursor') });
  return (
    <Panel title="Changes">
      <PagedTable of={entries} caption="Changes" columns={entryColumns} rowKey={({ id }) => id} noun="change" empty="It changed nothing." />
    </Panel>
  );
}

function UndoImport({ of: { id }, onClose }: { readonly of: Batch; readonly onClose: () => void }): JSX.Element {
  return (
    <UndoDialog
      id="undoBatch"
      title={`Undo batch ${id}`}
      input={(allowShortage) => ({ batchId: id, allowShortage })}
      effect={RowsTakenBack}
      sentence={({ rows }) => `Undid batch ${id} (${countText(rows, 'row')}).`}
      onClose={onClose}
    />
  );
}

function canUndo({ kind, state }: Batch): boolean {
  return kind !== 'pets' && (state === 'applied' || state === 'partial') && may('undoBatch');
}

/** The screen of one import. */
export function ImportScreen({ batchId }: { readonly batchId: number }): JSX.Element {
  const isUndoing = useSignal(false);
  const found = useCall('getBatch', { batchId });
  const canBeUndone = found.value !== undefined && canUndo(found.value);
  const undo = canBeUndone && (
    <button type="button" class="control" onClick={() => (isUndoing.value = true)}>
      Undo
    </button>
  );
  return (
    <Screen title={`Batch ${batchId}`} aside={undo}>
      <Shown of={found}>
        {(batch) => (
          <div class="panels">
            <Panel title={titles[batch.kind]}>
              <BatchFacts of={batch} />
            </Panel>
            {batch.rejected > 0 && (
              <Panel title="Refused rows">
                <RefusedTable errors={batch.errors} total={batch.rejected} />
              </Panel>
            )}
            <Changes of={batch} />
            {isUndoing.value && <UndoImport of={batch} onClose={() => (isUndoing.value = false)} />}
          </div>
        )}
      </Shown>
    </Screen>
  );
}
