import { StoreError } from '../domain/errors.js';
import type { Settings } from '../settings.js';
import type { Io } from './io.js';
import { sanitise, sanitiseCell } from './sanitise.js';

/** The shop a question is about, as the line above it. */
function shopLine({ where, profile }: Settings): string {
  return `Shop: ${sanitiseCell(where)}${profile === undefined ? '' : ` (profile ${profile})`}`;
}

/** Asks a yes-or-no question on standard error; refuses where it cannot ask, and with `cancelled` on a no. */
export async function confirm({ stdin, stderr }: Io, settings: Settings, question: string): Promise<void> {
  if (!settings.input || !stdin.isTerminal || !stderr.isTerminal) {
    const about = settings.profile === undefined ? '' : ` ${shopLine(settings)}.`;
    throw new StoreError(
      'confirmation_required',
      `${sanitise(question)} This needs a confirmation.${about}`,
      'Confirm with --yes, or try it first with --dry-run.',
    );
  }
  await stderr.write(`${shopLine(settings)}\n`);
  const { default: inquirer } = await import('inquirer');
  const prompt = inquirer.createPromptModule({ output: process.stderr });
  const answer = await prompt<{ sure: boolean }>([{ type: 'confirm', name: 'sure', message: sanitise(question), default: false }]).catch((error: unknown) => {
    if (error instanceof Error && error.name === 'ExitPromptError') return { sure: false };
    throw error;
  });
  if (!answer.sure) throw new StoreError('cancelled', 'Cancelled; nothing was changed.');
}
