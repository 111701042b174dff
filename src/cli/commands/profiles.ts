import { StoreError } from '../../domain/errors.js';
import type { Profile } from '../../settings/config-file.js';
import { command, required, type Command, type Context } from '../command.js';
import { flag, nameText, toggle } from '../flags.js';
import type { Setup } from '../program-setup.js';
import { showRecords } from '../record-command.js';
import type { Columns } from '../output/view.js';

interface Row {
  readonly name: string;
  readonly inUse: boolean;
  readonly store: string;
  readonly actor: string | undefined;
  readonly format: string | undefined;
  readonly token: 'set' | undefined;
  readonly readonly: boolean;
}

const names = ['name', 'inUse', 'store', 'actor', 'format', 'token', 'readonly'] as const satisfies readonly (keyof Row)[];

const columns: Columns<Row> = {
  all: [
    { name: 'name', heading: 'Name', value: ({ name }) => name },
    { name: 'inUse', heading: 'In use', value: ({ inUse }) => inUse, text: ({ inUse }) => (inUse ? 'yes' : '') },
    { name: 'store', heading: 'Store', least: 12, value: ({ store }) => store },
    { name: 'actor', heading: 'Actor', least: 8, leaveOut: 1, value: ({ actor }) => actor },
    { name: 'format', heading: 'Format', leaveOut: 1, value: ({ format }) => format },
    { name: 'token', heading: 'Token', leaveOut: 1, value: ({ token }) => token },
    { name: 'readonly', heading: 'Read-only', leaveOut: 2, value: ({ readonly }) => readonly, text: ({ readonly }) => (readonly ? 'yes' : '') },
  ],
  shown: names,
  json: names,
  id: 'name',
};

/** The profiles as people see them: tokens are only said to be there. */
function rowsOf(configuration: Setup['configuration'], environment: Context['io']['environment'], only?: string): readonly Row[] {
  const file = configuration.read(environment);
  const inUse = environment['PETSTORE_PROFILE'] ?? file.settings.profile;
  return [...file.profiles]
    .filter(([name]) => only === undefined || name === only)
    .map(([name, { store, actor, format, tokenFile, tokenCommand, readonly }]) => ({
      name,
      inUse: name === inUse,
      store: configuration.displayStore(file, store),
      actor,
      format,
      token: (tokenFile ?? tokenCommand) === undefined ? undefined : 'set',
      readonly: readonly === true,
    }));
}

/** What the flags that every command takes say of a profile. */
function spoken({ given, settings }: Context, configuration: Setup['configuration']): Profile {
  return {
    store: configuration.savedStore(required(given.store, '--store')),
    ...(given.actor !== undefined && { actor: settings.actor }),
    ...(given.format !== undefined && { format: given.format }),
  };
}

const addFlags = {
  tokenFile: flag('--token-file <path>', 'the file that holds the token of its server; nobody else may read it', nameText),
  tokenCommand: flag('--token-command <line>', 'a command line that prints the token', nameText),
  readonly: toggle('--readonly', 'refuse whatever would change the shop'),
  replace: toggle('--replace', 'take the place of a profile of this name'),
};

function added(configuration: Setup['configuration']): Command {
  return command({
    words: 'profile add <name>',
    summary: 'give a shop a name; --store, --actor and --format say what goes with it',
    examples: [
      'petstore profile add till --store /srv/shop.db --actor till',
      'petstore profile add books --store https://shop.example --token-command "pass show petstore" --readonly',
    ],
    flags: addFlags,
    fields: names,
    mends: true,
    keepsFormat: true,
    run: async (context, [name = ''], { tokenFile, tokenCommand, readonly, replace }) => {
      const { io, settings, given, note } = context;
      const profile: Profile = {
        ...spoken(context, configuration),
        ...(tokenFile !== undefined && { tokenFile: configuration.absolutePath(tokenFile) }),
        ...(tokenCommand !== undefined && { tokenCommand }),
        ...(readonly === true && { readonly }),
      };
      configuration.saveProfile(io.environment, name, profile, replace === true);
      // --format is for the profile; --json alone says how the answer is to look.
      const format = given.format === undefined ? settings.format : given.json === undefined ? undefined : 'json';
      const shown = { ...context, settings: { ...settings, format } };
      await showRecords(shown, { columns }, rowsOf(configuration, io.environment, name), false, ({ store }) => `Profile ${name} is kept: ${store}.`);
      await note(`Use it once with: petstore -P ${name} status, or from now on: petstore profile use ${name}`);
    },
  });
}

function nameToUse(name: string | undefined): string {
  if (name !== undefined) return name;
  throw new StoreError('input_required', 'The name of a profile is missing; --none uses no profile from now on.', 'petstore profile list');
}

function used(configuration: Setup['configuration']): Command {
  return command({
    words: 'profile use [name]',
    summary: 'work on the shop of a profile from now on',
    examples: ['petstore profile use main', 'petstore profile use --none'],
    flags: { none: toggle('--none', 'use no profile from now on') },
    fields: names,
    mends: true,
    run: async (context, [name], { none }) => {
      const { io, paint, note } = context;
      if (none === true && name !== undefined) throw new StoreError('usage', 'Give a profile or --none, not both.');
      configuration.set(io.environment, 'profile', none === true ? undefined : nameToUse(name));
      if (name === undefined) await io.stdout.write(`${paint.green('✓')} No profile is in use.\n`);
      else await showRecords(context, { columns }, rowsOf(configuration, io.environment, name), false, ({ store }) => `Profile ${name} is in use: ${store}.`);
      const before = ['PETSTORE_PROFILE', ...(name === undefined ? [] : ['PETSTORE_STORE'])].find((variable) => io.environment[variable]);
      if (before !== undefined) await note(`At present ${before} goes before it.`);
    },
  });
}

/** The commands of profiles. */
export function profileCommands(configuration: Setup['configuration']): readonly Command[] {
  return [
    command({
      words: 'profile list',
      summary: 'list the profiles',
      examples: ['petstore profile list', 'petstore profile list --json'],
      fields: names,
      mends: true,
      run: async (context) => {
        const rows = rowsOf(configuration, context.io.environment);
        await showRecords(context, { columns }, rows, true);
        if (rows.length === 0) await context.note('There are no profiles yet: petstore profile add --help');
      },
    }),
    added(configuration),
    used(configuration),
    command({
      words: 'profile remove <name>',
      summary: 'take a profile out; its shop stays as it is',
      examples: ['petstore profile remove main'],
      fields: names,
      mends: true,
      run: async (context, [name = '']) => {
        const rows = rowsOf(configuration, context.io.environment, name);
        configuration.removeProfile(context.io.environment, name);
        await showRecords(context, { columns }, rows, false, ({ store }) => `Profile ${name} is taken out; the shop at ${store} stays as it is.`);
      },
    }),
  ];
}
