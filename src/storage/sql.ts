/** A value bound to a statement. */
export type Value = string | number | bigint | null | Uint8Array;

/** A statement with its values; `?` stands for each value in turn. */
export interface Sql {
  readonly text: string;
  readonly values: readonly Value[];
}

function isSql(part: Value | Sql): part is Sql {
  return typeof part === 'object' && part !== null && 'text' in part;
}

/** Builds a statement: values are bound, statements are spliced in. */
export function sql(strings: TemplateStringsArray, ...parts: readonly (Value | Sql)[]): Sql {
  let text = strings[0] ?? '';
  const values: Value[] = [];
  for (const [index, part] of parts.entries()) {
    if (isSql(part)) {
      text += part.text;
      values.push(...part.values);
    } else {
      text += '?';
      values.push(part);
    }
    text += strings[index + 1] ?? '';
  }
  return { text, values };
}

/** The statement of nothing, for an optional part. */
export const nothing: Sql = { text: '', values: [] };

/** Joins statements with a separator. */
export function join(parts: readonly Sql[], separator: string): Sql {
  return { text: parts.map(({ text }) => text).join(separator), values: parts.flatMap(({ values }) => values) };
}

/** All conditions at once; no condition holds always. */
export function all(conditions: readonly Sql[]): Sql {
  return conditions.length === 0 ? sql`1 = 1` : join(conditions, ' AND ');
}

/** At least one condition; none of none. */
export function any(conditions: readonly Sql[]): Sql {
  return conditions.length === 0 ? sql`1 = 0` : sql`(${join(conditions, ' OR ')})`;
}

/** A bound list for IN; an empty one holds nothing, in a spelling every engine takes. */
export function list(values: readonly Value[]): Sql {
  if (values.length === 0) return sql`(NULL)`;
  return { text: `(${values.map(() => '?').join(', ')})`, values };
}
