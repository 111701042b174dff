/** The prefixes that say what a text is: the id, a code or the name of a pet. */
export type PetMarker = 'id' | 'code' | 'name';

/** The prefix of a text such as `code:4006381333931`, and the rest; without a prefix the whole text. */
export function markedText(text: string): { readonly marker: PetMarker | undefined; readonly text: string } {
  const trimmed = text.trim();
  const [, marker, rest] = /^(id|code|name):(.*)$/s.exec(trimmed) ?? [];
  return { marker: marker as PetMarker | undefined, text: rest ?? trimmed };
}
