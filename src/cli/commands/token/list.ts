import { tokenColumns } from './token-columns.js';
import type { Token } from '../../../domain/tokens/token.js';
import { command } from '../../declare-command.js';
import type { Command, Context } from '../../command.js';
import { once } from '../../record-command.js';
import { chosen, writeIds, writeRows, writeTable } from '../../output/view.js';

async function showList({ io, settings, globalFlags, paint, zone, note }: Context, rows: readonly Token[]): Promise<void> {
  const format = settings.format ?? (io.stdout.isTerminal ? 'table' : 'tsv');
  const columns = tokenColumns(format);
  const asked = chosen(columns, settings.fields, format);
  if (format === 'count') return io.stdout.write(`${rows.length}\n`);
  if (format === 'ids') return writeIds(io.stdout, columns, once(rows));
  if (format !== 'table') return writeRows(io.stdout, format, asked, once(rows), { header: globalFlags.header });
  await writeTable(io.stdout, asked, rows, { paint, now: io.now(), zone, note });
  if (rows.length === 0) await note('Nothing found.');
}

/** The command `token list`. */
export const tokenList: Command = command({
  path: ['token', 'list'],
  aliases: ['ls'],
  summary: 'list tokens that are not revoked',
  columns: tokenColumns(undefined),
  run: async (context) => showList(context, await (await context.shop()).tokens.list()),
  examples: ['petstore token list', 'petstore token list --json name,lastUsedAt'],
});
