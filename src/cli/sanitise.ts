// C0 without tab and newline, DEL, C1, and the marks that reorder what a person reads.
// oxlint-disable-next-line no-control-regex -- naming them is the point
const harmful = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;

/** Text of unknown origin as a person may see it: nothing in it can steer the terminal or reorder the line. */
export function sanitise(text: string): string {
  return text.toWellFormed().replaceAll(harmful, '\u{fffd}');
}

/** The same for a text that must stay on its line. */
export function sanitiseCell(text: string): string {
  return sanitise(text.replaceAll(/[\t\n\r]/g, ' '));
}

/** JSON that says the same in characters that steer no terminal. */
export function sanitiseJson(json: string): string {
  return json.replaceAll(harmful, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
