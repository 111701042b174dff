import { dirname } from 'node:path';
import { configPath, readConfig } from '../../settings/config-file.js';
import { listSettings } from '../../settings/settings.js';
import { storeAddress } from '../../settings/store-address.js';
import { flagWords, lineText, withFlags, withShopFlags } from '../command-text.js';
import { StoreError } from '../../domain/errors.js';
import { readArgument, readsStdin } from '../arguments.js';
import type { Command, Context, Matched } from '../command.js';
import type { AnyPrompt, Askable, Answers, Dialogue, Prompter } from './prompt.js';
import { readFlags } from '../flags.js';
import { isColoured, paintFor } from '../output/colours.js';
import { sanitiseCell } from '../output/sanitise.js';
import { withOutputs } from '../io.js';

/** What a command can ask for, by name: arguments, then flags, each in the order of their declaration, then global flags. */
function askable({ arguments: all, flags, globalPrompts }: Command): Readonly<Record<string, Askable>> {
  return { ...all, ...flags, ...globalPrompts };
}

/** The names of the missing values that have a prompt, in the order in which they are asked for. */
function unanswered({ command, args, flags, globalFlags }: Matched): readonly string[] {
  const values = askable(command);
  const typed: Readonly<Record<string, unknown>> = { ...flags, ...(command.globalPrompts.store && { store: globalFlags.store }) };
  const isMissing = (name: string, index: number): boolean => (name in command.arguments ? index >= args.length : typed[name] === undefined);
  const all = Object.keys(values);
  const isNeeded = ({ onlyWithout = [] }: AnyPrompt): boolean => onlyWithout.every((other) => isMissing(other, all.indexOf(other)));
  const names = all.filter((name, index) => {
    const prompt = values[name]?.prompt;
    return prompt !== undefined && isMissing(name, index) && isNeeded(prompt);
  });
  const isFirst = (name: string): boolean => values[name]?.prompt?.first === true;
  return [...names.filter(isFirst), ...names.filter((name) => !isFirst(name))];
}

/** Whether a command line lacks a value that the command asks for. Behind values that are typed on standard input nothing can be asked. */
export function wantsAnswers(matched: Matched): boolean {
  if (readsStdin(matched.command.arguments, matched.args)) return false;
  return unanswered(matched).some((name) => askable(matched.command)[name]?.prompt?.followUp !== true);
}

function argumentAnswers(command: Command, answers: Answers): readonly string[] {
  return Object.keys(command.arguments)
    .map((name) => answers[name])
    .filter((answer) => typeof answer === 'string');
}

/**
 * The command line with the answers added, to be shown. They go before a --json at the end, which would take the next word as its value,
 * and flags go before a `--`, which ends the flags.
 */
function withAnswers(argv: readonly string[], command: Command, answers: Answers): readonly string[] {
  const args = argumentAnswers(command, answers);
  const flagged = Object.entries({ ...command.flags, ...command.globalPrompts }).flatMap(([name, flag]) => {
    const answer = answers[name];
    if (answer === undefined) return [];
    return answer === true ? [`--${flag.long}`] : flagWords(flag.long, answer);
  });
  return argv.includes('--') ? [...withFlags(argv, flagged), ...args] : withFlags(argv, [...args, ...flagged]);
}

function answeredLine(matched: Matched, answers: Answers): Matched {
  const { argv, command, args, globalFlags } = matched;
  const { store = globalFlags.store } = answers;
  const flags = Object.entries(answers).flatMap(([name, answer]) => (answer === undefined || !(name in command.flags) ? [] : [[name, answer] as const]));
  return {
    argv: withAnswers(argv, command, answers),
    command,
    args: [...args, ...argumentAnswers(command, answers)],
    flags: { ...matched.flags, ...Object.fromEntries(flags) },
    globalFlags: command.globalPrompts.store && typeof store === 'string' ? { ...globalFlags, store } : globalFlags,
  };
}

/** The answers without those that hold only for this run. */
function lastingAnswers(command: Command, answers: Answers): Answers {
  return Object.fromEntries(Object.entries(answers).filter(([name]) => askable(command)[name]?.thisRunOnly !== true));
}

