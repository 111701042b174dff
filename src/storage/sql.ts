import type { Declaration, Subject } from './subjects.js';

/** A value bound to a statement. */
export type Value = string | number | bigint | null | Uint8Array;

/** A statement with `?` for each value. */
export interface Sql {
  readonly text: string;
  readonly values: readonly Value[];
  /** What it reads or changes, where that is declared. */
  readonly declaration?: Declaration | undefined;
}

function isSql(part: Value | Sql): part is Sql {
  return typeof part === 'object' && part !== null && 'text' in part;
}

/** Builds a statement; values are bound, nested statements are inserted. */
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

/**
 * A statement whose text does not depend on its values, for frequent statements: the text is built once, which takes longer
 * than running many a statement. `build` must only pass its values on.
 */
export function builtOnce<Values extends readonly Value[]>(build: (...values: Values) => Sql): (...values: Values) => Sql {
  const slots: readonly Value[] = Array.from({ length: build.length }, () => new Uint8Array(0));
  let built: Sql | undefined;
  return (...values) => {
    built ??= build(...(slots as Values));
    const valueOf = (bound: Value): Value => {
      const slot = slots.indexOf(bound);
      return slot < 0 ? bound : (values[slot] ?? null);
    };
    return { text: built.text, values: built.values.map(valueOf) };
  };
}

/** A part of a statement as text, such as the name of a column. Never pass external input: it is not escaped. */
export function raw(text: string): Sql {
  return { text, values: [] };
}

/** The empty statement, for an optional part. */
export const nothing: Sql = { text: '', values: [] };

/** Joins statements with a separator. */
export function join(parts: readonly Sql[], separator: string): Sql {
  return { text: parts.map(({ text }) => text).join(separator), values: parts.flatMap(({ values }) => values) };
}

/** A condition, or nothing where a filter has none: `q !== undefined && containing(q)`. */
export type OptionalCondition = Sql | false | undefined;

/** The conditions that are there. */
export function present(conditions: readonly OptionalCondition[]): readonly Sql[] {
  return conditions.filter((one) => one !== undefined && one !== false);
}

/** Combines the conditions that are there with AND; true for none. */
export function all(conditions: readonly OptionalCondition[]): Sql {
  const found = present(conditions);
  return found.length === 0 ? sql`1 = 1` : join(found, ' AND ');
}

/** Combines the conditions that are there with OR; false for none. */
export function any(conditions: readonly OptionalCondition[]): Sql {
  const found = present(conditions);
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

/**
 * Declares what a statement reads or changes. Do not use the number of rows of a declared change: it may not be known yet. A
 * write with a statement that is not declared never runs beside others.
 */
export function declared({ text, values }: Sql, subjects: readonly Subject[], more?: Omit<Declaration, 'subjects'>): Sql {
  return { text, values, declaration: more === undefined ? { subjects } : { subjects, ...more } };
}
