import { StoreError } from '../domain/errors.js';
import type { Settings } from '../settings.js';
import type { Io } from './io.js';
import { sanitise } from './sanitise.js';

/** Asks a yes-or-no question on standard error; refuses where it cannot ask, and with `cancelled` on a no. */
export async function confirm({ stdin, stderr }: Io, { input }: Settings, question: string): Promise<void> {
  if (!input || !stdin.isTerminal || !stderr.isTerminal) {
    throw new StoreError('confirmation_required', `${sanitise(question)} This needs a confirmation.`, 'Confirm with --yes, or try it first with --dry-run.');
  }
  const { default: inquirer } = await import('inquirer');
  const prompt = inquirer.createPromptModule({ output: process.stderr });
  const answer = await prompt<{ sure: boolean }>([{ type: 'confirm', name: 'sure', message: sanitise(question), default: false }]).catch((error: unknown) => {
    if (error instanceof Error && error.name === 'ExitPromptError') return { sure: false };
    throw error;
  });
  if (!answer.sure) throw new StoreError('cancelled', 'Cancelled; nothing was changed.');
}
