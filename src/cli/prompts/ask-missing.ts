import { HintedError } from '../../settings/hint.js';
import { StoreError } from '../../domain/errors.js';
import { quoted } from '../../settings/shell-word.js';
import type { Call } from '../../domain/call.js';
import { joinItems } from '../../domain/values/text.js';
import type { Settings } from '../../settings/settings.js';
import { argumentEntries } from '../help/command-entries.js';
import type { Command, Context } from '../command.js';
import type { Answers, Prompter, Talk } from './prompter.js';
import { sanitiseCell } from '../output/sanitise.js';
import type { Matched } from '../parser.js';

function argumentNames(command: Command): readonly string[] {
  return Object.keys(command.arguments);
}

/** The names of what a command asks for and what was not given. */
function unanswered({ command, args, flags }: Matched): readonly string[] {
  const places = argumentNames(command);
  const given = (name: string): boolean => (places.includes(name) ? places.indexOf(name) < args.length : flags[name] !== undefined);
  return Object.keys(command.asks).filter((name) => !given(name));
}

/** Whether a command that was typed has something to ask for. */
export function wantsAnswers(matched: Matched): boolean {
  return unanswered(matched).some((name) => matched.command.asks[name]?.need !== 'detail');
}

/** A line as it is typed into a shell; a password that the address of the store holds stays out of it. */
function shellLine(words: readonly string[], { store, where }: Pick<Settings, 'store' | 'where'>): string {
  return ['petstore', ...words.map((word) => quoted(word.replace(store, () => where)))].join(' ');
}

/** The arguments that a command cannot do without and that were not given. */
export function missingArguments({ command, args }: Matched): readonly string[] {
  return argumentEntries(command)
    .slice(args.length)
    .filter(({ required }) => required)
    .map(({ name }) => name);
}

/** Refuses a line that lacks arguments, or names a file by an empty text, with `usage`. */
export function checkArguments(matched: Matched): void {
  const missing = missingArguments(matched);
  const file = Object.values(matched.command.arguments).findIndex(({ names }) => names === 'file');
  if (file >= 0 && matched.args[file]?.trim() === '') throw new StoreError('usage', 'The name of the file is empty.');
  if (missing.length === 0) return;
  const verb = missing.length === 1 ? 'is' : 'are';
  throw new HintedError('usage', `The ${joinItems(missing)} ${verb} missing.`, { command: [...matched.command.path, '--help'] });
}

/**
 * The line that was typed with the answers in their places. They stand before a bare --json, which would take the next
 * word for its own, and flags before the "--" after which there are none.
 */
function composed(argv: readonly string[], command: Command, answers: Answers): readonly string[] {
  const args = argumentNames(command)
    .map((name) => answers[name])
    .filter((answer) => typeof answer === 'string');
  const flagged = Object.entries(command.flags).flatMap(([name, flag]) => {
    const answer = answers[name];
    const long = `--${flag.long}`;
    if (answer === undefined) return [];
    return answer === true ? [long] : answer.startsWith('-') ? [`${long}=${answer}`] : [long, answer];
  });
  const end = argv.indexOf('--');
  if (end >= 0) return [...argv.slice(0, end), ...flagged, ...argv.slice(end), ...args];
  const bare = argv.at(-1) === '--json' ? 1 : 0;
  return [...argv.slice(0, argv.length - bare), ...args, ...flagged, ...argv.slice(argv.length - bare)];
}

/** What one question after the other was answered with. */
type Answered = ReadonlyMap<string, Answers>;

function together(answered: Answered): Answers {
  return Object.assign({}, ...answered.values()) as Answers;
}

/** Asks what is still open, in the order the command has it. */
async function answersTo(matched: Matched, before: Answered, talk: Omit<Talk, 'given'>): Promise<Answered> {
  const { command, args, flags } = matched;
  const places = argumentNames(command);
  const typed = Object.fromEntries(args.map((text, index) => [places[index] ?? '', text]));
  const answered = new Map(before);
  for (const name of unanswered(matched)) {
    const question = command.asks[name];
    const answers = together(answered);
    // One question may have answered another's too.
    if (question === undefined || answered.has(name) || answers[name] !== undefined) continue;
    const given = { ...flags, ...typed, ...answers };
    const answer = await question.ask({ ...talk, given });
    answered.set(name, typeof answer === 'object' ? answer : answer === undefined ? {} : { [name]: answer });
  }
  return answered;
}

/** Shows a line to copy on standard error, unless --quiet. */
export async function showLine({ io, settings }: Pick<Context, 'io' | 'settings'>, label: string, words: readonly string[]): Promise<void> {
  if (!settings.quiet) await io.stderr.write(`${sanitiseCell(`${label} ${shellLine(words, settings)}`)}\n`);
}

/**
 * Asks for what a line lacks, and runs it with the answers as if they had been typed. A refusal that a question knows is
 * told, and the question is asked once more.
 */
export async function converse(
  argv: readonly string[],
  matched: Matched,
  context: Context,
  prompter: Prompter,
  parse: (words: readonly string[]) => Matched | undefined,
): Promise<number | void> {
  const { command } = matched;
  const { io } = context;
  // A shop that is not there is told before somebody types for nothing.
  if (command.does.length > 0) await context.shop();
  const call: Call = async (...asked) => (await context.shop()).call(...asked);
  let answered: Answered = new Map();
  for (;;) {
    answered = await answersTo(matched, answered, { ...prompter, call, isFile: (path) => io.sizeOf(path) !== undefined, columns: io.stderr.columns });
    const words = composed(argv, command, together(answered));
    const whole = parse(words);
    if (whole === undefined) throw new Error(`The line ${shellLine(words, context.settings)} means nothing.`);
    try {
      const exitCode = await whole.command.run(context, whole.args, whole.flags);
      await showLine(context, 'Same again:', words);
      return exitCode;
    } catch (error) {
      if (!(error instanceof StoreError)) throw error;
      const stale = [...answered.keys()].filter((name) => command.asks[name]?.again?.includes(error.code));
      if (stale.length === 0) {
        if (error.code !== 'cancelled') await showLine(context, 'That was:', words);
        throw error;
      }
      await io.stderr.write(`${sanitiseCell(error.message)}\n`);
      answered = new Map([...answered].filter(([name]) => !stale.includes(name)));
    }
  }
}
