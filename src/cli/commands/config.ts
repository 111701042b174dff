import type { SettingWithSource } from '../../settings/settings.js';
import { command, type Command, type Context } from '../command.js';
import { toggle } from '../flags.js';
import { isJson, jsonText } from '../../settings/output-format.js';
import type { Setup } from '../program-setup.js';
import { showRecords } from '../record-command.js';
import { sanitiseCell } from '../output/sanitise.js';
import { StoreError } from '../../domain/errors.js';
import type { Columns } from '../output/view.js';

const names = ['name', 'value', 'source'] as const;

const columns: Columns<SettingWithSource> = {
  all: [
    { name: 'name', heading: 'Setting', value: ({ name }) => name },
    { name: 'value', heading: 'Value', least: 12, value: ({ value }) => value },
    { name: 'source', heading: 'Source', value: ({ source }) => source },
  ],
  shown: names,
  json: names,
  id: 'name',
};

function settingNamed(all: readonly SettingWithSource[], name: string): SettingWithSource {
  const found = all.find((one) => one.name === name);
  if (found !== undefined) return found;
  throw new StoreError('usage', `"${name}" is not a setting; there are ${all.map((one) => one.name).join(', ')}.`, 'petstore config list');
}

/** Says what was kept, and what goes before it at present. */
async function reportSaved(
  { io, settings, given, paint, note }: Context,
  configuration: Setup['configuration'],
  name: string,
  value: string | undefined,
): Promise<void> {
  const kept = { name, value, source: 'config file' };
  if (isJson(settings.format)) return io.stdout.write(jsonText(kept, settings.format));
  const sentence =
    value === undefined ? `${name} is taken out of ${configuration.path(io.environment)}` : `${name} is ${value === '' ? 'empty' : value} from now on`;
  await io.stdout.write(`${paint.green('✓')} ${sanitiseCell(sentence)}.\n`);
  const now = configuration.list(given, io.environment).find((one) => one.name === name);
  if (value !== undefined && now !== undefined && now.source !== 'config file') await note(`At present ${now.source} goes before it.`);
}

function valueToKeep(value: string | undefined): string {
  if (value !== undefined) return value;
  throw new StoreError('input_required', 'The value is missing; --unset takes the setting out.', 'petstore config set --help');
}

/** The commands of the settings. */
export function configCommands(configuration: Setup['configuration']): readonly Command[] {
  return [
    command({
      words: 'config list',
      summary: 'list the settings, and where each comes from',
      examples: ['petstore config list', 'petstore config list --json'],
      fields: names,
      mends: true,
      run: (context) => showRecords(context, { columns }, configuration.list(context.given, context.io.environment), true),
    }),
    command({
      words: 'config get <name>',
      summary: 'show what a setting comes to',
      examples: ['petstore config get store', 'petstore config get format --json'],
      fields: names,
      mends: true,
      run: async (context, [name = '']) => {
        const { io, settings } = context;
        const found = settingNamed(configuration.list(context.given, io.environment), name);
        if (settings.format !== undefined || settings.fields !== undefined) return showRecords(context, { columns }, [found], false);
        const { value = '' } = found;
        await io.stdout.write(`${io.stdout.isTerminal ? sanitiseCell(value) : value}\n`);
      },
    }),
    command({
      words: 'config set <name> [value]',
      summary: 'keep a setting for every command to come',
      examples: ['petstore config set format csv', 'petstore config set wait 30', 'petstore config set format --unset'],
      flags: { unset: toggle('--unset', 'take the setting out instead') },
      fields: names,
      mends: true,
      run: async (context, [name = '', value], { unset }) => {
        if (unset === true && value !== undefined) throw new StoreError('usage', 'Give a value or --unset, not both.');
        const { settings } = configuration.set(context.io.environment, name, unset === true ? undefined : valueToKeep(value));
        const kept = settings[name as keyof typeof settings];
        await reportSaved(context, configuration, name, kept === undefined ? undefined : String(kept));
      },
    }),
    command({
      words: 'config path',
      summary: 'show which file the settings are kept in',
      examples: ['petstore config path'],
      mends: true,
      run: async ({ io, settings }) => {
        const path = configuration.path(io.environment);
        await io.stdout.write(isJson(settings.format) ? jsonText({ path }, settings.format) : `${io.stdout.isTerminal ? sanitiseCell(path) : path}\n`);
      },
    }),
  ];
}
