import { useSignal } from '@preact/signals';
import type { ComponentChildren, JSX } from 'preact';
import { Table, type Column } from '../../parts/lists/table.js';
import { saveFile } from '../../parts/save-file.js';
import { Panel } from '../../parts/screen.js';
import { RefusalBox, Shown } from '../../parts/shown.js';
import { csvText } from '../../state/csv.js';
import type { Loaded } from '../../state/live/loaded.js';
import { RefusalError } from '../../state/server/refusal.js';

interface ReportProps<Row extends object> {
  readonly title: string;
  /** What the rows count, over which time. */
  readonly caption: string;
  /** The name of the report and what was asked for, for the name of its file. */
  readonly name: string;
  readonly asked: Readonly<Record<string, string | number | undefined>>;
  readonly of: Loaded<readonly Row[]>;
  readonly columns: readonly Column<Row>[];
  readonly rowKey: (row: Row) => string | number;
  readonly empty: ComponentChildren;
  /** The fields of the CSV file, and its rows where it has more than the table. */
  readonly fields: readonly (keyof Row & string)[];
  readonly csvRows?: () => Promise<readonly Row[]>;
  /** The total, which is in the table, but not in the file. */
  readonly total?: (rows: readonly Row[]) => Row | undefined;
}

/** Saves the report as CSV, or prints it. */
function Buttons({ csv, fileName }: { readonly csv: () => Promise<string>; readonly fileName: string }): JSX.Element {
  const refusal = useSignal<RefusalError | undefined>(undefined);
  const save = async (): Promise<void> => {
    try {
      saveFile(fileName, new Blob([await csv()], { type: 'text/csv' }));
      refusal.value = undefined;
    } catch (error) {
      if (!(error instanceof RefusalError)) throw error;
      refusal.value = error;
    }
  };
  return (
    <div class="buttons">
      <button type="button" class="small" onClick={() => void save()}>
        Download CSV
      </button>
      <button type="button" class="small" onClick={() => print()}>
        Print
      </button>
      {refusal.value && <RefusalBox of={refusal.value} />}
    </div>
  );
}

function fileNameOf({ name: report, asked }: Pick<ReportProps<object>, 'name' | 'asked'>): string {
  const given = Object.entries(asked).flatMap(([name, value]) => (value === undefined ? [] : [`${name}-${value}`]));
  return `${[report, ...given].join('-')}.csv`;
}

/** A report: its figures in a table, and a file of them. */
export function Report<Row extends object>(props: ReportProps<Row>): JSX.Element {
  const { title, caption, of, columns, rowKey, empty, fields, csvRows, total } = props;
  const csv = async (): Promise<string> => csvText(fields, await (csvRows?.() ?? of.value ?? []));
  // The figures of another range are not shown below the refusal of this one.
  const isRefused = of.refusal !== undefined && of.isOutdated;
  return (
    <Panel title={title} aside={<Buttons csv={csv} fileName={fileNameOf(props)} />}>
      <p class="report-range">{caption}</p>
      <Shown of={isRefused ? { ...of, value: undefined } : of}>
        {(rows) => <Table caption={`${title}. ${caption}`} isCaptionHidden columns={columns} rows={rows} rowKey={rowKey} empty={empty} total={total?.(rows)} />}
      </Shown>
    </Panel>
  );
}
