import { profileArgument } from '../../shared-arguments.js';
import { profileRows, profileColumns } from './profile-columns.js';
import { command } from '../../declare-command.js';
import type { Command } from '../../command.js';
import { showRecords } from '../../record-command.js';

/** The command `profile remove`. */
export const profileRemove: Command = command({
  path: ['profile', 'remove'],
  aliases: ['delete', 'rm'],
  summary: 'remove a profile; its shop is not changed',
  arguments: { name: profileArgument },
  worksWithBrokenSettings: true,
  columns: profileColumns,
  run: async (context, { name }) => {
    const rows = profileRows(context, name);
    context.setup.configuration.removeProfile(context.io.environment, name);
    await showRecords(context, {
      columns: profileColumns,
      rows,
      sentence: ({ store }) => `Removed profile ${name}; the shop at ${store} is not changed.`,
    });
  },
  examples: ['petstore profile remove main'],
});
