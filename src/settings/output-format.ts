/** The output formats. */
export const formats = ['table', 'tsv', 'csv', 'json', 'ndjson', 'ids', 'count'] as const;
/** An output format. */
export type Format = (typeof formats)[number];

/** Whether a text names an output format. */
export function isFormat(text: string): text is Format {
  return (formats as readonly string[]).includes(text);
}

/** Whether a format is JSON or NDJSON. */
export function isJson(format: string | undefined): format is 'json' | 'ndjson' {
  return format === 'json' || format === 'ndjson';
}

/** Whether the output is for people: a table, or the default. */
export function isForPeople(format: Format | undefined): boolean {
  return format === undefined || format === 'table';
}

/** A value as indented JSON, or as one line of NDJSON. */
export function jsonText(value: unknown, format: 'json' | 'ndjson'): string {
  return `${JSON.stringify(value, null, format === 'json' ? 2 : undefined)}\n`;
}
