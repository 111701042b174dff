import { command } from '../declare-command.js';
import type { Command } from '../command.js';
import type { ProgramInfo } from '../program-setup.js';
import { showRecords } from '../record-command.js';
import type { Columns } from '../output/view.js';

const columns: Columns<ProgramInfo> = {
  all: [
    { name: 'version', heading: 'Version', value: ({ version }) => version },
    { name: 'commit', heading: 'Commit', value: ({ commit }) => commit },
    { name: 'node', heading: 'Node.js', value: ({ node }) => node },
    { name: 'sqlite', heading: 'SQLite', value: ({ sqlite }) => sqlite },
    { name: 'platform', heading: 'Platform', value: ({ platform }) => platform },
  ],
  shown: ['version', 'commit', 'node', 'sqlite', 'platform'],
  json: ['version', 'commit', 'node', 'sqlite', 'platform'],
  id: 'version',
};

/** The command `version`. */
export const versionCommand: Command = command({
  path: ['version'],
  summary: 'show the versions of petstore, Node.js and SQLite',
  columns,
  run: async (context) => showRecords(context, { columns, rows: [await context.setup.about()] }),
  examples: ['petstore version', 'petstore version --json'],
});
