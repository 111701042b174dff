import { tokenColumns } from './token-columns.js';
import type { Token } from '../../../domain/tokens/token.js';
import { command } from '../../declare-command.js';
import type { Command, Context } from '../../command.js';
import { formatOfResult, writeList } from '../../output/view.js';

async function showList(context: Context, rows: readonly Token[]): Promise<void> {
  const format = formatOfResult(context);
  await writeList(context, format, tokenColumns(format), rows);
  if (format === 'table' && rows.length === 0) await context.note('Nothing found.');
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
