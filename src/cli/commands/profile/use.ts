import { HintedError } from '../../../settings/hint.js';
import { askedOnlyWithout, optional } from '../../arguments.js';
import { profileArgument } from '../../shared-arguments.js';
import { profileColumns, profileRows } from './profile-columns.js';
import { StoreError } from '../../../domain/errors.js';
import { command } from '../../declare-command.js';
import type { Command } from '../../command.js';
import { toggle } from '../../flags.js';
import { showRecords } from '../../record-command.js';
import { isJson, jsonText } from '../../../settings/output-format.js';

function nameToUse(name: string | undefined): string {
  if (name !== undefined) return name;
  throw new HintedError('input_required', 'The name of the profile is missing; use --none for no profile.', { command: ['profile', 'list'] });
}

/** The command `profile use`. */
export const profileUse: Command = command({
  path: ['profile', 'use'],
  summary: 'use the shop of a profile from now on',
  arguments: { name: optional(askedOnlyWithout(profileArgument, ['none'])) },
  flags: { none: toggle({ long: 'none', summary: 'use no profile from now on' }) },
  worksWithBrokenSettings: true,
  columns: profileColumns,
  run: async (context, { name, none }) => {
    const { io, settings, paint, note, setup } = context;
    if (none === true && name !== undefined) throw new StoreError('usage', 'Give a profile or --none, not both.');
    setup.configuration.set(io.environment, 'profile', none === true ? undefined : nameToUse(name));
    const noProfile = isJson(settings.format) ? jsonText({ inUse: false }, settings.format) : `${paint.green('✓')} Using no profile.\n`;
    if (name === undefined) await io.stdout.write(noProfile);
    else await showRecords(context, { columns: profileColumns, rows: profileRows(context, name), sentence: ({ store }) => `Using profile ${name}: ${store}.` });
    const before = ['PETSTORE_PROFILE', ...(name === undefined ? [] : ['PETSTORE_STORE'])].find((variable) => io.environment[variable]);
    if (before !== undefined) await note(`At present, ${before} overrides it.`);
  },
  examples: ['petstore profile use main', 'petstore profile use --none'],
});
