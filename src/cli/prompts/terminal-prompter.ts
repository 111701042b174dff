import { StoreError } from '../../domain/errors.js';
import type { Settings } from '../../settings/settings.js';
import type { Io } from '../io.js';
import { isColoured, paintFor, type Paint } from '../output/colours.js';
import { canAsk, cancelled, type Choice, type Found, type Prompter } from './prompt.js';
import { sanitiseCell } from '../output/sanitise.js';
import { grouped } from '../output/numbers.js';
import { wrapText } from '../output/wrapped-text.js';
import { pacedInput, type PacedInput } from './paced-input.js';

/** The line above a question that names its shop. */
function shopLine({ where, profile }: Settings): string {
  return `Shop: ${sanitiseCell(where)}${profile === undefined ? '' : ` (profile ${profile})`}`;
}

/** Asks a yes-or-no question on standard error; refuses with `confirmation_required` if it cannot ask, with `cancelled` on a no. */
export async function confirm(io: Io, settings: Settings, question: string): Promise<void> {
  if (!canAsk(io, settings)) {
    const about = settings.profile === undefined ? '' : ` ${shopLine(settings)}.`;
    throw new StoreError('confirmation_required', `${sanitiseCell(question)} Confirmation required.${about}`, {
      advice: 'Confirm with --yes, or preview with --dry-run.',
    });
  }
  await io.stderr.write(`${shopLine(settings)}\n`);
  if (!(await (await prompterOf(io, settings)).yesNo(sanitiseCell(question)))) throw cancelled();
}

interface Key {
  readonly name?: string;
  readonly ctrl?: boolean;
}

const endSignals = ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT'] as const;

/** Ends the process when its terminal is closed. Other listeners of SIGHUP would wait for readline, which throws without a terminal. */
function onHangup(): void {
  process.removeAllListeners('SIGHUP');
  process.kill(process.pid, 'SIGHUP');
}

/** A question for the package: its type, and what that type takes. */
interface Question {
  readonly type: (typeof questionTypes)[number];
  readonly message: string;
  readonly [option: string]: unknown;
}

const questionTypes = ['confirm', 'input', 'search', 'select'] as const;

/** A question of the package, which reads `clearPromptOnDone` when it ends. */
type PackageQuestion = (config: unknown, context: object) => Promise<unknown>;

/** Asks on standard error; a cancelled question is removed from the screen. The package is loaded with the first one. */
async function askPackage(question: Question, theme: Theme, signal: AbortSignal, input: PacedInput): Promise<unknown> {
  const { default: inquirer } = await import('inquirer');
  const module = inquirer.createPromptModule({ input: input.keys, output: process.stderr, signal });
  for (const type of questionTypes) {
    // The types of the package do not say which of its questions are functions.
    const ask = module.prompts[type] as PackageQuestion;
    module.registerPrompt(type, (config: unknown, context: object) =>
      ask(config, Object.defineProperty(context, 'clearPromptOnDone', { get: () => signal.aborted })),
    );
  }
  const message = sanitiseCell(question.message);
  const { answer } = await module<{ answer: unknown }>([{ ...question, name: 'answer', message, theme: drawnTheme(theme, input) } as never]);
  return answer;
}

/**
 * Waits for an answer, of the type that the question has. Ctrl-C, Ctrl-D and Esc refuse with `cancelled`; a signal restores the
 * terminal and then ends the process.
 */
async function answered<T>(question: Question | ((input: PacedInput) => Question), theme: Theme, isBusy = () => false): Promise<T> {
  const { stdin } = process;
  // The terminal was closed.
  if (!stdin.isTTY || stdin.readableEnded || stdin.destroyed) throw cancelled();
  const controller = new AbortController();
  let endSignal: NodeJS.Signals | undefined;
  const cancel = (): void => controller.abort();
  const end = (signal: NodeJS.Signals): void => {
    endSignal = signal;
    cancel();
  };
  const onKeypress = (_: string | undefined, { name, ctrl }: Key): void => {
    if (name === 'escape' || (ctrl === true && (name === 'c' || name === 'd'))) cancel();
  };
  const input = pacedInput(stdin, isBusy, (ms, then) => void setTimeout(then, ms));
  // After Ctrl-Z and fg, readline does not resume its input.
  const resumeInput = (): void => void setImmediate(() => input.keys.resume());
  process.on('SIGCONT', resumeInput);
  input.keys.on('keypress', onKeypress);
  stdin.on('end', onHangup).on('error', onHangup);
  for (const signal of endSignals) process.on(signal, end);
  try {
    return (await askPackage(typeof question === 'function' ? question(input) : question, theme, controller.signal, input)) as T;
  } catch (error) {
    if (error instanceof Error && (error.name === 'ExitPromptError' || error.name === 'AbortPromptError')) throw cancelled();
    throw error;
  } finally {
    input.stop();
    stdin.off('end', onHangup).off('error', onHangup);
    process.off('SIGCONT', resumeInput);
    for (const signal of endSignals) process.off(signal, end);
    if (endSignal !== undefined) process.kill(process.pid, endSignal);
  }
}

