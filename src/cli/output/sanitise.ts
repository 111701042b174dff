import type { Io } from '../io.js';
import { isJson, type Format } from '../../settings/output-format.js';

// C0 without tab and newline, DEL, C1, and the bidi controls, which reorder what a person reads.
// oxlint-disable-next-line no-control-regex -- naming them is the point
const harmful = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;

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

/** The same world, in which rows and JSON cannot steer a terminal either; to a pipe or a file they go byte for byte. */
export function harmless(io: Io, format: Format | undefined): Io {
  const rewrite = isJson(format) ? sanitiseJson : format === 'csv' || format === 'tsv' || format === 'ids' ? sanitise : undefined;
  if (rewrite === undefined || !io.stdout.isTerminal) return io;
  const { stdout } = io;
  const write = (text: string): Promise<void> => stdout.write(rewrite(text));
  // The other streams are made when they are first used.
  return Object.create(io, { stdout: { value: Object.create(stdout, { write: { value: write } }) } }) as Io;
}
