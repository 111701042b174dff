/** What a text may say of itself before a colon: that the rest is the id, a code or the name of a pet. */
export type PetMarker = 'id' | 'code' | 'name';

/** The marker at the beginning of a text that names a pet, such as `code:4006381333931`, and the rest; without a marker the whole text. */
export function markedText(text: string): { readonly marker: PetMarker | undefined; readonly text: string } {
  const trimmed = text.trim();
  const [, marker, rest] = /^(id|code|name):(.*)$/s.exec(trimmed) ?? [];
  return { marker: marker as PetMarker | undefined, text: rest ?? trimmed };
}
