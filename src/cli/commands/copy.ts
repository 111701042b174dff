import { requiredFlag, flag } from '../flags.js';
import { completeFiles } from '../completion/completers.js';
import type { CopyReport } from '../../domain/maintenance/copy.js';
import { command } from '../declare-command.js';
import { mutationFlags } from '../mutation-flags.js';
import type { Command, Context } from '../command.js';
import { grouped } from '../output/numbers.js';
import { textPrompt } from '../prompts/shared-prompts.js';
import { nameText } from '../readers.js';
import { isJson, jsonText } from '../../settings/output-format.js';
import { copyingBar } from '../output/progress.js';
import { sanitiseCell } from '../output/sanitise.js';
import { writeText } from '../output/wrapped-text.js';

const shownDigits = 12;

async function writeReport({ io, paint }: Context, { from, to, tables, verified }: CopyReport): Promise<void> {
  const counts = tables.map(({ rows }) => grouped(rows));
  const widths = [tables.map(({ name }) => name), counts].map((cells) => Math.max(...cells.map((cell) => cell.length)));
  const lines = tables.map(
    ({ name, sha256 }, index) => `${name.padEnd(widths[0] ?? 0)}  ${counts[index]?.padStart(widths[1] ?? 0)}  ${sha256.slice(0, shownDigits)}\n`,
  );
  const rows = grouped(tables.reduce((sum, table) => sum + table.rows, 0));
  const places = `from ${sanitiseCell(from)} to ${sanitiseCell(to)}`;
  const outcome = verified ? `${paint.green('✓')} Copied ${rows} rows ${places} and compared them.` : `Would copy ${rows} rows ${places}.`;
  await writeText(io.stdout, `${lines.join('')}${outcome}\n`);
}

/** The command `copy`. */
export const copyCommand: Command = command({
  path: ['copy'],
  summary: 'copy a whole shop to a new file or an empty database',
  flags: {
    from: requiredFlag(
      flag({
        long: 'from',
        value: 'shop',
        summary: 'the file or PostgreSQL database to copy; not the address of a server',
        takesWord: true,
        read: nameText,
        complete: completeFiles,
        prompt: textPrompt('Copy from (a file or a database):'),
      }),
      { question: 'Copy which shop?', example: 'shop.db' },
    ),
    to: requiredFlag(
      flag({
        long: 'to',
        value: 'shop',
        summary: 'a new file, or an empty PostgreSQL database, to copy to',
        takesWord: true,
        read: nameText,
        complete: completeFiles,
        prompt: textPrompt('Copy to (a file or a database):'),
      }),
      { question: 'Copy it to where?', example: 'copy.db' },
    ),
    dryRun: mutationFlags.dryRun,
  },
  mutates: true,
  exits: ['store_not_empty'],
  run: async (context, { from, to, dryRun }) => {
    const { io, settings, note, setup } = context;
    const bar = await copyingBar(context);
    const report = await setup.copy(settings, { from, to, dryRun: dryRun === true, onProgress: bar?.show }).finally(() => bar?.stop());
    if (isJson(settings.format)) await io.stdout.write(jsonText(report, settings.format));
    else await writeReport(context, report);
    await note(dryRun === true ? 'Dry run: nothing was changed.' : 'To use the copy, name it with --store or PETSTORE_STORE.');
  },
  examples: ['petstore copy --from shop.db --to new.db', 'petstore copy --from shop.db --to new.db --dry-run --json'],
});
