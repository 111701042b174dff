/** A value bound to a statement. */
export type Value = string | number | bigint | null | Uint8Array;

/** A statement with `?` for each value. */
export interface Sql {
  readonly text: string;
  readonly values: readonly Value[];
  /** The values of `@name`s, bound once for all rows; only in a statement that SQLite alone runs. */
  readonly named?: Readonly<Record<string, Value>>;
}

function isSql(part: Value | Sql): part is Sql {
  return typeof part === 'object' && part !== null && 'text' in part;
}

/** The text of a part of a statement, whose values are added to `values`. */
export function placed(part: Value | Sql, values: Value[]): string {
  if (isSql(part)) {
    values.push(...part.values);
    return part.text;
  }
  values.push(part);
  return '?';
}

/** Builds a statement; values are bound, nested statements are inserted. */
export function sql(strings: TemplateStringsArray, ...parts: readonly (Value | Sql)[]): Sql {
  let text = strings[0] ?? '';
  const values: Value[] = [];
  let index = 0;
  for (const part of parts) {
    index += 1;
    text += placed(part, values) + (strings[index] ?? '');
  }
  return { text, values };
}

/** A query for one value, whose text is built once: building it, and finding a new text among the prepared statements, takes longer than reading a row. */
export function queryFor(build: (value: Value) => Sql): (value: Value) => Sql {
  const { text, values } = build(0);
  if (values.length !== 1) throw new Error(`A query for one value has ${values.length}: ${text}`);
  return (value) => ({ text, values: [value] });
}

/** A part of a statement as text, such as the name of a column. Never pass external input: it is not escaped. */
export function raw(text: string): Sql {
  return { text, values: [] };
}

/** The empty statement, for an optional part. */
export const nothing: Sql = { text: '', values: [] };

/** Joins statements with a separator, by default as a list. */
export function join(parts: readonly Sql[], separator = ', '): Sql {
  return { text: parts.map(({ text }) => text).join(separator), values: parts.flatMap(({ values }) => values) };
}

/** A condition, or nothing where a filter has none: `q !== undefined && containing(q)`. */
export type OptionalCondition = Sql | false | undefined;

/** The conditions that are there. */
export function given(conditions: readonly OptionalCondition[]): readonly Sql[] {
  return conditions.filter((one) => one !== undefined && one !== false);
}

/** Combines the conditions that are there with AND; true for none. */
export function all(conditions: readonly OptionalCondition[]): Sql {
  const found = given(conditions);
  return found.length === 0 ? sql`1 = 1` : join(found, ' AND ');
}

/** Combines the conditions that are there with OR; false for none. */
export function any(conditions: readonly OptionalCondition[]): Sql {
  const found = given(conditions);
  return found.length === 0 ? sql`1 = 0` : sql`(${join(found, ' OR ')})`;
}

/** The list for IN with bound values; an empty list matches nothing. */
export function list(values: readonly Value[]): Sql {
  if (values.length === 0) return sql`(NULL)`;
  return { text: `(${values.map(() => '?').join(', ')})`, values };
}

/** A condition in a form for which no engine uses an index, where another condition finds fewer rows. */
export function unindexed(condition: Sql): Sql {
  return sql`(${condition}) IS TRUE`;
}
