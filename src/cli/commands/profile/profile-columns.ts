import type { Context } from '../../command.js';
import type { Columns } from '../../output/view.js';

interface Row {
  readonly name: string;
  readonly inUse: boolean;
  readonly store: string;
  readonly actor: string | undefined;
  readonly format: string | undefined;
  readonly token: 'set' | undefined;
  readonly readonly: boolean;
}

/** The fields of a profile. */
export const profileFields = ['name', 'inUse', 'store', 'actor', 'format', 'token', 'readonly'] as const satisfies readonly (keyof Row)[];

/** The columns of a list of profiles. */
export const profileColumns: Columns<Row> = {
  all: [
    { name: 'name', heading: 'Name', value: ({ name }) => name },
    { name: 'inUse', heading: 'In use', value: ({ inUse }) => inUse, text: ({ inUse }) => (inUse ? 'yes' : '') },
    { name: 'store', heading: 'Store', least: 12, value: ({ store }) => store },
    { name: 'actor', heading: 'Actor', least: 8, leaveOut: 1, value: ({ actor }) => actor },
    { name: 'format', heading: 'Format', leaveOut: 1, value: ({ format }) => format },
    { name: 'token', heading: 'Token', leaveOut: 1, value: ({ token }) => token },
    { name: 'readonly', heading: 'Read-only', leaveOut: 2, value: ({ readonly }) => readonly, text: ({ readonly }) => (readonly ? 'yes' : '') },
  ],
  shown: profileFields,
  json: profileFields,
  id: 'name',
};

/** The saved profiles, or one of them; tokens are not shown. */
export function profileRows({ setup: { configuration }, io: { environment } }: Context, only?: string): readonly Row[] {
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
