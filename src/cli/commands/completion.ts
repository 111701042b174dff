import { argument } from '../arguments.js';
import { completeWords } from '../completion/completers.js';
import { StoreError } from '../../domain/errors.js';
import { didYouMean } from '../../domain/values/suggest.js';
import type { Dialogue } from '../prompts/prompt.js';
import { isShell, shells, type Shell } from '../program-setup.js';
import { command } from '../declare-command.js';
import type { Command } from '../command.js';

function readShell(text: string): Shell {
  if (isShell(text)) return text;
  throw new StoreError('usage', `"${text}" is not a supported shell${didYouMean(text, shells)}`, {
    advice: `The shells are ${shells.join(', ')}.`,
  });
}

function askForShell({ choose }: Dialogue): Promise<Shell> {
  return choose(
    'Which shell?',
    shells.map((value) => ({ name: value, value })),
  );
}

/** The command `completion`. */
export const completionCommand: Command = command({
  path: ['completion'],
  writesText: true,
  summary: 'print the completion script for bash, zsh, fish or powershell',
  arguments: { shell: argument({ read: readShell, complete: completeWords(shells), prompt: { ask: askForShell } }) },
  run: async ({ io, setup }, { shell }) => io.stdout.write(await setup.completionScript(shell)),
  examples: ['petstore completion bash', 'petstore completion zsh'],
});
