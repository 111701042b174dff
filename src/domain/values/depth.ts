/** The most levels of lists and objects in a JSON value that comes from outside and is written or walked later. */
export const maximumDepth = 64;

/** Whether a JSON value has more levels than that; walking and writing deeper ones can exceed the stack. */
export function isTooDeep(value: unknown, levels = maximumDepth): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return levels === 0 || Object.values(value).some((inner) => isTooDeep(inner, levels - 1));
}
