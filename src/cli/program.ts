import { CommanderError } from 'commander';
import { StoreError } from '../domain/errors.js';
import type { Shop } from '../domain/shop.js';
import { utc } from '../domain/values/time-zone.js';
import type { GlobalFlags, Settings } from '../settings/settings.js';
import { checkArguments, runWithPrompts, wantsAnswers } from './prompts/ask-missing.js';
import { canAsk } from './prompts/can-ask.js';
import type { Command, Context } from './command.js';
import { guardedSetup, newCommits, readOnlyRefusal, withCommit, type Commits } from './guarded-setup.js';
import { isShell } from './completion/shells.js';
import { chapterNamed } from './help/topics.js';
import { groupNamed } from './command-groups.js';
import type { Setup } from './program-setup.js';
import type { Io } from './io.js';
import { pagedThrough, writePaged } from './output/paged-output.js';
import { isColoured, paintFor } from './output/colours.js';
import { fileProblem } from './output/file-problem.js';
import { report } from './output/error-report.js';
import { withSanitisedOutput, sanitiseCell } from './output/sanitise.js';
import { writeText } from './output/wrapped-text.js';
import { checkArgumentCount, checkFields, checkFormat, checkJq, checkJsonValue, parseRefusals } from './usage-errors.js';
import { commandFirst, groupIn, type WordOrder } from './word-order.js';
import { buildProgram, type Matched } from './parser.js';

/** A parsed command line, with its settings and the setup to run it in. */
interface Invocation {
  readonly settings: Settings;
  readonly setup: Setup;
  readonly matched: Matched;
}

/** The context of a command; `close` closes the shop if the command opened it. */
async function contextOf(processIo: Io, { settings, setup, matched }: Invocation): Promise<{ readonly context: Context; readonly close: () => Promise<void> }> {
  const { command, globalFlags } = matched;
  let shop: Promise<Shop> | undefined;
  // No pager for a command that changes the shop: its output must stay visible while it asks for a confirmation.
  const io = withSanitisedOutput(
    command.mutates ? processIo : pagedThrough(processIo, settings.pager),
    globalFlags.jq === undefined ? settings.format : undefined,
  );
  // Refuses before the command asks a question or opens the shop.
  const checkReadOnly = (): void => {
    if (settings.readOnly && command.mutates && matched.flags['dryRun'] !== true) throw readOnlyRefusal(settings);
  };
  const paint = await paintFor(isColoured(io.stdout, settings.colour, io.environment));
  const context: Context = {
    io,
    settings,
    globalFlags,
    paint,
    zone: settings.utc ? utc : io.localZone(),
    setup,
    shop: async () => (checkReadOnly(), (shop ??= setup.open(settings))),
    note: async (line) => {
      if (!settings.quiet) await writeText(io.stderr, `${sanitiseCell(line)}\n`);
    },
    confirm: async (question, { yes, dryRun }) => {
      if (yes === true || dryRun === true) return;
      checkReadOnly();
      const { confirm } = await import('./prompts/terminal-prompter.js');
      await confirm(io, settings, question);
    },
  };
  return {
    context,
    close: async () => {
      const opened = await shop?.catch(() => undefined);
      await opened?.close();
    },
  };
}

/** The settings of a command; one that works with broken settings falls back on flags and environment if the config file is invalid. */
function settingsFor({ worksWithBrokenSettings }: Command, flags: GlobalFlags, io: Io, setup: Setup): Settings {
  try {
    return setup.settings(flags, io.environment);
  } catch (error) {
    if (!worksWithBrokenSettings) throw error;
    return setup.settings(flags, io.environment, false);
  }
}

/** The settings that decide how an error is shown; undefined if they are invalid. */
function settingsIfValid(flags: GlobalFlags, io: Io, setup: Setup): Settings | undefined {
  try {
    return setup.settings(flags, io.environment);
  } catch {
    return undefined;
  }
}

/** A parsed command line; nothing matches an empty one, and one that asks for help. */
interface Parsed {
  readonly matched: Matched | undefined;
  readonly flags: GlobalFlags;
  /** Whether it has no words besides flags. */
  readonly isEmpty: boolean;
  readonly order: WordOrder;
}

type Parse = (argv: readonly string[]) => Promise<Parsed>;

/** Parses command lines, and writes the help that one of them asks for. */
function parserOf(setup: Setup, io: Io, write: (text: string, flags: GlobalFlags) => void): Parse {
  return async (argv) => {
    const commands = (await groupNamed(groupIn(argv))?.load()) ?? [];
    const order = commandFirst(argv, commands);
    let matched: Matched | undefined;
    const program = buildProgram(
      setup,
      { write: (text) => write(text, program.opts()), width: () => io.stdout.columns },
      { argv: order.argv, commands, refusals: parseRefusals(order, commands) },
      (found) => (matched = found),
    );
    program.parse(order.argv, { from: 'user' });
    return { matched, flags: program.opts(), isEmpty: program.args.length === 0, order };
  };
}

