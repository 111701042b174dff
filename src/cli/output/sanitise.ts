import { type Io, type Output, withOutputs } from '../io.js';
import { isJson, type Format } from '../../settings/output-format.js';

// C0 without tab and newline, DEL, C1, and the bidi controls, which reorder the text of a line.
// oxlint-disable-next-line no-control-regex -- it is meant to match control characters
const harmful = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;

/** Text from outside for a terminal: control characters become U+FFFD, because they could control the terminal or reorder the line. */
export function sanitise(text: string): string {
  return text.toWellFormed().replaceAll(harmful, '\u{fffd}');
}

/** The same for a text of one line: tabs and line ends become spaces. */
export function sanitiseCell(text: string): string {
  return sanitise(text.replaceAll(/[\t\n\r]/g, ' '));
}

/** The same JSON with control characters escaped. */
export function sanitiseJson(json: string): string {
  return json.replaceAll(harmful, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** The same Io, with JSON sanitised at a terminal; a pipe or a file gets it byte for byte. */
export function withSanitisedJson(io: Io, format: Format | undefined): Io {
  if (!isJson(format) || !io.stdout.isTerminal) return io;
  const { stdout } = io;
  const write = (text: string): Promise<void> => stdout.write(sanitiseJson(text));
  return withOutputs(io, { stdout: Object.create(stdout, { write: { value: write } }) as Output });
}
