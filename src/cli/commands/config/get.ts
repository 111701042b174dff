import { HintedError } from '../../../settings/hint.js';
import { argument } from '../../arguments.js';
import { settingPrompt } from '../../prompts/shared-prompts.js';
import { textArgument } from '../../shared-arguments.js';
import { settingFields, settingColumns } from './setting-columns.js';
import type { SettingWithSource } from '../../../settings/settings.js';
import { command } from '../../declare-command.js';
import type { Command } from '../../command.js';
import { showRecords } from '../../record-command.js';
import { sanitiseCell } from '../../output/sanitise.js';

/** The setting of a name; refuses an unknown name with `usage`. */
function settingNamed(all: readonly SettingWithSource[], name: string): SettingWithSource {
  const found = all.find((one) => one.name === name);
  if (found !== undefined) return found;
  throw new HintedError('usage', `"${name}" is not a setting; there are ${all.map((one) => one.name).join(', ')}.`, { command: ['config', 'list'] });
}

/** The command `config get`. */
export const configGet: Command = command({
  path: ['config', 'get'],
  summary: 'show the value of a setting',
  arguments: { name: argument({ ...textArgument, prompt: settingPrompt() }) },
  worksWithBrokenSettings: true,
  fields: settingFields,
  run: async (context, { name }) => {
    const { io, settings, setup } = context;
    const found = settingNamed(setup.configuration.list(context.globalFlags, io.environment), name);
    if (settings.format !== undefined || settings.fields !== undefined) return showRecords(context, { columns: settingColumns, rows: [found] });
    const { value = '' } = found;
    await io.stdout.write(`${io.stdout.isTerminal ? sanitiseCell(value) : value}\n`);
  },
  examples: ['petstore config get store', 'petstore config get format --json'],
});
