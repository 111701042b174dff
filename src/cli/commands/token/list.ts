import { tokenColumns } from './token-columns.js';
import { command } from '../../declare-command.js';
import type { Command } from '../../command.js';
import { formatOfResult, showList } from '../../output/view.js';

/** The command `token list`. */
export const tokenList: Command = command({
  path: ['token', 'list'],
  aliases: ['ls'],
  summary: 'list tokens that are not revoked',
  columns: tokenColumns(undefined),
  run: async (context) => showList(context, tokenColumns(formatOfResult(context)), await (await context.shop()).tokens.list()),
  examples: ['petstore token list', 'petstore token list --json name,lastUsedAt'],
});
