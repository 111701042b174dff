import { StoreError } from '../../domain/errors.js';
import type { Settings } from '../../settings/settings.js';
import { exitCodes } from '../exit-codes.js';
import { showLine } from './ask-missing.js';
import type { Setup } from '../program-setup.js';
import type { Io } from '../io.js';
import { prompterOf } from './terminal-prompter.js';
import type { Choice, Prompter } from './prompter.js';
import { writeText } from '../output/wrapped-text.js';
import { sanitiseCell } from '../output/sanitise.js';

/** An entry of the menu: a command line. */
interface Job {
  readonly words: readonly string[];
  /** Whether the command asks for missing values, and then shows the complete line itself. */
  readonly prompts: boolean;
}

/** A job that asks for missing values. */
function prompted(name: string, ...words: readonly string[]): Choice<Job> {
  return { name, value: { words, prompts: true } };
}

/** A job whose line is complete. */
function shown(name: string, ...words: readonly string[]): Choice<Job> {
  return { name, value: { words, prompts: false } };
}

const quit: Choice<undefined> = { name: 'Quit', value: undefined };

const menuQuestion = 'What would you like to do?';

/** The entries of the menu of a shop. */
const commonJobs: readonly Choice<Job | undefined>[] = [
  prompted('Sell a pet', 'sell'),
  prompted('Receive stock', 'receive'),
  prompted('Count stock', 'inventory', 'set'),
  prompted('Find a pet', 'pet', 'view'),
  shown('Undo last change', 'undo'),
  shown('Open orders', 'order', 'list', '--open'),
  shown("Today's figures", 'report', 'movements', '--from', 'today'),
  prompted('Add a pet', 'pet', 'create'),
  prompted('Add a category', 'category', 'create'),
  quit,
];

/** The entries of the menu while there is no shop. */
const firstJobs: readonly Choice<Job | undefined>[] = [shown('Create a sample shop', 'init', '--sample'), shown('Create an empty shop', 'init'), quit];

/** Whether the shop exists; refuses if it cannot be opened. */
async function hasShop(settings: Settings, { open }: Pick<Setup, 'open'>): Promise<boolean> {
  try {
    await (await open(settings)).close();
    return true;
  } catch (error) {
    if (error instanceof StoreError && error.code === 'store_missing') return false;
    throw error;
  }
}

/** Asks for the next job; answers its index, that of Quit for the key q, or undefined if the menu is cancelled. */
async function chooseJob(prompter: Prompter, message: string, jobs: readonly Choice<Job | undefined>[], first: number): Promise<number | undefined> {
  const choices = jobs.map(({ name }, value) => ({ name, value }));
  try {
    return await prompter.choose(message, choices, { first, shortcut: { key: 'q', value: jobs.indexOf(quit) } });
  } catch (error) {
    if (error instanceof StoreError && error.code === 'cancelled') return undefined;
    throw error;
  }
}

/** What the menu works with. */
interface MenuContext {
  /** The flags of this call, which every job gets. */
  readonly flags: readonly string[];
  readonly settings: Settings;
  readonly io: Io;
  readonly setup: Setup;
  /** Runs a command line; answers its exit code. */
  readonly run: (argv: readonly string[], io: Io, setup: Setup) => Promise<number>;
}

/** The menu of `petstore` without arguments. A job is a command line, which is shown and run. Answers the exit code. */
export async function menu({ flags, settings, io, setup, run }: MenuContext): Promise<number> {
  const prompter = await prompterOf(io, settings);
  const runJob = async ({ words, prompts }: Job, isFirst = false): Promise<number> => {
    const line = [...words, ...flags];
    if (!prompts) await showLine({ io, settings }, '$', line);
    // Without the advice what to do next: the menu offers it.
    const exitCode = await run(isFirst ? [...line, '--quiet'] : line, io, setup);
    await io.stderr.write('\n');
    return exitCode;
  };
  const where = sanitiseCell(settings.where);
  if (!(await hasShop(settings, setup))) {
    await writeText(io.stderr, `There is no shop at ${where} yet.\n`);
    const index = await chooseJob(prompter, menuQuestion, firstJobs, 0);
    if (index === undefined) return exitCodes.cancelled;
    const job = firstJobs[index]?.value;
    const exitCode = job === undefined ? 0 : await runJob(job, true);
    if (job === undefined || exitCode !== 0) return exitCode;
  }
  if (!settings.quiet) await io.stderr.write(`Shop: ${where}\n`);
  for (let last = 0; ;) {
    // The last job is selected: Return repeats it.
    const index = await chooseJob(prompter, menuQuestion, commonJobs, last);
    if (index === undefined) return exitCodes.cancelled;
    last = index;
    const job = commonJobs[index]?.value;
    if (job === undefined) return 0;
    await runJob(job);
  }
}
