/** Fills the parameters of a path. */
export function pathOf(path: string, values: Readonly<Record<string, unknown>>): string {
  return pathFiller(path)(values);
}

/** The same for a path that is filled in often: it is parsed once. */
export function pathFiller(path: string): (values: Readonly<Record<string, unknown>>) => string {
  // Texts at even indexes, names between them.
  const parts = path.split(/\{(\w+)\}/);
  return (values) => parts.map((part, index) => (index % 2 === 0 ? part : encodeURIComponent(String(values[part])))).join('');
}
