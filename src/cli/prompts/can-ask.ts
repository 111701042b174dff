import type { Settings } from '../../settings/settings.js';
import type { Io } from '../io.js';

/** Whether questions may be asked: at a terminal, and not with --no-input. */
export function canAsk({ stdin, stderr }: Io, { mayAsk }: Settings): boolean {
  return mayAsk && stdin.isTerminal && stderr.isTerminal;
}
