import { settingFields, settingColumns } from './setting-columns.js';
import { command } from '../../declare-command.js';
import type { Command } from '../../command.js';
import { showRecords } from '../../record-command.js';

/** The command `config list`. */
export const configList: Command = command({
  path: ['config', 'list'],
  aliases: ['ls'],
  summary: 'list the settings and the source of each',
  worksWithBrokenSettings: true,
  fields: settingFields,
  run: async (context) => {
    const rows = context.setup.configuration.list(context.globalFlags, context.io.environment);
    await showRecords(context, { columns: settingColumns, rows, isList: true });
  },
  examples: ['petstore config list', 'petstore config list --json'],
});
