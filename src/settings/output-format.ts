/** The output formats. */
export const formats = ['table', 'tsv', 'csv', 'json', 'ndjson', 'ids', 'count'] as const;
/** An output format. */
export type Format = (typeof formats)[number];

/** Whether a text names an output format. */
export function isFormat(text: string): text is Format {
  return (formats as readonly string[]).includes(text);
}

/** Whether a format is JSON, of one kind or the other. */
export function isJson(format: string | undefined): format is 'json' | 'ndjson' {
  return format === 'json' || format === 'ndjson';
}

/** One value in a format of JSON: laid out to be read, or on a line of its own. */
export function jsonText(value: unknown, format: 'json' | 'ndjson'): string {
  return `${JSON.stringify(value, null, format === 'json' ? 2 : undefined)}\n`;
}
