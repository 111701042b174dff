/** The output formats. */
export const formats = ['table', 'tsv', 'csv', 'json', 'ndjson', 'ids', 'count'] as const;
/** An output format. */
export type Format = (typeof formats)[number];

/** Whether a text names an output format. */
export function isFormat(text: string): text is Format {
  return (formats as readonly string[]).includes(text);
}
