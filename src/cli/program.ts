import { StoreError } from '../domain/errors.js';
import type { Shop } from '../domain/shop.js';
import { utc } from '../domain/values/time-zone.js';
import type { GlobalFlags } from '../settings/setting-table.js';
import { readSettings, type Settings } from '../settings/settings.js';
import type { Context, Matched, Path } from './command.js';
import { groupNamed } from './command-groups.js';
import { guardedSetup, isRefused, newCommits, readOnlyRefusal, withCommit, type Commits } from './guarded-setup.js';
import { hintOf, hintText } from './hints.js';
import type { Io } from './io.js';
import { isColoured, paintFor } from './output/colours.js';
import { report } from './output/error-report.js';
import { fileProblem } from './output/file-output.js';
import { pagedThrough, writePaged } from './output/paged-output.js';
import { sanitiseCell, withSanitisedJson } from './output/sanitise.js';
import { writeText } from './output/wrapped-text.js';
import { parseLine, type Request } from './parser.js';
import { isShell, type Setup } from './program-setup.js';
import { runWithPrompts, wantsAnswers } from './prompts/ask-missing.js';
import { canAsk } from './prompts/prompt.js';
import { checkArguments, checkLine } from './usage-errors.js';

interface Invocation {
  /** As commander reads it. */
  readonly argv: readonly string[];
  readonly io: Io;
  readonly setup: Setup;
  /** The same without its guard, for the jobs of the menu: each is a command line, which is guarded when it runs. */
  readonly unguarded: Setup;
  readonly commits: Commits;
  readonly globalFlags: GlobalFlags;
  /** The words of the command; undefined for a line that names none. */
  readonly path: Path | undefined;
  /** Resolved at the first use. */
  readonly settings: () => Settings;
  /** The same; undefined if they are invalid. */
  readonly validSettings: () => Settings | undefined;
}

/** Resolves the settings; returns a function that answers with them, or throws why they are invalid. */
function resolvedSettings({ io, globalFlags }: Pick<Invocation, 'io' | 'globalFlags'>): () => Settings {
  try {
    const settings = readSettings(globalFlags, io.environment);
    return () => settings;
  } catch (error) {
    return () => {
      throw error;
    };
  }
}

function invocationOf(parts: Omit<Invocation, 'settings' | 'validSettings'>): Invocation {
  let resolved: (() => Settings) | undefined;
  const settings = (): Settings => (resolved ??= resolvedSettings(parts))();
  const validSettings = (): Settings | undefined => {
    try {
      return settings();
    } catch {
      return undefined;
    }
  };
  return { ...parts, settings, validSettings };
}

