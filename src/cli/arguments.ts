import type { LookupKind } from '../domain/lookup.js';

/** What a value names: records of the shop, files and other things that completion can list. */
export type Named = LookupKind | 'file' | 'profile' | 'shell' | 'topic';

/** What the value of a flag names; the last two are lists with commas. */
export type NamedByFlag = Named | 'field' | 'scope';

/** One argument of a command. */
export interface Argument {
  readonly required: boolean;
  readonly repeated: boolean;
  /** What it names, for completion; undefined where any text is possible. */
  readonly names: Named | undefined;
}

/** The arguments of a command by their names, in the order in which they are typed. */
export type Arguments = Readonly<Record<string, Argument>>;

/** An argument that a command cannot do without. */
export function argument(names?: Named): Argument {
  return { required: true, repeated: false, names };
}

/** An argument that may be left out. */
export function optionalArgument(names?: Named): Argument {
  return { required: false, repeated: false, names };
}

/** One or several arguments of the same kind. */
export function repeatedArgument(names?: Named): Argument {
  return { required: true, repeated: true, names };
}

/** An argument as a usage line shows it: `<pet>`, `[file]`, `<id...>`. */
export function argumentUsage(name: string, { required, repeated }: Argument): string {
  const text = repeated ? `${name}...` : name;
  return required ? `<${text}>` : `[${text}]`;
}
