import { StoreError } from '../../domain/errors.js';
import { formatDateTime } from '../../domain/values/time.js';
import type { Settings } from '../../settings/settings.js';
import { showLine } from './ask-missing.js';
import type { Setup } from '../program-setup.js';
import type { Io } from '../io.js';
import { prompterOf } from './terminal-prompter.js';
import type { Choice, Prompter } from './prompter.js';
import { sanitiseCell } from '../output/sanitise.js';

/** The command line that a job is. */
interface Job {
  readonly words: readonly string[];
  /** Whether it lacks something that the command asks for, and then shows the line itself. */
  readonly asks: boolean;
}

function asking(name: string, ...words: readonly string[]): Choice<Job> {
  return { name, value: { words, asks: true } };
}

function showing(name: string, ...words: readonly string[]): Choice<Job> {
  return { name, value: { words, asks: false } };
}

const quit: Choice<undefined> = { name: 'Quit', value: undefined };

/** The exit code of a menu that is left without an answer. */
const left = 130;

/** The common jobs of a day such as 2026-11-20. */
function jobsOf(day: string): readonly Choice<Job | undefined>[] {
  return [
    asking('Sell a pet', 'order', 'place', '--complete'),
    asking('Receive stock', 'inventory', 'adjust'),
    asking('Count stock', 'inventory', 'set'),
    asking('Find a pet', 'pet', 'view'),
    showing('Open orders', 'order', 'list', '--open'),
    showing("Today's figures", 'report', 'movements', '--from', day),
    asking('Add a pet', 'pet', 'create'),
    asking('Add a category', 'category', 'create'),
    quit,
  ];
}

const beginnings: readonly Choice<Job | undefined>[] = [showing('Create a sample shop', 'init', '--sample'), showing('Create an empty shop', 'init'), quit];

/** Whether there is a shop; any other trouble with it is a refusal. */
async function hasShop(settings: Settings, { open }: Pick<Setup, 'open'>): Promise<boolean> {
  try {
    await (await open(settings)).close();
    return true;
  } catch (error) {
    if (error instanceof StoreError && error.code === 'store_missing') return false;
    throw error;
  }
}

/** Asks what to do next; the answer is the place of a job, or undefined where the menu is left. */
async function next(prompter: Prompter, message: string, jobs: readonly Choice<Job | undefined>[], first: number): Promise<number | undefined> {
  const places = jobs.map(({ name }, value) => ({ name, value }));
  try {
    return await prompter.choose(message, places, first);
  } catch (error) {
    if (error instanceof StoreError && error.code === 'cancelled') return undefined;
    throw error;
  }
}

/** The menu of `petstore` alone: each job is a command line, shown and run as if it had been typed with the given flags. */
export async function menu(
  flags: readonly string[],
  settings: Settings,
  io: Io,
  setup: Setup,
  run: (argv: readonly string[], io: Io, setup: Setup) => Promise<number>,
): Promise<number> {
  const prompter = await prompterOf(io, settings);
  const runJob = async ({ words, asks }: Job): Promise<number> => {
    const line = [...words, ...flags];
    if (!asks) await showLine({ io, settings }, '$', line);
    const exitCode = await run(line, io, setup);
    await io.stderr.write('\n');
    return exitCode;
  };
  const where = sanitiseCell(settings.where);
  if (!(await hasShop(settings, setup))) {
    const place = await next(prompter, `There is no shop at ${where} yet.`, beginnings, 0);
    if (place === undefined) return left;
    const job = beginnings[place]?.value;
    const exitCode = job === undefined ? 0 : await runJob(job);
    if (job === undefined || exitCode !== 0) return exitCode;
  }
  if (!settings.quiet) await io.stderr.write(`Shop: ${where}\n`);
  for (let last = 0; ;) {
    const jobs = jobsOf(formatDateTime(io.now()).slice(0, 10));
    // The same job often comes again: Return alone repeats it.
    const place = await next(prompter, 'What would you like to do?', jobs, last);
    if (place === undefined) return left;
    last = place;
    const job = jobs[place]?.value;
    if (job === undefined) return 0;
    await runJob(job);
  }
}