/** The context of a command; `close` closes the shop if the command opened it. */
async function contextOf(
  { io: processIo, setup }: Invocation,
  { command, flags, globalFlags }: Matched,
  settings: Settings,
): Promise<{ readonly context: Context; readonly close: () => Promise<void> }> {
  let shop: Promise<Shop> | undefined;
  // No pager for a command that changes the shop: its output must stay visible while it asks for a confirmation.
  const io = withSanitisedJson(
    command.mutates ? processIo : pagedThrough(processIo, settings.pager),
    globalFlags.jq === undefined ? settings.format : undefined,
  );
  // Refuses before the command asks a question or opens the shop.
  const checkReadOnly = (): void => {
    const onlyReads = Object.entries(command.flags).some(([name, { readsOnly }]) => readsOnly === true && flags[name] === true);
    if (command.mutates && !onlyReads && isRefused(settings, flags['dryRun'] === true)) throw readOnlyRefusal(settings);
  };
  const openShop = async (): Promise<Shop> => {
    checkReadOnly();
    return (shop ??= setup.open(settings));
  };
  const paint = await paintFor(isColoured(io.stdout, settings.colour, io.environment));
  const context: Context = {
    io,
    settings,
    globalFlags,
    paint,
    zone: settings.utc ? utc : io.localZone(),
    setup,
    shop: openShop,
    call: async (...request) => (await openShop()).call(...request),
    note: async (line) => {
      if (!settings.quiet) await writeText(io.stderr, `${sanitiseCell(line)}\n`);
    },
    hintFor: (error) => {
      const next = hintOf(error);
      return next && hintText(next, globalFlags, settings, []);
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

/** The command of the line of another one, which a prompt runs first. */
async function parseOther(words: readonly string[], { setup, io }: Invocation): Promise<Matched> {
  const { request } = await parseLine(words, setup, () => io.stdout.columns);
  if ('matched' in request) return request.matched;
  throw new Error(`The line ${words.join(' ')} names no command.`);
}

/** Runs a command; at a terminal it first asks for missing arguments. */
async function askAndRun(matched: Matched, context: Context, invocation: Invocation): Promise<number | void> {
  const { command, args, flags } = matched;
  const { io, settings } = context;
  // With an unknown field the command refuses anyway, so it asks nothing first.
  const knowsFields = settings.fields?.every((field) => command.fields.includes(field)) ?? true;
  if (knowsFields && wantsAnswers(matched) && canAsk(io, settings)) {
    const { prompterOf } = await import('./prompts/terminal-prompter.js');
    return runWithPrompts(matched, context, await prompterOf(io, settings), (words) => parseOther(words, invocation));
  }
  checkArguments(matched);
  return command.run(context, args, flags);
}

async function runMatched(matched: Matched, invocation: Invocation): Promise<number> {
  const { io, commits, validSettings } = invocation;
  const { command, globalFlags } = matched;
  const [noun] = command.path;
  if (groupNamed(noun)?.listsChanges === true) commits.shownBy = [noun, 'list'];
  // A command that works with broken settings falls back on flags and environment if the config file is invalid.
  const settings = command.worksWithBrokenSettings ? (validSettings() ?? readSettings(globalFlags, io.environment, false)) : invocation.settings();
  const { context, close } = await contextOf(invocation, matched, settings);
  const started = io.now();
  try {
    return (await askAndRun(matched, context, invocation)) ?? 0;
  } finally {
    await close();
    if (settings.debug) await io.stderr.write(`${command.path.join(' ')}: ${io.now() - started} ms\n`);
  }
}

/** Runs a command; with --jq its JSON goes through jq. */
async function runCommand(matched: Matched, invocation: Invocation): Promise<number> {
  checkLine(matched);
  const { command, globalFlags } = matched;
  if (globalFlags.jq === undefined) return runMatched(matched, invocation);
  const { filterOutput } = await import('./output/filter-output.js');
  const { io, setup, commits } = invocation;
  const isNdjson = globalFlags.format === 'ndjson' && globalFlags.json === undefined;
  return filterOutput(io, await setup.jq(globalFlags.jq), { command, isNdjson, commits }, (filtered) => runMatched(matched, { ...invocation, io: filtered }));
}

/** Does what a command line asks for; an empty one at a terminal shows the menu. */
async function dispatch(request: Request, invocation: Invocation): Promise<number> {
  const { argv, io, setup, unguarded, settings, validSettings } = invocation;
  checkUtf8(argv, io.environment);
  if ('refusal' in request) throw request.refusal;
  if ('matched' in request) return runCommand(request.matched, invocation);
  if ('chapter' in request) {
    const { showTopic } = await import('./help/show-topic.js');
    await showTopic(io, validSettings(), setup.guide, request.chapter);
  } else if (request.isEmpty && io.stdin.isTerminal && io.stdout.isTerminal && canAsk(io, settings())) {
    const { menu } = await import('./prompts/menu.js');
    return menu({ flags: argv, settings: settings(), io, setup: unguarded, run });
  } else await writePaged(io, request.help, () => validSettings()?.pager);
  return 0;
}

/** Refuses with `usage` an argument or variable of ours with U+FFFD, by which Node replaces bytes that are not UTF-8. */
function checkUtf8(argv: readonly string[], environment: Io['environment']): void {
  const argument = argv.find((word) => word.includes('\u{fffd}'));
  const variable = Object.keys(environment).find((name) => name.startsWith('PETSTORE_') && environment[name]?.includes('\u{fffd}') === true);
  const subject = argument === undefined ? variable && `The variable ${variable}` : `The argument "${argument}"`;
  if (subject !== undefined)
    throw new StoreError('usage', `${subject} is not valid UTF-8.`, { advice: 'Set the terminal to UTF-8, or give the text in UTF-8.' });
}

/** Runs one command line and returns its exit code. */
export async function run(typed: readonly string[], io: Io, unguarded: Setup): Promise<number> {
  const commits = newCommits();
  const setup = guardedSetup(unguarded, commits);
  let invocation = invocationOf({ argv: typed, io, setup, unguarded, commits, globalFlags: {}, path: undefined });
  try {
    if (typed[0] === 'complete' && isShell(typed[1])) {
      const { complete } = await import('./completion/complete.js');
      await complete(typed.slice(1), io, setup);
      return 0;
    }
    const { argv, request, globalFlags } = await parseLine(typed, setup, () => io.stdout.columns);
    invocation = invocationOf({ ...invocation, argv, globalFlags, path: 'matched' in request ? request.matched.command.path : undefined });
    return await dispatch(request, invocation);
  } catch (error) {
    return report(withCommit(error, commits, fileProblem), { ...invocation, settings: invocation.validSettings() });
  }
}
