/** The name in the text that a user gives for a record: anything but digits, or the part after `name:`. Undefined for an id. */
export function recordName(text: string): string | undefined {
  if (text.startsWith('name:')) return text.slice('name:'.length);
  return /^[0-9]+$/.test(text) ? undefined : text;
}

/** The text from which `recordName` returns this name: a name that looks like an id gets the prefix `name:`. */
export function recordText(name: string): string {
  return recordName(name) === name ? name : `name:${name}`;
}
