import { dirname, resolve } from 'node:path';
import { configPath, readConfig } from '../../../settings/config-file.js';
import { removeProfile, saveProfile, saveSetting } from '../../../settings/edit-config.js';
import type { Profile } from '../../../settings/setting-table.js';
import { profileInUse } from '../../../settings/settings.js';
import { savedStoreAddress, storeAddress } from '../../../settings/store-address.js';
import { isReadByOthers, privateFileAdvice } from '../../../settings/token-source.js';
import { isJson, jsonText } from '../../../settings/output-format.js';
import { argument, askedOnlyWithout, optional } from '../../arguments.js';
import type { Command, Context } from '../../command.js';
import { completeFiles } from '../../completion/completers.js';
import { command, requireEither } from '../../declare-command.js';
import { flag, missingFlag, toggle } from '../../flags.js';
import { columnsOf, showList } from '../../output/view.js';
import { namePrompt, textPrompt } from '../../prompts/shared-prompts.js';
import { nameText } from '../../readers.js';
import { showRecords } from '../../record-command.js';
import { profileArgument } from '../../shared-arguments.js';

interface Row {
  readonly name: string;
  readonly inUse: boolean;
  readonly store: string;
  readonly actor: string | undefined;
  readonly format: string | undefined;
  readonly token: 'set' | undefined;
  readonly readonly: boolean;
}

const profileColumns = columnsOf<Row, keyof Row>({
  name: { heading: 'Name' },
  inUse: { heading: 'In use', text: ({ inUse }) => (inUse ? 'yes' : '') },
  store: { heading: 'Store', least: 12 },
  actor: { heading: 'Actor', least: 8, leaveOut: 1 },
  format: { heading: 'Format', leaveOut: 1 },
  token: { heading: 'Token', leaveOut: 1 },
  readonly: { heading: 'Read-only', leaveOut: 2, text: ({ readonly }) => (readonly ? 'yes' : '') },
});

/** The saved profiles, or one of them; tokens are not shown. */
function profileRows({ io: { environment }, globalFlags }: Context, only?: string): readonly Row[] {
  const { path, profiles } = readConfig(configPath(environment));
  const { value: inUse } = profileInUse(globalFlags, environment);
  return [...profiles]
    .filter(([name]) => only === undefined || name === only)
    .map(([name, { store, actor, format, tokenFile, tokenCommand, readonly }]) => ({
      name,
      inUse: name === inUse,
      store: storeAddress(store, dirname(path)).where,
      actor,
      format,
      token: (tokenFile ?? tokenCommand) === undefined ? undefined : 'set',
      readonly: readonly === true,
    }));
}

const profileList = command({
  path: ['profile', 'list'],
  aliases: ['ls'],
  summary: 'list the profiles',
  worksWithBrokenSettings: true,
  columns: profileColumns,
  run: async (context) => showList(context, profileColumns, profileRows(context), 'No profiles yet; create one with: petstore profile add --help'),
  examples: ['petstore profile list', 'petstore profile list --json'],
});

/** The part of a profile that the global flags give; refuses with `input_required` without --store. */
function profileOfFlags({ globalFlags, settings }: Context): Profile {
  if (globalFlags.store === undefined) throw missingFlag('store', { question: 'Which shop?', example: 'shop.db' });
  return {
    store: savedStoreAddress(globalFlags.store).store,
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

const profileAdd = command({
  path: ['profile', 'add'],
  aliases: ['create', 'new'],
  summary: 'save a named shop with its --store, --actor and --format',
  arguments: { name: argument({ ...profileArgument, prompt: namePrompt('Name of the profile:') }) },
  flags: addFlags,
  globalPrompts: { store: { long: 'store', prompt: textPrompt('Its shop (a file, or the address of a server or a database):') } },
  worksWithBrokenSettings: true,
  columns: profileColumns,
  run: async (context, { name, tokenFile, tokenCommand, readonly, replace }) => {
    const { io, note } = context;
    const profile: Profile = {
      ...profileOfFlags(context),
      ...(tokenFile !== undefined && { tokenFile: resolve(tokenFile) }),
      ...(tokenCommand !== undefined && { tokenCommand }),
      ...(readonly === true && { readonly }),
    };
    saveProfile(configPath(io.environment), name, profile, replace === true);
    const { tokenFile: file } = profile;
    if (file !== undefined && isReadByOthers(file)) await note(`Other users can read ${file}; it is refused until it is private: ${privateFileAdvice(file)}`);
    await showRecords(context, { columns: profileColumns, rows: profileRows(context, name), sentence: ({ store }) => `Saved profile ${name}: ${store}.` });
    await note(`Use it for one command: petstore -P ${name} status. Use it from now on: petstore profile use ${name}`);
  },
  examples: [
    'petstore profile add till --store /srv/shop.db --actor till',
    'petstore profile add books --store https://shop.example --token-command "pass show petstore" --readonly',
  ],
});

const profileUse = command({
  path: ['profile', 'use'],
  summary: 'use the shop of a profile from now on',
  arguments: { name: optional(askedOnlyWithout(profileArgument, ['none'])) },
  flags: { none: toggle({ long: 'none', summary: 'use no profile from now on' }) },
  worksWithBrokenSettings: true,
  columns: profileColumns,
  run: async (context, { name, none }) => {
    const { io, settings, paint, note } = context;
    requireEither(name, none, 'a profile or --none', ['profile', 'list']);
    saveSetting(configPath(io.environment), 'profile', name);
    const noProfile = isJson(settings.format) ? jsonText({ inUse: false }, settings.format) : `${paint.green('✓')} Using no profile.\n`;
    if (name === undefined) await io.stdout.write(noProfile);
    else await showRecords(context, { columns: profileColumns, rows: profileRows(context, name), sentence: ({ store }) => `Using profile ${name}: ${store}.` });
    const before = ['PETSTORE_PROFILE', ...(name === undefined ? [] : ['PETSTORE_STORE'])].find((variable) => io.environment[variable]);
    if (before !== undefined) await note(`At present, ${before} overrides it.`);
  },
  examples: ['petstore profile use main', 'petstore profile use --none'],
});

const profileRemove = command({
  path: ['profile', 'remove'],
  aliases: ['delete', 'rm'],
  summary: 'remove a profile; its shop is not changed',
  arguments: { name: profileArgument },
  worksWithBrokenSettings: true,
  columns: profileColumns,
  run: async (context, { name }) => {
    const rows = profileRows(context, name);
    removeProfile(configPath(context.io.environment), name);
    await showRecords(context, {
      columns: profileColumns,
      rows,
      sentence: ({ store }) => `Removed profile ${name}; the shop at ${store} is not changed.`,
    });
  },
  examples: ['petstore profile remove main'],
});

/** The commands of profiles. */
export const profileCommands: readonly Command[] = [profileList, profileAdd, profileUse, profileRemove];