/** The values that a prompt gets: those that were typed or answered so far. Refuses with `usage`. */
async function givenValues({ command, args, flags }: Matched, { stdin }: Context['io'], { call, clock }: Dialogue): Promise<Readonly<Record<string, unknown>>> {
  const values: Record<string, unknown> = { ...readFlags(command.flags, flags, clock) };
  const given = Object.entries(command.arguments).slice(0, args.length);
  for (const [index, [name, one]] of given.entries()) values[name] = await readArgument(name, one, index, { words: args, stdin, call });
  return values;
}

async function askForMissing(matched: Matched, dialogue: Dialogue, io: Context['io']): Promise<Answers> {
  let answers: Answers = {};
  for (const name of unanswered(matched)) {
    const prompt = askable(matched.command)[name]?.prompt;
    // Another prompt may have answered this value too.
    if (prompt === undefined || answers[name] !== undefined) continue;
    // The declaration of the command was checked: it has every value that its prompts take.
    const answer = await prompt.ask(dialogue, (await givenValues(answeredLine(matched, answers), io, dialogue)) as never);
    answers = { ...answers, ...(typeof answer === 'object' ? answer : { [name]: answer }) };
  }
  return answers;
}

/** Shows a line to copy on standard error, unless --quiet. */
export async function showLine({ io, settings }: Pick<Context, 'io' | 'settings'>, label: string, words: readonly string[]): Promise<void> {
  if (!settings.quiet) await io.stderr.write(`${label} ${sanitiseCell(lineText(words, settings))}\n`);
}

type Parse = (words: readonly string[]) => Promise<Matched>;

/** The context of a command that runs before the one that asks: the same shop, and its result as a sentence on standard error. */
async function contextBefore(context: Context): Promise<Context> {
  const { io, settings } = context;
  const { stderr } = io;
  return {
    ...context,
    io: withOutputs(io, { stdout: stderr }),
    settings: { ...settings, format: undefined, fields: undefined },
    paint: await paintFor(isColoured(stderr, settings.colour, io.environment)),
  };
}

function dialogueOf({ command: asking, flags }: Matched, context: Context, prompter: Prompter, parse: Parse): Dialogue {
  const { io, settings, globalFlags, shop, call, zone } = context;
  const runFirst = async (words: readonly string[]): Promise<void> => {
    const { actor } = globalFlags;
    const line = withFlags(withShopFlags(words, globalFlags, settings), actor === undefined ? [] : ['--actor', actor]);
    const before = await contextBefore(context);
    const matched = await parse(line);
    if (wantsAnswers(matched)) return void (await runWithPrompts(matched, before, prompter, parse));
    await matched.command.run(before, matched.args, matched.flags);
    await showLine(before, 'As a command:', line);
  };
  return {
    ...prompter,
    call,
    shop,
    ...(asking.mutates && flags['dryRun'] !== true && { runFirst }),
    isFile: (path) => io.sizeOf(path) !== undefined,
    clock: { now: io.now(), zone },
    columns: io.stderr.columns,
    profiles: () => {
      const { path, profiles } = readConfig(configPath(io.environment));
      return [...profiles].map(([name, { store }]) => ({ name, where: storeAddress(store, dirname(path)).where }));
    },
    settings: () => listSettings(globalFlags, io.environment),
  };
}

/** Asks for the values that a command line lacks, runs it with the answers added, and shows the complete line. */
export async function runWithPrompts(matched: Matched, context: Context, prompter: Prompter, parse: Parse): Promise<number | void> {
  const { argv, command } = matched;
  // A missing shop is reported before anything is asked.
  if (command.operations.length > 0) await context.shop();
  const answers = await askForMissing(matched, dialogueOf(matched, context, prompter, parse), context.io);
  const complete = answeredLine(matched, answers);
  try {
    const exitCode = await command.run({ ...context, globalFlags: complete.globalFlags }, complete.args, complete.flags);
    const lasting = withAnswers(argv, command, lastingAnswers(command, answers));
    // A single prompt without an answer found nothing to ask for.
    if (Object.keys(answers).length > 1 || lasting.length > argv.length) await showLine(context, 'As a command:', lasting);
    return exitCode;
  } catch (error) {
    const isRefusal = error instanceof StoreError && error.code !== 'cancelled';
    if (isRefusal) await showLine(context, 'The command was:', complete.argv);
    throw error;
  }
}
