import type { Settings } from '../../settings/settings.js';
import type { Io, Output } from '../io.js';

/** The few colours of the program; each leaves the text as it is where colour is off. */
export interface Paint {
  readonly bold: (text: string) => string;
  readonly dim: (text: string) => string;
  readonly red: (text: string) => string;
  readonly green: (text: string) => string;
  readonly yellow: (text: string) => string;
  readonly cyan: (text: string) => string;
}

const same = (text: string): string => text;

/** The colours of a stream that has none. */
export const plain: Paint = { bold: same, dim: same, red: same, green: same, yellow: same, cyan: same };

const dot = '\u25cf';

/** A text and its colour. */
export interface Painting {
  readonly text: string;
  readonly colour?: keyof Paint | undefined;
  /** Whether the colour is that of a dot before the text instead; without colours there is none. */
  readonly dot?: boolean | undefined;
  /** The id of what the text names, in parentheses after it; never cut. */
  readonly id?: number | undefined;
}

/** How many cells stand around a text that may be cut: the dot before it, the id after it. */
export function fixedCells({ dot: dotted, id }: Painting, paint: Paint): number {
  return (dotted === true && paint !== plain ? dot.length + 1 : 0) + (id === undefined ? 0 : ` (${id})`.length);
}

/** A text in its colour or after its coloured dot, and before its id. */
export function painted({ text, colour, dot: dotted, id }: Painting, paint: Paint): string {
  const named = id === undefined ? text : `${text} (${id})`;
  if (dotted !== true) return colour ? paint[colour](named) : named;
  return paint === plain || text === '' ? named : `${paint[colour ?? 'dim'](dot)} ${named}`;
}

/** Whether a stream gets colour: the flag, then NO_COLOR, then the variables that force it, then the terminal. */
export function isColoured(out: Output, colour: Settings['colour'], environment: Io['environment']): boolean {
  if (colour !== 'auto') return colour === 'always';
  if (environment['NO_COLOR']) return false;
  const forced = environment['FORCE_COLOR'] || environment['CLICOLOR_FORCE'];
  if (forced) return forced !== '0' && forced !== 'false';
  return out.isTerminal && environment['TERM'] !== 'dumb' && environment['CLICOLOR'] !== '0';
}

/** The 16 colours that every terminal has. */
const basicColours = 1;

/** A style of one text: chalk joins all its arguments, and prompts pass their state as a second one. */
function one(style: (text: string) => string): (text: string) => string {
  return (text) => style(text);
}

/** The colours of a stream; chalk is loaded only where there are any, and decides nothing by itself. */
export async function paintFor(coloured: boolean): Promise<Paint> {
  if (!coloured) return plain;
  const { Chalk } = await import('chalk');
  const { bold, dim, red, green, yellow, cyan } = new Chalk({ level: basicColours });
  return { bold: one(bold), dim: one(dim), red: one(red), green: one(green), yellow: one(yellow), cyan: one(cyan) };
}
