import { command } from '../../declare-command.js';
import type { Command } from '../../command.js';
import { isJson, jsonText } from '../../../settings/output-format.js';
import { sanitiseCell } from '../../output/sanitise.js';

/** The command `config path`. */
export const configPath: Command = command({
  path: ['config', 'path'],
  summary: 'show the path of the settings file',
  worksWithBrokenSettings: true,
  run: async ({ io, settings, setup }) => {
    const path = setup.configuration.path(io.environment);
    await io.stdout.write(isJson(settings.format) ? jsonText({ path }, settings.format) : `${io.stdout.isTerminal ? sanitiseCell(path) : path}\n`);
  },
  examples: ['petstore config path'],
});
