import type { Settings } from '../settings.js';
import type { Io, Output } from './io.js';

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

/** The colours of a stream; chalk is loaded only where there are any, and decides nothing by itself. */
export async function paintFor(coloured: boolean): Promise<Paint> {
  if (!coloured) return plain;
  const { Chalk } = await import('chalk');
  return new Chalk({ level: basicColours });
}
