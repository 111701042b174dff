import { HintedError } from '../../../settings/hint.js';
import type { ReadOperation } from '../../../domain/operation.js';
import { formatDateTime } from '../../../domain/values/time.js';
import type { NoArguments } from '../../arguments.js';
import { buildCommand, type CommandDeclaration } from '../../declare-command.js';
import type { Command } from '../../command.js';
import { flag, type Flags, type FlagValues } from '../../flags.js';
import { instantAt } from '../../readers.js';
import { once } from '../../record-command.js';
import type { Screen } from '../../output/table.js';
import { chosen, writeRows, writeTable, type Column, type Columns } from '../../output/view.js';

/** What a chart is drawn on. */
export interface Canvas extends Screen {
  /** The present day (UTC), such as 2026-11-20. */
  readonly today: string;
}

/** The day of a time: 2026-11-20. */
export const dayOf = (time: string): string => time.slice(0, 10);

/** Declares a command that shows the rows of a report. */
export function reportCommand<Request, Input, Row, F extends Flags>(
  declaration: CommandDeclaration<NoArguments, F> & {
    readonly operation: ReadOperation<Request, Input, readonly Row[]>;
    readonly all: readonly Column<Row>[];
    /** The default columns for these flags; all without it. */
    readonly shown?: (flags: FlagValues<F>) => readonly string[];
    readonly input: (flags: FlagValues<F>) => NoInfer<Request>;
    /** What a terminal shows below the table; nothing for an empty text. */
    readonly chart?: (rows: readonly Row[], flags: FlagValues<F>, canvas: Canvas) => Promise<string>;
  },
): Command {
  const { operation, all, shown, input, chart, ...others } = declaration;
  const allNames = all.map(({ name }) => name);
  return buildCommand({
    ...others,
    operations: [operation],
    fields: allNames,
    run: async ({ io, settings, paint, shop, note }, values: FlagValues<F>) => {
      const format = settings.format ?? (io.stdout.isTerminal ? 'table' : 'tsv');
      if (format === 'ids') throw new HintedError('usage', 'Reports have no ids.', { command: ['report', '--help'] });
      const names = shown?.(values) ?? allNames;
      // A table shows the names of categories only, to leave room for the figures.
      const columns: Columns<Row> = { all, shown: format === 'table' ? names.filter((name) => name !== 'categoryId') : names, json: names, id: '' };
      const selected = chosen(columns, settings.fields, format);
      const rows = await (await shop()).call(operation, input(values));
      if (format === 'count') return io.stdout.write(`${rows.length}\n`);
      if (format !== 'table') return writeRows(io.stdout, format, selected, once(rows));
      await writeTable(io.stdout, selected, rows, { paint, now: io.now(), note });
      if (rows.length === 0) return note('Nothing found.');
      // With --fields or in a file, only the table.
      if (chart === undefined || !io.stdout.isTerminal || settings.fields !== undefined) return;
      const drawn = await chart(rows, values, { columns: io.stdout.columns, paint, today: dayOf(formatDateTime(io.now())) });
      if (drawn !== '') await io.stdout.write(`\n${drawn}`);
    },
  });
}

/** The flags that limit a report in time. */
export const timeRange = {
  from: flag({
    long: 'from',
    value: 'time',
    summary: 'start at this day (UTC) or time',
    default: 'the first entry of the ledger',
    read: instantAt('start'),
  }),
  to: flag({ long: 'to', value: 'time', summary: 'end at this day (UTC, to its end) or time', default: 'now', read: instantAt('end') }),
};
