import { argument, optional } from '../arguments.js';
import { completeWords } from '../completion/completers.js';
import { StoreError } from '../../domain/errors.js';
import { didYouMean } from '../../domain/values/suggest.js';
import { removeFile, startupFileOf, textOf, withBlock, withoutBlock, writeFile } from '../completion/startup-file.js';
import { isShell, shells, type Shell } from '../program-setup.js';
import { command } from '../declare-command.js';
import { mutationFlags } from '../mutation-flags.js';
import type { Command, Context } from '../command.js';
import { toggle, type FlagValues } from '../flags.js';
import { isJson, jsonText } from '../../settings/output-format.js';
import { sanitiseCell } from '../output/sanitise.js';
import { writeText } from '../output/wrapped-text.js';

const flags = {
  install: toggle({ long: 'install', summary: 'turn it on for new shells; default: your login shell' }),
  uninstall: toggle({ long: 'uninstall', summary: 'undo --install' }),
  dryRun: mutationFlags.dryRun,
  yes: mutationFlags.yes,
};

const shellArgument = argument({ read: readShell, complete: completeWords(shells) });

function readShell(text: string): Shell {
  if (isShell(text)) return text;
  throw new StoreError('usage', `"${text}" is not a supported shell${didYouMean(text, shells)}`, {
    advice: `The shells are ${shells.join(', ')}.`,
  });
}

function shellMissing(): StoreError {
  return new StoreError('input_required', 'Which shell?', { advice: `Name one of ${shells.join(', ')}.` });
}

/** The shell whose path is in the variable SHELL. */
function loginShell(path: string | undefined): Shell {
  const name = path?.split('/').at(-1);
  if (isShell(name)) return name;
  throw shellMissing();
}

interface Change {
  readonly path: string;
  readonly before: string;
  readonly after: string;
  /** The description of the change, line by line. */
  readonly description: readonly string[];
  readonly question: string;
}

/** The change of the start-up file by `--install` or `--uninstall`. */
function changeOf({ io: { environment } }: Context, shell: Shell, removes: boolean): Change {
  const home = environment['HOME'];
  if (shell === 'powershell' || home === undefined || home === '') {
    const line = shell === 'powershell' ? 'petstore completion powershell | Out-String | Invoke-Expression' : `petstore completion ${shell}`;
    throw new StoreError('usage', `The profile file of ${shell} is not known here.`, { advice: `Add this line to it: ${line}` });
  }
  const { path, lines } = startupFileOf(shell, home, environment);
  const before = textOf(path);
  const indented = lines.map((line) => `  ${line}`);
  if (removes)
    return { path, before, after: withoutBlock(before), description: [`These lines will be removed from ${path}:`, ...indented], question: `Change ${path}?` };
  const verb = before === '' ? `${path} will be created with` : `${path} will get`;
  return { path, before, after: withBlock(before, lines), description: [`${verb} these lines:`, ...indented], question: `Change ${path}?` };
}

async function apply(context: Context, shell: Shell, { uninstall, yes, dryRun }: FlagValues<typeof flags>): Promise<void> {
  const { io, note, paint, confirm, settings } = context;
  const removes = uninstall === true;
  const { path, before, after, description, question } = changeOf(context, shell, removes);
  const changed = after !== before;
  if (changed) {
    for (const line of description) await note(line);
    await confirm(question, { yes, dryRun });
    if (dryRun === true) await note('Dry run: nothing was changed.');
    // fish has a file for this only; the others belong to their owner, even if empty.
    else if (after === '' && shell === 'fish') removeFile(path);
    else writeFile(path, after);
  }
  if (isJson(settings.format)) return io.stdout.write(jsonText({ shell, path, changed, installed: !removes }, settings.format));
  const state = removes ? `Tab completion is not set up in ${path}` : `Tab completion is set up in ${path}`;
  const ending = changed ? (removes ? '.' : '; start a new shell to use it.') : '; nothing was changed.';
  await writeText(io.stdout, `${changed ? paint.green('✓') : '·'} ${sanitiseCell(state)}${ending}\n`);
}

/** The command `completion`. */
export const completionCommand: Command = command({
  path: ['completion'],
  writesText: true,
  summary: 'print the completion script for bash, zsh, fish or powershell, or install it',
  arguments: { shell: optional(shellArgument) },
  flags,
  run: async (context, { shell, ...values }) => {
    const { io, setup } = context;
    if (values.install === true && values.uninstall === true) throw new StoreError('usage', '--install and --uninstall exclude each other.');
    if (values.install === true || values.uninstall === true) return apply(context, shell ?? loginShell(io.environment['SHELL']), values);
    if (shell === undefined) throw shellMissing();
    await io.stdout.write(await setup.completionScript(shell));
  },
  examples: ['petstore completion bash', 'petstore completion bash --install --dry-run', 'petstore completion zsh --install --yes'],
});
