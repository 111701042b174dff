import { tokenArgument } from '../../shared-arguments.js';
import { mutationFlags } from '../../mutation-flags.js';
import { command } from '../../declare-command.js';
import type { Command } from '../../command.js';
import { tokenColumns } from './token-columns.js';
import { showChange } from '../../record-command.js';

/** The command `token revoke`. */
export const tokenRevoke: Command = command({
  path: ['token', 'revoke'],
  aliases: ['remove', 'delete', 'rm'],
  summary: 'revoke a token',
  arguments: { name: tokenArgument },
  flags: { dryRun: mutationFlags.dryRun, yes: mutationFlags.yes },
  mutates: true,
  exits: ['token_not_found'],
  columns: tokenColumns(undefined),
  run: async (context, { name, ...mutation }) => {
    const { tokens } = await context.shop();
    // Refuses an unknown name before it asks.
    await tokens.revoke(name, { dryRun: true });
    await context.confirm(`Revoke the token ${name}?`, mutation);
    const revoked = await tokens.revoke(name, { dryRun: mutation.dryRun });
    await showChange(context, {
      columns: tokenColumns(context.settings.format),
      rows: [revoked],
      sentence: ({ id }, verb) => `${verb('Revoked', 'Would revoke')} token ${id} (${revoked.name}).`,
      dryRun: mutation.dryRun,
    });
  },
  examples: ['petstore token revoke till --yes', 'petstore token revoke till --dry-run'],
});
