import { unlessRefused } from '../../domain/errors.js';
import type { Settings } from '../../settings/settings.js';
import { withFlags } from '../command-text.js';
import { showLine } from './ask-missing.js';
import type { Setup } from '../program-setup.js';
import type { Io } from '../io.js';
import { prompterOf } from './terminal-prompter.js';
import { writeText } from '../output/wrapped-text.js';
import { sanitiseCell } from '../output/sanitise.js';

interface Job {
  readonly name: string;
  readonly words: readonly string[];
  /** Whether the command asks for missing values, and then shows the complete line itself. */
  readonly asks?: true;
}

const menuQuestion = 'What would you like to do?';

const commonJobs: readonly Job[] = [
  { name: 'Sell a pet', words: ['sell'], asks: true },
  { name: 'Receive stock', words: ['receive'], asks: true },
  { name: 'Count stock', words: ['inventory', 'set'], asks: true },
  { name: 'Find a pet', words: ['pet', 'view'], asks: true },
  { name: 'Undo last change', words: ['undo'] },
  { name: 'Open orders', words: ['order', 'list', '--open'] },
  { name: "Today's figures", words: ['report', 'movements', '--from', 'today'] },
  { name: 'Add a pet', words: ['pet', 'create'], asks: true },
  { name: 'Add a category', words: ['category', 'create'], asks: true },
];

const firstJobs: readonly Job[] = [
  { name: 'Create a sample shop', words: ['init', '--sample'] },
  { name: 'Create an empty shop', words: ['init'] },
];

/** Whether the shop exists; refuses if it cannot be opened. */
async function hasShop(settings: Settings, { open }: Pick<Setup, 'open'>): Promise<boolean> {
  const shop = await unlessRefused(open(settings), 'store_missing');
  await shop?.close();
  return shop !== undefined;
}

interface MenuContext {
  /** The flags of this call, which every job gets. */
  readonly flags: readonly string[];
  readonly settings: Settings;
  readonly io: Io;
  readonly setup: Setup;
  /** Runs a command line; answers its exit code. */
  readonly run: (argv: readonly string[], io: Io, setup: Setup) => Promise<number>;
}

/** The menu of `petstore` without arguments. A job is a command line, which is shown and run. Refuses with `cancelled` when it is left by Esc or Ctrl-C. */
export async function menu({ flags, settings, io, setup, run }: MenuContext): Promise<number> {
  const { choose } = await prompterOf(io, settings);
  const chooseJob = (jobs: readonly Job[], first = 0): Promise<number> =>
    choose(menuQuestion, [...jobs.map(({ name }, value) => ({ name, value })), { name: 'Quit', value: -1 }], first);
  const runJob = async ({ words, asks }: Job, more: readonly string[] = []): Promise<number> => {
    const line = [...words, ...flags];
    if (asks !== true) await showLine({ io, settings }, '$', line);
    const exitCode = await run(withFlags(line, more), io, setup);
    await io.stderr.write('\n');
    return exitCode;
  };
  const where = sanitiseCell(settings.where);
  if (!(await hasShop(settings, setup))) {
    await writeText(io.stderr, `There is no shop at ${where} yet.\n`);
    const job = firstJobs[await chooseJob(firstJobs)];
    // Without the advice what to do next: the menu offers it.
    const exitCode = job === undefined ? 0 : await runJob(job, ['--quiet']);
    if (job === undefined || exitCode !== 0) return exitCode;
  }
  if (!settings.quiet) await io.stderr.write(`Shop: ${where}\n`);
  for (let last = 0; ;) {
    // The last job is selected: Return repeats it.
    last = await chooseJob(commonJobs, last);
    const job = commonJobs[last];
    if (job === undefined) return 0;
    await runJob(job);
  }
}
