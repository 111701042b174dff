import type { JSX } from 'preact';
import type { StockPreview } from '../../../domain/imports/import-inventory.js';
import type { StockChange } from '../../../domain/imports/stock-change.js';
import { Facts } from '../../parts/facts.js';
import { Table, type Column } from '../../parts/lists/table.js';
import { BatchLink, PetLink } from '../../parts/name.js';
import { saveFile } from '../../parts/save-file.js';
import { RefusalBox } from '../../parts/shown.js';
import { countText, inertText, numberText, partText, signedText } from '../../parts/text.js';
import { Time } from '../../parts/time.js';
import type { ImportOutcome } from '../../state/imports/send-import.js';
import type { RefusalError } from '../../state/server/refusal.js';
import { chooseAgain, importFile } from './import-stage.js';
import { RefusedTable } from './refused-table.js';

const changeColumns: readonly Column<StockChange>[] = [
  { heading: 'Pet', cell: ({ petId, name }) => <PetLink id={petId} name={name} />, isHead: true },
  { heading: 'Before', cell: ({ before }) => numberText(before), isNumber: true },
  { heading: 'After', cell: ({ after }) => numberText(after), isNumber: true },
  { heading: 'Change', cell: ({ before, after }) => signedText(after - before), isNumber: true },
];

/** The first changes of stock that a file would make. */
function FirstChanges({ of: { changes, total } }: { readonly of: StockPreview }): JSX.Element {
  return (
    <Table
      caption={partText(changes.length, total, 'change')}
      columns={changeColumns}
      rows={changes}
      rowKey={({ petId, before }) => `${petId} ${before}`}
      empty={null}
    />
  );
}

/** What people should know before they import. */
function Remarks({ of: { report, ignored } }: { readonly of: ImportOutcome }): JSX.Element {
  const { earlier, batch, warnings = [], alreadyApplied } = report;
  return (
    <>
      {earlier && (
        <p>
          {inertText(earlier.actor)} imported this file already, <Time at={earlier.at} />
          {batch !== null && (
            <>
              {' '}
              (<BatchLink id={batch} />)
            </>
          )}
          {earlier.undone === true && ', and it was undone'}. It is not applied twice.
        </p>
      )}
      {!earlier && alreadyApplied > 0 && <p>An earlier import of this file applied {countText(alreadyApplied, 'row')} already.</p>}
      {ignored.length > 0 && <p>Ignored columns: {ignored.map(inertText).join(', ')}.</p>}
      {warnings.map(({ line, message }) => (
        <p key={`${line} ${message}`}>
          Line {line}: {inertText(message)}
        </p>
      ))}
    </>
  );
}

/** The figures of a check. */
function CheckFigures({ of: { report, preview } }: { readonly of: ImportOutcome }): JSX.Element {
  const { total, applied, unchanged, rejected, notInFile } = report;
  return (
    <Facts
      of={{
        Rows: numberText(total),
        'To apply': numberText(applied),
        Unchanged: numberText(unchanged),
        Refused: numberText(rejected),
        ...(preview && preview.toZero > 0 && { 'Drop to zero': numberText(preview.toZero) }),
        ...(notInFile !== undefined && { 'Pets not in the file': numberText(notInFile) }),
      }}
    />
  );
}

/** A button that saves the refused rows. */
function RefusedDownload({ of: { refused, report } }: { readonly of: ImportOutcome }): JSX.Element | null {
  if (refused === undefined) return null;
  return (
    <button type="button" onClick={() => saveFile(refused.name, refused.content)}>
      Download {countText(report.rejected, 'refused row')}
    </button>
  );
}

function label({ applied, rejected }: ImportOutcome['report']): string {
  return rejected === 0 ? `Import ${countText(applied, 'row')}` : `Import ${applied === 1 ? 'the valid row' : `the ${numberText(applied)} valid rows`}`;
}

interface CheckedProps {
  readonly file: File;
  readonly outcome: ImportOutcome;
  readonly refusal: RefusalError | undefined;
}

/** Shows what an import would do, and asks whether to import. */
export function CheckedImport({ file, outcome, refusal }: CheckedProps): JSX.Element {
  const { applied, rejected, errors, earlier } = outcome.report;
  return (
    <>
      <p class="hint">Dry run: nothing was changed.</p>
      <CheckFigures of={outcome} />
      <Remarks of={outcome} />
      {applied === 0 && !earlier && <p>{rejected > 0 ? 'No row can be imported.' : 'Nothing would change: the shop matches the file.'}</p>}
      {refusal && <RefusalBox of={refusal} />}
      <div class="buttons">
        {applied > 0 && (
          <button type="button" class="primary" onClick={() => void importFile(file, outcome)}>
            {label(outcome.report)}
          </button>
        )}
        <RefusedDownload of={outcome} />
        <button type="button" onClick={chooseAgain}>
          Back
        </button>
      </div>
      <RefusedTable errors={errors} total={rejected} />
      {outcome.preview && outcome.preview.total > 0 && <FirstChanges of={outcome.preview} />}
    </>
  );
}
