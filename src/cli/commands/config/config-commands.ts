import { StoreError } from '../../../domain/errors.js';
import { configPath, unknownSetting } from '../../../settings/config-file.js';
import { saveSetting } from '../../../settings/edit-config.js';
import { HintedError } from '../../../settings/hint.js';
import { isJson, jsonText } from '../../../settings/output-format.js';
import { settingTable } from '../../../settings/setting-table.js';
import { listSettings, type SettingWithSource } from '../../../settings/settings.js';
import { argument, optional } from '../../arguments.js';
import type { Command, Context } from '../../command.js';
import { command } from '../../declare-command.js';
import { toggle } from '../../flags.js';
import { sanitiseCell } from '../../output/sanitise.js';
import { columnsOf } from '../../output/view.js';
import { writeText } from '../../output/wrapped-text.js';
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
  run: async (context) => {
    const rows = listSettings(context.globalFlags, context.io.environment);
    await showRecords(context, { columns: settingColumns, rows, isList: true });
  },
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
async function reportSaved({ io, settings, globalFlags, paint, note }: Context, name: string, value: string | undefined): Promise<void> {
  if (isJson(settings.format)) return io.stdout.write(jsonText({ name, value, source: 'config file' }, settings.format));
  const sentence = value === undefined ? `Removed ${name} from ${configPath(io.environment)}` : `Saved ${name}: ${value === '' ? 'empty' : value}`;
  await writeText(io.stdout, `${paint.green('✓')} ${sanitiseCell(sentence)}.\n`);
  const now = listSettings(globalFlags, io.environment).find((one) => one.name === name);
  if (value === undefined || now === undefined || now.source === 'config file') return;
  await note(`At present, ${now.source} overrides it.`);
}

function valueToKeep(value: string | undefined): string {
  if (value !== undefined) return value;
  throw new HintedError('input_required', 'The value is missing; use --unset to remove the setting.', { command: ['config', 'set', '--help'] });
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
    if (unset === true && value !== undefined) throw new StoreError('usage', 'Give a value or --unset, not both.');
    const { settings } = saveSetting(configPath(context.io.environment), name, unset === true ? undefined : valueToKeep(value));
    const kept = settings[name as keyof typeof settings];
    await reportSaved(context, name, kept === undefined ? undefined : String(kept));
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
