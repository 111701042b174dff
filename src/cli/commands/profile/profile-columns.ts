import type { Context } from '../../command.js';
import type { Columns } from '../../output/view.js';

interface Row {
  readonly name: string;
  readonly inUse: boolean;
  readonly store: string;
  readonly readStore: string | undefined;
  readonly actor: string | undefined;
  readonly format: string | undefined;
  readonly token: 'set' | undefined;
  readonly readonly: boolean;
}

/** The fields of a profile that a list shows. */
const shownFields = ['name', 'inUse', 'store', 'actor', 'format', 'token', 'readonly'] as const satisfies readonly (keyof Row)[];
/** The fields of a profile. */
export const profileFields = [...shownFields, 'readStore'] as const satisfies readonly (keyof Row)[];

/** The columns of a list of profiles. */
export const profileColumns: Columns<Row> = {
  all: [
    { name: 'name', heading: 'Name', value: ({ name }) => name },
    { name: 'inUse', heading: 'In use', value: ({ inUse }) => inUse, text: ({ inUse }) => (inUse ? 'yes' : '') },
    { name: 'store', heading: 'Store', least: 12, value: ({ store }) => store },
    { name: 'actor', heading: 'Actor', least: 8, leaveOut: 1, value: ({ actor }) => actor },
    { name: 'format', heading: 'Format', leaveOut: 1, value: ({ format }) => format },
    { name: 'token', heading: 'Token', leaveOut: 1, value: ({ token }) => token },
    { name: 'readStore', heading: 'Read store', least: 12, leaveOut: 1, value: ({ readStore }) => readStore },
    { name: 'readonly', heading: 'Read-only', leaveOut: 2, value: ({ readonly }) => readonly, text: ({ readonly }) => (readonly ? 'yes' : '') },
  ],
  shown: shownFields,
  json: profileFields,
  id: 'name',
};

/** The saved profiles, or one of them; tokens are not shown. */
export function profileRows({ setup: { configuration }, io: { environment } }: Context, only?: string): readonly Row[] {
  const file = configuration.read(environment);
  const inUse = environment['PETSTORE_PROFILE'] ?? file.settings.profile;
  return [...file.profiles]
    .filter(([name]) => only === undefined || name === only)
    .map(([name, { store, readStore, actor, format, tokenFile, tokenCommand, readonly }]) => ({
      name,
      inUse: name === inUse,
      store: configuration.displayStore(file, store),
      readStore: readStore === undefined ? undefined : configuration.displayStore(file, readStore),
      actor,
      format,
      token: (tokenFile ?? tokenCommand) === undefined ? undefined : 'set',
      readonly: readonly === true,
    }));
}