/** A command line that names a command. */
interface Line {
  readonly argv: readonly string[];
  readonly matched: Matched;
  /** Parses the same line with answers added. */
  readonly parse: Parse;
}

/** Runs a command; at a terminal it first asks for missing arguments. */
async function runCommand({ argv, matched, parse }: Line, context: Context): Promise<number | void> {
  const { io, settings } = context;
  // With an unknown field the command refuses anyway, so it asks nothing first.
  const knowsFields = settings.fields?.every((field) => matched.command.fields.includes(field)) ?? true;
  if (knowsFields && wantsAnswers(matched) && canAsk(io, settings)) {
    const { prompterOf } = await import('./prompts/terminal-prompter.js');
    return runWithPrompts(argv, matched, context, await prompterOf(io, settings), async (words) => (await parse(words)).matched);
  }
  checkArguments(matched);
  return matched.command.run(context, matched.args, matched.flags);
}

/** What a command line works with, and the changes that it has committed. */
interface ProgramContext {
  readonly io: Io;
  readonly setup: Setup;
  readonly commits: Commits;
}

/** Runs a command; with --jq its JSON goes through jq. */
async function runFiltered(line: Line, program: ProgramContext): Promise<number> {
  const { command, globalFlags: flags } = line.matched;
  checkJq(command, flags);
  if (flags.jq === undefined) return runMatched(line, program);
  const { filterOutput } = await import('./output/filter-output.js');
  const { io, setup, commits } = program;
  const isNdjson = flags.format === 'ndjson' && flags.json === undefined;
  return filterOutput(io, await setup.jq(flags.jq), { command, isNdjson, lastCommit: commits.last }, (filtered) =>
    runMatched(line, { ...program, io: filtered }),
  );
}

async function runMatched(line: Line, { io, setup }: ProgramContext): Promise<number> {
  const { argv, matched } = line;
  const { globalFlags: flags } = matched;
  checkFormat(matched.command, flags);
  checkJsonValue(argv, matched, flags);
  checkFields(argv, matched.command, flags);
  const settings = settingsFor(matched.command, flags, io, setup);
  const { context, close } = await contextOf(io, { settings, setup, matched });
  const started = io.now();
  try {
    return (await runCommand(line, context)) ?? 0;
  } finally {
    await close();
    if (settings.debug) await io.stderr.write(`${matched.command.path.join(' ')}: ${io.now() - started} ms\n`);
  }
}

/** Whether to show the menu: for an empty command line at a terminal. */
function wantsMenu({ isEmpty, flags }: Parsed, io: Io, setup: Setup): boolean {
  if (!isEmpty || !io.stdin.isTerminal || !io.stdout.isTerminal) return false;
  return canAsk(io, setup.settings(flags, io.environment));
}

/** Runs one command line and returns its exit code. */
export async function run(argv: readonly string[], io: Io, unguarded: Setup): Promise<number> {
  const commits = newCommits();
  const setup = guardedSetup(unguarded, commits);
  let help = '';
  let helpFlags: GlobalFlags = {};
  let flags: GlobalFlags = {};
  const parse = parserOf(setup, io, (text, given) => ((help += text), (helpFlags = given)));
  try {
    if (argv[0] === 'complete' && isShell(argv[1])) {
      const { complete } = await import('./completion/complete.js');
      await complete(argv.slice(1), io, setup);
      return 0;
    }
    const malformed = io.malformedText(argv);
    if (malformed !== undefined)
      throw new StoreError('usage', `${malformed} is not valid UTF-8.`, { advice: 'Set the terminal to UTF-8, or give the text in UTF-8.' });
    const parsed = await parse(argv);
    const { order } = parsed;
    ({ flags } = parsed);
    const chapter = order.path[0] === 'help' ? chapterNamed(setup.guide, order.path.slice(1)) : undefined;
    if (chapter !== undefined) {
      const { showTopic } = await import('./help/show-topic.js');
      await showTopic(io, settingsIfValid(flags, io, setup), setup.guide, chapter);
      return 0;
    }
    if (parsed.matched) {
      checkArgumentCount(parsed.matched, order);
      return await runFiltered({ argv: order.argv, matched: parsed.matched, parse }, { io, setup, commits });
    }
    if (wantsMenu(parsed, io, setup)) {
      const { menu } = await import('./prompts/menu.js');
      return await menu({ flags: argv, settings: setup.settings(flags, io.environment), io, setup, run });
    }
  } catch (error) {
    const settings = settingsIfValid(flags, io, setup);
    // Commander throws an error with exit code 0 after it wrote help or the version.
    if (!(error instanceof CommanderError && error.exitCode === 0))
      return report(withCommit(error, commits, fileProblem), { argv, io, globalFlags: flags, settings });
  }
  try {
    await writePaged(io, help, () => settingsIfValid(helpFlags, io, setup)?.pager);
    return 0;
  } catch (error) {
    return report(withCommit(error, commits, fileProblem), { argv, io });
  }
}
