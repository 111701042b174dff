import { StoreError } from '../../domain/errors.js';
import type { Settings } from '../../settings/settings.js';
import type { Io } from '../io.js';
import { isColoured, paintFor, type Paint } from '../output/colours.js';
import type { Choice, Prompter } from './prompter.js';
import { sanitiseCell } from '../output/sanitise.js';
import { canAsk } from './can-ask.js';

/** The shop a question is about, as the line above it. */
function shopLine({ where, profile }: Settings): string {
  return `Shop: ${sanitiseCell(where)}${profile === undefined ? '' : ` (profile ${profile})`}`;
}

/** Asks a yes-or-no question on standard error; refuses where it cannot ask, and with `cancelled` on a no. */
export async function confirm(io: Io, settings: Settings, question: string): Promise<void> {
  if (!canAsk(io, settings)) {
    const about = settings.profile === undefined ? '' : ` ${shopLine(settings)}.`;
    throw new StoreError('confirmation_required', `${sanitiseCell(question)} Confirmation required.${about}`, {
      advice: 'Confirm with --yes, or preview with --dry-run.',
    });
  }
  await io.stderr.write(`${shopLine(settings)}\n`);
  if (!(await (await prompterOf(io, settings)).sure(sanitiseCell(question)))) throw cancelled();
}

function cancelled(): StoreError {
  return new StoreError('cancelled', 'Cancelled; nothing was changed.');
}

interface Key {
  readonly name?: string;
  readonly ctrl?: boolean;
}

const endings = ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT'] as const;

/** Ends with a terminal that is there no more: readline would throw over it, and whoever else listens would wait for that. */
function hungUp(): void {
  process.removeAllListeners('SIGHUP');
  process.kill(process.pid, 'SIGHUP');
}

/**
 * Waits for an answer. Ctrl-C, Ctrl-D and Esc refuse with `cancelled`; a signal ends the process, as it
 * would without a question, once the terminal is as it was.
 */
async function answered<T>(ask: (signal: AbortSignal) => Promise<{ readonly answer: T }>): Promise<T> {
  const { stdin } = process;
  // A terminal that was hung up answers no more.
  if (!stdin.isTTY || stdin.readableEnded || stdin.destroyed) throw cancelled();
  const controller = new AbortController();
  let ending: NodeJS.Signals | undefined;
  const cancel = (): void => controller.abort();
  const end = (signal: NodeJS.Signals): void => {
    ending = signal;
    cancel();
  };
  const heard = (_: string | undefined, { name, ctrl }: Key): void => {
    if (name === 'escape' || (ctrl === true && name === 'd')) cancel();
  };
  // Stopped with Ctrl-Z and continued, readline leaves it to others to listen again.
  const listen = (): void => void setImmediate(() => stdin.resume());
  process.on('SIGCONT', listen);
  stdin.on('keypress', heard).on('end', hungUp).on('error', hungUp);
  for (const signal of endings) process.on(signal, end);
  try {
    return (await ask(controller.signal)).answer;
  } catch (error) {
    if (error instanceof Error && (error.name === 'ExitPromptError' || error.name === 'AbortPromptError')) throw cancelled();
    throw error;
  } finally {
    stdin.off('keypress', heard).off('end', hungUp).off('error', hungUp);
    process.off('SIGCONT', listen);
    for (const signal of endings) process.off(signal, end);
    if (ending !== undefined) process.kill(process.pid, ending);
  }
}

/** The look of every question, in the colours of standard error: the package would go by those of standard output. */
function themeOf(paint: Paint) {
  const keys = (all: readonly (readonly [key: string, action: string])[]): string =>
    paint.dim([...all, ['esc', 'cancel']].map(([key, action]) => `${key} ${action}`).join(' · '));
  return {
    prefix: { idle: paint.cyan('?'), done: paint.green('✓') },
    spinner: { interval: 80, frames: ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏'].map((frame) => paint.yellow(frame)) },
    icon: { cursor: '›' },
    style: {
      answer: paint.cyan,
      message: paint.bold,
      error: (text: string) => paint.red(sanitiseCell(text)),
      defaultAnswer: (text: string) => paint.dim(`(${text})`),
      confirmDefault: (text: string) => text,
      help: paint.dim,
      highlight: paint.cyan,
      disabled: paint.dim,
      searchTerm: paint.cyan,
      keysHelpTip: keys,
    },
  };
}

/** Choices as the package takes them; it answers with the place of one among all that were shown. */
function numbered<T>(choices: readonly Choice<T>[], all: Choice<T>[]) {
  return choices.map((choice) => {
    const { name, short = name } = choice;
    return { value: all.push(choice) - 1, name: sanitiseCell(name), short: sanitiseCell(short) };
  });
}

function valueOf<T>(all: readonly Choice<T>[], place: number): T {
  const chosen = all[place];
  if (chosen === undefined) throw new RangeError(`There is no choice ${place}.`);
  return chosen.value;
}

const shownChoices = 9;

async function asker(signal: AbortSignal) {
  const { default: inquirer } = await import('inquirer');
  return inquirer.createPromptModule({ output: process.stderr, signal });
}

/** Asks on standard error, through a package that is loaded with the first question. */
export async function prompterOf(io: Io, { colour }: Settings): Promise<Prompter> {
  const paint = await paintFor(isColoured(io.stderr, colour, io.environment));
  const theme = themeOf(paint);
  return {
    sure: (question) =>
      answered<boolean>(async (signal) =>
        (await asker(signal))<{ answer: boolean }>([{ type: 'confirm', name: 'answer', message: sanitiseCell(question), default: false, theme }]),
      ),
    line: ({ message, fallback, problem }) =>
      answered<string>(async (signal) =>
        (await asker(signal))<{ answer: string }>([
          {
            type: 'input',
            name: 'answer',
            message: sanitiseCell(message),
            ...(fallback !== undefined && { default: fallback }),
            validate: (text: string) => problem(text) ?? true,
            // What would be refused turns red while it is typed; why, Return tells.
            transformer: (text: string, { isFinal }: { readonly isFinal: boolean }) =>
              (isFinal ? paint.cyan : text !== '' && problem(text) !== undefined ? paint.red : (same: string) => same)(text),
            theme,
          },
        ]),
      ),
    pick: async <T>(message: string, source: (term: string) => Promise<readonly Choice<T>[]>) => {
      const all: Choice<T>[] = [];
      const place = await answered<number>(async (signal) =>
        (await asker(signal))<{ answer: number }>([
          {
            type: 'search',
            name: 'answer',
            message: sanitiseCell(message),
            source: async (term: string | undefined) => numbered(await source(term ?? ''), all),
            pageSize: shownChoices,
            theme,
          },
        ]),
      );
      return valueOf(all, place);
    },
    choose: async <T>(message: string, choices: readonly Choice<T>[], first = 0) => {
      const all: Choice<T>[] = [];
      const listed = numbered(choices, all);
      const place = await answered<number>(async (signal) =>
        (await asker(signal))<{ answer: number }>([
          { type: 'select', name: 'answer', message: sanitiseCell(message), choices: listed, default: first, pageSize: choices.length, loop: false, theme },
        ]),
      );
      return valueOf(all, place);
    },
  };
}
