import { errorMeanings, StoreError, type ErrorCode } from '../../domain/errors.js';
import type { Settings } from '../../settings/settings.js';
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

const fileProblems: Readonly<Record<string, string>> = {
  ENOENT: 'does not exist',
  EACCES: 'may not be accessed',
  EISDIR: 'is a folder',
  EPERM: 'may not be accessed',
  ENOTDIR: 'lies below a file',
  ENOSPC: 'finds no room on the disk',
  ENXIO: 'is a pipe that nobody reads',
  ELOOP: 'is a link that leads back to itself',
  ENAMETOOLONG: 'has too long a name',
};

/** Why a file cannot be read or written, as the end of a sentence. */
export function fileProblem(code: string): string {
  return fileProblems[code] ?? `cannot be used (${code})`;
}

function known(error: unknown): StoreError {
  if (error instanceof StoreError) return error;
  // A file named on the command line that cannot be read or written is the user's to mend.
  if (error instanceof Error && 'code' in error && 'path' in error && typeof error.code === 'string') {
    if (error.code === 'EEXIST') return new StoreError('file_exists', `${String(error.path)} already exists.`, 'Choose another name, or remove it first.');
    return new StoreError('usage', `${String(error.path)} ${fileProblem(error.code)}.`);
  }
  const message = error instanceof Error ? error.message : String(error);
  return new StoreError('internal_error', `Something went wrong inside petstore: ${message}`, 'Run the command again with --debug and report what it prints.');
}

const longestMessage = 4000;

/** Tells an error on standard error, for people or as one JSON object, as the settings have it where they could be read; answers the exit code. */
export async function report(error: unknown, argv: readonly string[], io: Io, settings?: Settings): Promise<number> {
  if (error instanceof ClosedPipe) return 0;
  const { code, message: whole, status, exitCode, hint, stack } = known(error);
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

/** Every exit code with the error codes that end in it. */
export function exitCodes(): ReadonlyMap<number, readonly ErrorCode[]> {
  const codes = new Map<number, ErrorCode[]>();
  for (const [code, { exitCode }] of errorMeanings) codes.set(exitCode, [...(codes.get(exitCode) ?? []), code]);
  return codes;
}
