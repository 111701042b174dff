/** The most levels of nesting in a JSON value from outside. */
export const maximumDepth = 64;

/** Whether a JSON value is nested deeper than that; formatting or walking it recursively could exceed the call stack. */
export function isTooDeep(value: unknown, levels = maximumDepth): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return levels === 0 || Object.values(value).some((inner) => isTooDeep(inner, levels - 1));
}
