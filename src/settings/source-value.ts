import { notEmpty } from './setting-values.js';

/** The text of a setting in one source: a flag, a variable, a profile or the config file. */
export type SourceValue = readonly [source: string, text: string | undefined];

/** The first source that has a text. */
export const firstSet = (named: readonly SourceValue[]): SourceValue | undefined => named.find(([, text]) => text !== undefined);

/** The values of one setting by source. */
export interface SourceValues {
  readonly flag?: SourceValue;
  readonly environment?: readonly SourceValue[];
  readonly profile?: string | undefined;
  readonly default?: string | undefined;
}

/** A PETSTORE_ variable; refuses an empty one with `usage` instead of silently using the default. */
export function variable(name: string, text: string | undefined): SourceValue {
  return [name, text === undefined ? undefined : notEmpty(text, name, `unset ${name}`)];
}
