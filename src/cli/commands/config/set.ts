import { HintedError } from '../../../settings/hint.js';
import { textArgument } from '../../shared-arguments.js';
import { argument, optional } from '../../arguments.js';
import type { Dialogue } from '../../prompts/prompt.js';
import { settingPrompt } from '../../prompts/shared-prompts.js';
import { settingFields } from './setting-columns.js';
import { command } from '../../declare-command.js';
import type { Command, Context } from '../../command.js';
import { toggle } from '../../flags.js';
import { isJson, jsonText } from '../../../settings/output-format.js';
import { sanitiseCell } from '../../output/sanitise.js';
import { StoreError } from '../../../domain/errors.js';
import { writeText } from '../../output/wrapped-text.js';

/** Reports the saved setting, and what overrides it at present. */
async function reportSaved({ io, settings, globalFlags, paint, note, setup }: Context, name: string, value: string | undefined): Promise<void> {
  const kept = { name, value, source: 'config file' };
  if (isJson(settings.format)) return io.stdout.write(jsonText(kept, settings.format));
  const sentence =
    value === undefined ? `Removed ${name} from ${setup.configuration.path(io.environment)}` : `Saved ${name}: ${value === '' ? 'empty' : value}`;
  await writeText(io.stdout, `${paint.green('✓')} ${sanitiseCell(sentence)}.\n`);
  const now = setup.configuration.list(globalFlags, io.environment).find((one) => one.name === name);
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

/** The command `config set`. */
export const configSet: Command = command({
  path: ['config', 'set'],
  summary: 'save a setting',
  arguments: { name: argument({ ...textArgument, prompt: settingPrompt({ savable: true }) }), value: optional(valueArgument) },
  flags: { unset: toggle({ long: 'unset', summary: 'remove the setting instead' }) },
  worksWithBrokenSettings: true,
  fields: settingFields,
  run: async (context, { name, value, unset }) => {
    if (unset === true && value !== undefined) throw new StoreError('usage', 'Give a value or --unset, not both.');
    const { settings } = context.setup.configuration.set(context.io.environment, name, unset === true ? undefined : valueToKeep(value));
    const kept = settings[name as keyof typeof settings];
    await reportSaved(context, name, kept === undefined ? undefined : String(kept));
  },
  examples: ['petstore config set format csv', 'petstore config set wait 30', 'petstore config set format --unset'],
});
