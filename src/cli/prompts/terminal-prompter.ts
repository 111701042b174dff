import { StoreError } from '../../domain/errors.js';
import type { Settings } from '../../settings/settings.js';
import type { Io } from '../io.js';
import { isColoured, paintFor, type Paint } from '../output/colours.js';
import { canAsk, cancelled, type Choice, type ChooseOptions, type Found, type Prompter } from './prompter.js';
import { sanitiseCell } from '../output/sanitise.js';
import { wrapText } from '../output/wrapped-text.js';
import { grouped } from '../output/numbers.js';
import { pacedInput, yesNoKeys, type PacedInput } from './paced-input.js';

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

/** What a question needs besides asking. */
interface QuestionOptions<T> {
  readonly isBusy?: () => boolean;
  readonly editKeys?: Parameters<typeof pacedInput>[3];
  /** A key that answers at once. */
  readonly shortcut?: { readonly key: string; readonly value: T } | undefined;
}

/**
 * Waits for an answer. Ctrl-C, Ctrl-D and Esc refuse with `cancelled`; a signal restores the terminal and then ends the
 * process.
 */
async function answered<T>(
  ask: (signal: AbortSignal, input: PacedInput) => Promise<{ readonly answer: T }>,
  { isBusy = () => false, editKeys, shortcut }: QuestionOptions<T> = {},
): Promise<T> {
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
  let isShortcut = false;
  const onKeypress = (_: string | undefined, { name, ctrl }: Key): void => {
    isShortcut = shortcut !== undefined && name === shortcut.key && ctrl !== true;
    if (isShortcut) cancel();
    if (name === 'escape' || (ctrl === true && (name === 'c' || name === 'd'))) cancel();
  };
  // After Ctrl-Z and fg, readline does not resume its input.
  const input = pacedInput(stdin, isBusy, (ms, then) => void setTimeout(then, ms), editKeys);
  const resumeInput = (): void => void setImmediate(() => input.keys.resume());
  process.on('SIGCONT', resumeInput);
  input.keys.on('keypress', onKeypress);
  stdin.on('end', onHangup).on('error', onHangup);
  for (const signal of endSignals) process.on(signal, end);
  try {
    return (await ask(controller.signal, input)).answer;
  } catch (error) {
    if (isShortcut && shortcut !== undefined && endSignal === undefined) return shortcut.value;
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

/** What stands before and after a question: "? " and " (y/N) y". */
const aroundQuestion = { before: 2, after: 8 };

/** A question wrapped at spaces to a width in cells, with room for what stands around it; the package would break it inside a word. */
function wrappedQuestion(question: string, columns: number): string {
  const room = '_'.repeat(aroundQuestion.after - 1);
  return wrapText(`${question} ${room}`, columns - aroundQuestion.before).slice(0, -aroundQuestion.after);
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
      message: (text: string, _status: string): string => paint.bold(wrappedQuestion(text, columns)),
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

/** The theme of one question, which tells its input whenever the question is drawn. */
function drawnTheme(theme: ReturnType<typeof themeOf>, { drawn }: PacedInput): ReturnType<typeof themeOf> {
  const message = (text: string, status: string): string => {
    drawn(status === 'done');
    return theme.style.message(text, status);
  };
  return { ...theme, style: { ...theme.style, message } };
}

/** Choices for the package, whose values are indexes in `all`, the choices that were shown so far. */
function numbered<T>(choices: readonly Choice<T>[], all: Choice<T>[]) {
  return choices.map((choice) => {
    const { name, short = name } = choice;
    return { value: all.push(choice) - 1, name: sanitiseCell(name), short: sanitiseCell(short) };
  });
}

function valueOf<T>(all: readonly Choice<T>[], index: number): T {
  const chosen = all[index];
  if (chosen === undefined) throw new RangeError(`There is no choice ${index}.`);
  return chosen.value;
}

const shownChoices = 9;

/** The width in cells below which the line of keys is shortened. */
const keysWidth = 50;

/** A search to choose from. */
interface Search<T> {
  readonly message: string;
  readonly source: (term: string) => Promise<Found<T>>;
  readonly columns: number;
  readonly theme: ReturnType<typeof themeOf>;
  readonly paint: Paint;
}

const questionTypes = ['confirm', 'input', 'search', 'select'] as const;

/** A question of the package, which reads `clearPromptOnDone` when it ends. */
type Question = (config: unknown, context: object) => Promise<unknown>;

/** The questions of the package, on standard error; a cancelled one is removed from the screen. */
async function asker(signal: AbortSignal, { keys }: PacedInput) {
  const { default: inquirer } = await import('inquirer');
  const module = inquirer.createPromptModule({ input: keys, output: process.stderr, signal });
  for (const type of questionTypes) {
    // The types of the package do not say which of its questions are functions.
    const ask = module.prompts[type] as Question;
    module.registerPrompt(type, (config: unknown, context: object) =>
      ask(config, Object.defineProperty(context, 'clearPromptOnDone', { get: () => signal.aborted })),
    );
  }
  return module;
}

/** Lets people choose from the results of a search; the line of keys says how many were found. */
async function pick<T>({ message, source, columns, theme, paint }: Search<T>): Promise<T> {
  const all: Choice<T>[] = [];
  let searches = 0;
  let counts = '';
  const search = async (term: string | undefined, onReady: () => void) => {
    searches += 1;
    try {
      const { choices, total } = await source(term ?? '');
      counts = total > shownChoices ? `${shownChoices} of ${grouped(total)}` : '';
      return numbered(choices, all);
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
  const style = { ...theme.style, keysHelpTip };
  const index = await answered<number>(
    async (signal, input) =>
      (await asker(signal, input))<{ answer: number }>([
        {
          type: 'search',
          name: 'answer',
          message: sanitiseCell(message),
          source: (term: string | undefined) => search(term, input.continue),
          pageSize: shownChoices,
          theme: drawnTheme({ ...theme, style }, input),
        },
      ]),
    { isBusy: () => searches > 0 },
  );
  return valueOf(all, index);
}

/** Asks on standard error; the package for questions is loaded with the first one. */
export async function prompterOf(io: Io, { colour }: Settings): Promise<Prompter> {
  const paint = await paintFor(isColoured(io.stderr, colour, io.environment));
  const theme = themeOf(paint, io.stderr.columns);
  return {
    yesNo: (question, byDefault = false) =>
      answered<boolean>(
        async (signal, input) =>
          (await asker(signal, input))<{ answer: boolean }>([
            { type: 'confirm', name: 'answer', message: sanitiseCell(question), default: byDefault, theme: drawnTheme(theme, input) },
          ]),
        { editKeys: yesNoKeys() },
      ),
    line: ({ message, fallback, problem }) =>
      answered<string>(async (signal, input) =>
        (await asker(signal, input))<{ answer: string }>([
          {
            type: 'input',
            name: 'answer',
            message: sanitiseCell(message),
            ...(fallback !== undefined && { default: fallback }),
            validate: (text: string) => problem(text) ?? true,
            // An invalid text is red while it is typed; Return shows the problem.
            transformer: (text: string, { isFinal }: { readonly isFinal: boolean }) =>
              (isFinal ? paint.cyan : text !== '' && problem(text) !== undefined ? paint.red : (same: string) => same)(text),
            theme: drawnTheme(theme, input),
          },
        ]),
      ),
    pick: (message, source) => pick({ message, source, columns: io.stderr.columns, theme, paint }),
    choose: async <T>(message: string, choices: readonly Choice<T>[], { first = 0, shortcut }: ChooseOptions<T> = {}) => {
      const all: Choice<T>[] = [];
      const listed = numbered(choices, all);
      const answer = shortcut && { key: shortcut.key, value: all.push({ name: '', value: shortcut.value }) - 1 };
      const index = await answered<number>(
        async (signal, input) =>
          (await asker(signal, input))<{ answer: number }>([
            {
              type: 'select',
              name: 'answer',
              message: sanitiseCell(message),
              choices: listed,
              default: first,
              pageSize: choices.length,
              loop: false,
              theme: drawnTheme(theme, input),
            },
          ]),
        { shortcut: answer },
      );
      return valueOf(all, index);
    },
  };
}
