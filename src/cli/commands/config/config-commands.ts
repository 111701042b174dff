import { configPath, settingNamed, unknownSetting } from '../../../settings/config-file.js';
import { saveSetting } from '../../../settings/edit-config.js';
import { isJson, jsonText } from '../../../settings/output-format.js';
import { type SavedName, settingTable } from '../../../settings/setting-table.js';
import { listSettings, type SettingWithSource } from '../../../settings/settings.js';
import { argument, optional } from '../../arguments.js';
import type { Command, Context } from '../../command.js';
import { command, requireEither } from '../../declare-command.js';
import { toggle } from '../../flags.js';
import { sanitiseCell } from '../../output/sanitise.js';
import { columnsOf, showList } from '../../output/view.js';
import type { Dialogue } from '../../prompts/prompt.js';
import { listPrompt } from '../../prompts/shared-prompts.js';
import { showRecords } from '../../record-command.js';
import { textArgument } from '../../shared-arguments.js';

const settingColumns = columnsOf<SettingWithSource, keyof SettingWithSource>({
  name: { heading: 'Setting' },
  value: { heading: 'Value', least: 12, wraps: true },
  source: { heading: 'Source' },
});

const configList = command({
  path: ['config', 'list'],
  aliases: ['ls'],
  summary: 'list the settings and the source of each',
  worksWithBrokenSettings: true,
  columns: settingColumns,
  run: async (context) => showList(context, settingColumns, listSettings(context.globalFlags, context.io.environment)),
  examples: ['petstore config list', 'petstore config list --json'],
});

const configGet = command({
  path: ['config', 'get'],
  summary: 'show the value of a setting',
  arguments: { name: argument({ ...textArgument, prompt: listPrompt('setting') }) },
  worksWithBrokenSettings: true,
  columns: settingColumns,
  run: async (context, { name }) => {
    const { io, settings } = context;
    const found = listSettings(context.globalFlags, io.environment).find((one) => one.name === name);
    if (found === undefined) throw unknownSetting(name, Object.keys(settingTable));
    if (settings.format !== undefined || settings.fields !== undefined) return showRecords(context, { columns: settingColumns, rows: [found] });
    const { value = '' } = found;
    await io.stdout.write(`${io.stdout.isTerminal ? sanitiseCell(value) : value}\n`);
  },
  examples: ['petstore config get store', 'petstore config get format --json'],
});

/** Reports the saved setting, and what overrides it at present. */
async function reportSaved(context: Context, name: SavedName, value: string | undefined): Promise<void> {
  const { io, globalFlags, note } = context;
  const sentence = value === undefined ? `Removed ${name} from ${configPath(io.environment)}.` : `Saved ${name}: ${value === '' ? 'empty' : value}.`;
  await showRecords(context, { columns: settingColumns, rows: [{ name, value, source: 'config file' }], sentence: () => sentence });
  const now = listSettings(globalFlags, io.environment).find((one) => one.name === name);
  if (value === undefined || now === undefined || now.source === 'config file') return;
  await note(`At present, ${now.source} overrides it.`);
}

const valueArgument = argument({
  ...textArgument,
  prompt: {
    onlyWithout: ['unset'],
    ask: ({ line }: Dialogue, { name }: { readonly name: string | undefined }) => line({ message: `Value of ${name}:`, problem: () => undefined }),
  },
});

const configSet = command({
  path: ['config', 'set'],
  summary: 'save a setting',
  arguments: { name: argument({ ...textArgument, prompt: listPrompt('savableSetting') }), value: optional(valueArgument) },
  flags: { unset: toggle({ long: 'unset', summary: 'remove the setting instead' }) },
  worksWithBrokenSettings: true,
  columns: settingColumns,
  run: async (context, { name, value, unset }) => {
    requireEither(value, unset, 'a value or --unset', ['config', 'set', '--help']);
    const { settings } = saveSetting(configPath(context.io.environment), name, value);
    const saved = settingNamed(name);
    await reportSaved(context, saved, settings[saved]?.toString());
  },
  examples: ['petstore config set format csv', 'petstore config set wait 30', 'petstore config set format --unset'],
});

const configPathCommand = command({
  path: ['config', 'path'],
  summary: 'show the path of the settings file',
  worksWithBrokenSettings: true,
  run: async ({ io, settings }) => {
    const path = configPath(io.environment);
    await io.stdout.write(isJson(settings.format) ? jsonText({ path }, settings.format) : `${io.stdout.isTerminal ? sanitiseCell(path) : path}\n`);
  },
  examples: ['petstore config path'],
});

/** The commands of the settings. */
export const configCommands: readonly Command[] = [configList, configGet, configSet, configPathCommand];
