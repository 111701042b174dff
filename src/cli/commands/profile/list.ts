import { profileFields, profileRows, profileColumns } from './profile-columns.js';
import { command } from '../../declare-command.js';
import type { Command } from '../../command.js';
import { showRecords } from '../../record-command.js';

/** The command `profile list`. */
export const profileList: Command = command({
  path: ['profile', 'list'],
  aliases: ['ls'],
  summary: 'list the profiles',
  worksWithBrokenSettings: true,
  fields: profileFields,
  run: async (context) => {
    const rows = profileRows(context);
    await showRecords(context, { columns: profileColumns, rows, isList: true });
    if (rows.length === 0) await context.note('No profiles yet; create one with: petstore profile add --help');
  },
  examples: ['petstore profile list', 'petstore profile list --json'],
});
