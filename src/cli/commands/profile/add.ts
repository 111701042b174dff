import { missingFlag, flag, toggle } from '../../flags.js';
import { completeFiles } from '../../completion/completers.js';
import { argument } from '../../arguments.js';
import { namePrompt, textPrompt } from '../../prompts/shared-prompts.js';
import { profileArgument } from '../../shared-arguments.js';
import { profileColumns, profileRows } from './profile-columns.js';
import type { Profile } from '../../../settings/setting-table.js';
import { command } from '../../declare-command.js';
import type { Command, Context } from '../../command.js';
import { nameText } from '../../readers.js';
import { showRecords } from '../../record-command.js';

/** The part of a profile that the global flags give; refuses with `input_required` without --store. */
function profileOfFlags({ globalFlags, settings, setup }: Context): Profile {
  if (globalFlags.store === undefined) throw missingFlag('store', { question: 'Which shop?', example: 'shop.db' });
  return {
    store: setup.configuration.savedStore(globalFlags.store),
    ...(globalFlags.actor !== undefined && { actor: settings.actor }),
    ...(globalFlags.format !== undefined && { format: globalFlags.format }),
  };
}

const addFlags = {
  tokenFile: flag({
    long: 'token-file',
    value: 'path',
    summary: 'the file with the token of the server; must be private to you',
    read: nameText,
    complete: completeFiles,
  }),
  tokenCommand: flag({ long: 'token-command', value: 'line', summary: 'a shell command that prints the token', read: nameText }),
  readonly: toggle({ long: 'readonly', summary: 'refuse all changes of the shop' }),
  replace: toggle({ long: 'replace', summary: 'replace an existing profile of this name' }),
};

/** The command `profile add`. */
export const profileAdd: Command = command({
  path: ['profile', 'add'],
  aliases: ['create', 'new'],
  summary: 'save a named shop with its --store, --actor and --format',
  arguments: { name: argument({ ...profileArgument, prompt: namePrompt('Name of the profile:') }) },
  flags: addFlags,
  globalPrompts: { store: { long: 'store', prompt: textPrompt('Its shop (a file, or the address of a server or a database):') } },
  worksWithBrokenSettings: true,
  savesFormat: true,
  columns: profileColumns,
  run: async (context, { name, tokenFile, tokenCommand, readonly, replace }) => {
    const { io, settings, globalFlags, note, setup } = context;
    const profile: Profile = {
      ...profileOfFlags(context),
      ...(tokenFile !== undefined && { tokenFile: setup.configuration.absolutePath(tokenFile) }),
      ...(tokenCommand !== undefined && { tokenCommand }),
      ...(readonly === true && { readonly }),
    };
    setup.configuration.saveProfile(io.environment, name, profile, replace === true);
    // --format is saved in the profile; only --json and --jq choose the format of this result.
    const wantsJson = globalFlags.json !== undefined || globalFlags.jq !== undefined;
    const format = globalFlags.format === undefined ? settings.format : wantsJson ? 'json' : undefined;
    const shown = { ...context, settings: { ...settings, format } };
    await showRecords(shown, { columns: profileColumns, rows: profileRows(context, name), sentence: ({ store }) => `Saved profile ${name}: ${store}.` });
    await note(`Use it for one command: petstore -P ${name} status. Use it from now on: petstore profile use ${name}`);
  },
  examples: [
    'petstore profile add till --store /srv/shop.db --actor till',
    'petstore profile add books --store https://shop.example --token-command "pass show petstore" --readonly',
  ],
});
