import { inspect } from 'node:util';
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
const plain: Paint = { bold: same, dim: same, red: same, green: same, yellow: same, cyan: same };

/** Whether a stream gets colour: the flag, then NO_COLOR, then the variables that force it, then the terminal. */
export function isColoured(out: Output, colour: Settings['colour'], environment: Io['environment']): boolean {
  if (colour !== 'auto') return colour === 'always';
  if (environment['NO_COLOR']) return false;
  const forced = environment['FORCE_COLOR'] || environment['CLICOLOR_FORCE'];
  if (forced) return forced !== '0' && forced !== 'false';
  return out.isTerminal && environment['TERM'] !== 'dumb' && environment['CLICOLOR'] !== '0';
}

/** The codes are Node's own; its styleText would load the streams to look at standard output, which is decided already. */
function painter(style: keyof Paint): (text: string) => string {
  const [begin, end] = inspect.colors[style] ?? [0, 0];
  return (text) => `\u001b[${begin}m${text}\u001b[${end}m`;
}

const colours: Paint = {
  bold: painter('bold'),
  dim: painter('dim'),
  red: painter('red'),
  green: painter('green'),
  yellow: painter('yellow'),
  cyan: painter('cyan'),
};

/** The colours of a stream. */
export function paintFor(coloured: boolean): Paint {
  return coloured ? colours : plain;
}
