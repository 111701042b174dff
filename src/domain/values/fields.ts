import * as v from 'valibot';

/** The values of a record's fields. */
export type FieldValues<Fields extends v.ObjectEntries> = v.InferOutput<v.ObjectSchema<Fields, undefined>>;

/** The schemas of fields in a merge patch. */
type PatchFields<Fields extends v.ObjectEntries> = {
  [Name in keyof Fields]: Fields[Name] extends v.OptionalSchema<infer Field, undefined>
    ? v.NullishSchema<Field, undefined>
    : v.OptionalSchema<Fields[Name], undefined>;
};

type OptionalSchema = v.OptionalSchema<v.GenericSchema, undefined>;

/** Whether a field may be absent. */
export function isOptional(field: v.GenericSchema): field is OptionalSchema {
  return field.type === 'optional';
}

/** Fields as a merge patch takes them (RFC 7396): each may be absent, and null removes an optional one. */
export function patchFields<Fields extends v.ObjectEntries>(fields: Fields): PatchFields<Fields> {
  const entries = Object.entries<v.GenericSchema>(fields as Record<string, v.GenericSchema>);
  return Object.fromEntries(entries.map(([name, one]) => [name, isOptional(one) ? v.nullish(one.wrapped) : v.optional(one)])) as PatchFields<Fields>;
}

/** A merge patch of a record. */
export type Patch<Values> = {
  readonly [Name in keyof Values]?: Values[Name] | (undefined extends Values[Name] ? null : never) | undefined;
};

/** The values that a record has for some fields; absent ones stay absent. */
export function pickFields<Fields extends v.ObjectEntries, Values extends { readonly [Name in keyof Fields]?: unknown }>(
  fields: Fields,
  record: Values,
): { readonly [Name in keyof Fields & keyof Values]: Values[Name] } {
  const found = record as Readonly<Record<string, unknown>>;
  const picked: Record<string, unknown> = {};
  for (const name in fields) if (found[name] !== undefined) picked[name] = found[name];
  return picked as ReturnType<typeof pickFields<Fields, Values>>;
}

/** A record after a merge patch: null removes a field, an absent one stays. */
export function applyPatch<Values extends object>(values: Values, patch: Patch<Values>): Values {
  const given = Object.entries(patch).filter(([, value]) => value !== undefined);
  return Object.fromEntries(Object.entries({ ...values, ...Object.fromEntries(given) }).filter(([, value]) => value !== null)) as Values;
}

/** Whether two records have the same values; absent and undefined are the same. */
export function haveSameValues<Values extends object>(left: Values, right: Values): boolean {
  const rights = right as Readonly<Record<string, unknown>>;
  return Object.keys({ ...left, ...right }).every((name) => (left as Readonly<Record<string, unknown>>)[name] === rights[name]);
}

/** The fields that differ, with their values in both records. */
export function changedValues<Values extends object>(before: Values, after: Values) {
  return { previous: differentValues(before, after), current: differentValues(after, before) };
}

/** The values of `before` that differ in `after`; null for a field that `before` does not have. */
function differentValues<Values extends object>(
  before: Values,
  after: Values,
): { readonly [Name in keyof Values]?: Exclude<Values[Name], undefined> | (undefined extends Values[Name] ? null : never) } {
  const [former, later] = [before as Readonly<Record<string, unknown>>, after as Readonly<Record<string, unknown>>];
  const changed = Object.keys({ ...before, ...after }).filter((name) => former[name] !== later[name]);
  return Object.fromEntries(changed.map((name) => [name, former[name] ?? null])) as ReturnType<typeof differentValues<Values>>;
}
