import { fileProblem } from './file-problem.js';
import type { GlobalFlags, Settings } from '../../settings/settings.js';
import { exitCodes } from '../exit-codes.js';
import { hintOf, hintText } from '../hints.js';
import { StoreError } from '../../domain/errors.js';
import { isJson } from '../../settings/output-format.js';
import { ClosedPipe, type Io } from '../io.js';
import { isColoured, paintFor } from './colours.js';
import { sanitise, sanitiseCell, sanitiseJson } from './sanitise.js';

/** Whether the words ask for JSON; read before they are parsed, so that a usage error is JSON too. */
function wantsJson(argv: readonly string[], io: Io, settings: Settings | undefined): boolean {
  if (argv.some((word) => word === '--json' || word.startsWith('--json='))) return true;
  const named = argv.findLastIndex((word) => word === '--format' || word.startsWith('--format='));
  if (named < 0) return isJson(settings?.format ?? io.environment['PETSTORE_FORMAT']);
  return isJson(argv[named] === '--format' ? argv[named + 1] : argv[named]?.slice('--format='.length));
}

/** What the words say about colour; read before they are parsed, because a usage error has a colour too. */
function colourWanted(argv: readonly string[], settings: Settings | undefined): Settings['colour'] {
  const place = argv.findLastIndex((word) => word === '--no-color' || word === '--color' || word.startsWith('--color='));
  if (place < 0 && settings !== undefined) return settings.colour;
  const word = argv[place] ?? '';
  const wanted = word === '--no-color' ? 'never' : word === '--color' ? argv[place + 1] : word.slice('--color='.length);
  return wanted === 'always' || wanted === 'never' ? wanted : 'auto';
}

function known(error: unknown): StoreError {
  if (error instanceof StoreError) return error;
  // A file named on the command line that cannot be read or written is the user's to mend.
  if (error instanceof Error && 'code' in error && 'path' in error && typeof error.code === 'string') {
    if (error.code === 'EEXIST')
      return new StoreError('file_exists', `${String(error.path)} already exists.`, { advice: 'Choose another name, or remove it first.' });
    return new StoreError('usage', `${String(error.path)} ${fileProblem(error.code)}.`);
  }
  const message = error instanceof Error ? error.message : String(error);
  return new StoreError('internal_error', `Something went wrong inside petstore: ${message}`, {
    advice: 'Run the command again with --debug and report what it prints.',
  });
}

const longestMessage = 4000;

/** The command line that failed. */
interface ReportContext {
  readonly argv: readonly string[];
  readonly io: Io;
  readonly given?: GlobalFlags;
  /** Undefined where they cannot be read. */
  readonly settings?: Settings | undefined;
}

/** Tells an error on standard error, for people or as one JSON object, as the settings have it where they could be read; answers the exit code. */
export async function report(error: unknown, { argv, io, given = {}, settings }: ReportContext): Promise<number> {
  if (error instanceof ClosedPipe) return 0;
  const refusal = known(error);
  const { code, message: whole, status, stack } = refusal;
  const exitCode = exitCodes[code];
  const next = hintOf(refusal);
  const hint = next && hintText(next, given, settings);
  // A message quotes what was typed, which may be as long as a command line can be.
  const message = whole.length > longestMessage ? `${whole.slice(0, longestMessage)}…` : whole;
  const shown = code === 'internal_error' && error instanceof Error ? error.stack : stack;
  if (argv.includes('--debug')) await io.stderr.write(`${sanitise(shown ?? '')}\n`);
  if (wantsJson(argv, io, settings)) {
    const record = { code, message, status, exitCode, ...(hint !== undefined && { hint }) };
    await io.stderr.write(`${sanitiseJson(JSON.stringify({ error: record }))}\n`);
    return exitCode;
  }
  const paint = await paintFor(isColoured(io.stderr, colourWanted(argv, settings), io.environment));
  await io.stderr.write(`${paint.red('error:')} ${sanitiseCell(message)}\n`);
  if (hint !== undefined) await io.stderr.write(`${paint.dim('hint:')} ${sanitiseCell(hint)}\n`);
  return exitCode;
}