/** The theme of all questions, in the colours of standard error; the package would use those of standard output. */
function themeOf(paint: Paint, columns: number) {
  const keys = (all: readonly (readonly [key: string, action: string])[]): string =>
    paint.dim([...all, ['esc', 'cancel']].map(([key, action]) => `${key} ${action}`).join(' · '));
  return {
    prefix: { idle: paint.cyan('?'), done: paint.green('✓') },
    spinner: { interval: 80, frames: ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏'].map((frame) => paint.yellow(frame)) },
    icon: { cursor: '›' },
    keywords: { yes: 'Yes', no: 'No', error: () => 'Type y or n.' },
    style: {
      answer: paint.cyan,
      // Two cells are left for the mark before the question.
      message: (text: string, _status: string): string => paint.bold(wrapText(text, columns - 2)),
      error: (text: string) => paint.red(sanitiseCell(text)),
      defaultAnswer: (text: string) => paint.dim(`(${text})`),
      confirmDefault: (text: string) => text.toUpperCase(),
      help: paint.dim,
      highlight: paint.cyan,
      disabled: paint.dim,
      searchTerm: paint.cyan,
      keysHelpTip: keys,
    },
  };
}

type Theme = ReturnType<typeof themeOf>;

/** The theme of one question, which tells its input whenever the question is drawn. */
function drawnTheme(theme: Theme, { drawn }: PacedInput): Theme {
  const message = (text: string, status: string): string => {
    drawn(status === 'done');
    return theme.style.message(text, status);
  };
  return { ...theme, style: { ...theme.style, message } };
}

function shown<T>(choices: readonly Choice<T>[]): readonly Choice<T>[] {
  return choices.map(({ name, value }) => ({ value, name: sanitiseCell(name) }));
}

const shownChoices = 9;

/** The width in cells below which the line of keys is shortened. */
const keysWidth = 50;

/** Lets people choose from the results of a search; the line of keys says how many were found. */
async function pick<T>(message: string, source: (term: string) => Promise<Found<T>>, columns: number, paint: Paint): Promise<T> {
  const theme = themeOf(paint, columns);
  let searches = 0;
  let counts = '';
  let found: readonly Choice<T>[] = [];
  const search = async (term: string | undefined, onReady: () => void) => {
    // The package types the name of the selected choice at the tab key.
    const completed = found.filter(({ name }) => name === term);
    if (completed.length > 0) return completed;
    searches += 1;
    try {
      const { choices, total } = await source(term ?? '');
      counts = total > shownChoices ? `${shownChoices} of ${grouped(total)}` : '';
      return (found = shown(choices));
    } finally {
      searches -= 1;
      // The package draws the choices first.
      setImmediate(onReady);
    }
  };
  const keysHelpTip = (): string => {
    const keys = [...(counts === '' ? [] : [counts]), 'type to search', ...(columns < keysWidth ? [] : ['⏎ select'])].join(' · ');
    const long = `${keys} · esc cancel`;
    return paint.dim(long.length < columns ? long : `${keys} · esc`);
  };
  return answered<T>(
    (input) => ({ type: 'search', message, source: (term: string | undefined) => search(term, input.continue), pageSize: shownChoices }),
    { ...theme, style: { ...theme.style, keysHelpTip } },
    () => searches > 0,
  );
}

/** Asks on standard error. */
export async function prompterOf(io: Io, { colour }: Settings): Promise<Prompter> {
  const paint = await paintFor(isColoured(io.stderr, colour, io.environment));
  const theme = themeOf(paint, io.stderr.columns);
  return {
    yesNo: (message, byDefault = false) => answered({ type: 'confirm', message, default: byDefault }, theme),
    line: ({ message, fallback, problem }) => answered({ type: 'input', message, default: fallback, validate: (text: string) => problem(text) ?? true }, theme),
    pick: (message, source) => pick(message, source, io.stderr.columns, paint),
    choose: (message, choices, first = 0) =>
      answered({ type: 'select', message, choices: shown(choices), default: choices[first]?.value, pageSize: 12, loop: false }, theme),
  };
}
