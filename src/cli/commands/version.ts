import { command } from '../declare-command.js';
import type { Command } from '../command.js';
import type { ProgramInfo } from '../program-setup.js';
import { showRecords } from '../record-command.js';
import { columnsOf } from '../output/view.js';

const columns = columnsOf<ProgramInfo, keyof ProgramInfo>({
  version: { heading: 'Version' },
  commit: { heading: 'Commit' },
  node: { heading: 'Node.js' },
  sqlite: { heading: 'SQLite' },
  platform: { heading: 'Platform' },
});

/** The command `version`. */
export const versionCommand: Command = command({
  path: ['version'],
  summary: 'show the versions of petstore, Node.js and SQLite',
  columns,
  run: async (context) => showRecords(context, { columns, rows: [await context.setup.about()] }),
  examples: ['petstore version', 'petstore version --json'],
});
