import type { Settings } from '../../settings/settings.js';
import type { Io, Output } from '../io.js';

/** The colours of the program; without colour each returns its text unchanged. */
export interface Paint {
  readonly bold: (text: string) => string;
  readonly dim: (text: string) => string;
  readonly red: (text: string) => string;
  readonly green: (text: string) => string;
  readonly yellow: (text: string) => string;
  readonly cyan: (text: string) => string;
}

const same = (text: string): string => text;

/** The colours of a stream without colour. */
export const plain: Paint = { bold: same, dim: same, red: same, green: same, yellow: same, cyan: same };

const dot = '\u25cf';

/** A text and its colour. */
export interface Painting {
  readonly text: string;
  readonly colour?: keyof Paint | undefined;
  /** Whether a dot before the text has the colour instead of the text; without colour there is no dot. */
  readonly dot?: boolean | undefined;
  /** The id of the record that the text names, shown after it in parentheses; never cut. */
  readonly id?: number | undefined;
}

/** The cells that the dot and the id take; they are never cut. */
export function fixedCells({ dot: dotted, id }: Painting, paint: Paint): number {
  return (dotted === true && paint !== plain ? dot.length + 1 : 0) + (id === undefined ? 0 : ` (${id})`.length);
}

/** A text with its colour, its dot and its id. */
export function painted({ text, colour, dot: dotted, id }: Painting, paint: Paint): string {
  const named = id === undefined ? text : `${text} (${id})`;
  if (dotted !== true) return colour ? paint[colour](named) : named;
  return paint === plain || text === '' ? named : `${paint[colour ?? 'dim'](dot)} ${named}`;
}

/** Whether a stream gets colour, decided by the flag, NO_COLOR, FORCE_COLOR, CLICOLOR_FORCE and the terminal, in this order. */
export function isColoured(out: Output, colour: Settings['colour'], environment: Io['environment']): boolean {
  if (colour !== 'auto') return colour === 'always';
  if (environment['NO_COLOR']) return false;
  const forced = environment['FORCE_COLOR'] || environment['CLICOLOR_FORCE'];
  if (forced) return forced !== '0' && forced !== 'false';
  return out.isTerminal && environment['TERM'] !== 'dumb' && environment['CLICOLOR'] !== '0';
}

const basicColours = 1;

/** A style that takes one argument: chalk joins all its arguments, and prompts pass their state as a second one. */
function unary(style: (text: string) => string): (text: string) => string {
  return (text) => style(text);
}

/** The colours of a stream. Chalk is loaded only for a stream with colour; its own detection of colour support is not used. */
export async function paintFor(coloured: boolean): Promise<Paint> {
  if (!coloured) return plain;
  const { Chalk } = await import('chalk');
  const { bold, dim, red, green, yellow, cyan } = new Chalk({ level: basicColours });
  return { bold: unary(bold), dim: unary(dim), red: unary(red), green: unary(green), yellow: unary(yellow), cyan: unary(cyan) };
}
