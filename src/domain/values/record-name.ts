/** The name in the text that a user gives for a record: anything but digits, or the part after `name:`. Undefined for an id. */
export function recordName(text: string): string | undefined {
  if (text.startsWith('name:')) return text.slice('name:'.length);
  return /^[0-9]+$/.test(text) ? undefined : text;
}

/** Of records that a name finds in any case, those of exactly this name; all of them if it is the exact name of none. */
export function exactOrAll<Named extends { readonly name: string }>(found: readonly Named[], name: string): readonly Named[] {
  const exact = found.filter((one) => one.name === name);
  return exact.length > 0 ? exact : found;
}

/** The text from which `recordName` returns this name: a name that looks like an id gets the prefix `name:`. */
export function recordText(name: string): string {
  return recordName(name) === name ? name : `name:${name}`;
}
