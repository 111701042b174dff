import { fileProblem } from './file-output.js';
import type { GlobalFlags } from '../../settings/setting-table.js';
import type { Settings } from '../../settings/settings.js';
import { exitCodeOf } from '../exit-codes.js';
import { hintOf, hintText } from '../hints.js';
import { StoreError } from '../../domain/errors.js';
import { isJson } from '../../settings/output-format.js';
import { ClosedPipeError, type Io } from '../io.js';
import { isColoured, paintFor } from './colours.js';
import { sanitise, sanitiseCell, sanitiseJson } from './sanitise.js';
import { utcText } from '../../domain/values/time.js';
import { clockText } from './time-text.js';
import { writeText } from './wrapped-text.js';

function wantsJson({ json, jq, format }: GlobalFlags, io: Io, settings: Settings | undefined): boolean {
  return json !== undefined || jq !== undefined || isJson(format ?? settings?.format ?? io.environment['PETSTORE_FORMAT']);
}

function refusalOf(error: unknown): StoreError {
  if (error instanceof StoreError) return error;
  // An error of Node about a file that was named on the command line is an error of usage, not a bug.
  if (error instanceof Error && 'code' in error && 'path' in error && typeof error.code === 'string') {
    if (error.code === 'EEXIST')
      return new StoreError('file_exists', `${String(error.path)} already exists.`, { advice: 'Choose another name, or remove the file first.' });
    return new StoreError('usage', `${String(error.path)} ${fileProblem(error.code)}.`);
  }
  const message = error instanceof Error ? error.message : String(error);
  return new StoreError('internal_error', `Internal error: ${message}`, {
    advice: 'Run the command again with --debug and report the output.',
  });
}

/** A message with its time on the local clock. */
function withLocalTime(message: string, { details: { at } }: StoreError, { localZone }: Io, settings: Settings | undefined): string {
  if (at === undefined || settings?.utc === true) return message;
  const zone = localZone();
  const [day, time] = clockText(at, zone).split(' ');
  return message.replace(utcText(at), `on ${day} at ${time}${zone.name === 'UTC' ? ' UTC' : ''}`);
}

const longestMessage = 4000;

interface ReportContext {
  readonly argv: readonly string[];
  readonly io: Io;
  readonly globalFlags?: GlobalFlags;
  /** The words of the command. */
  readonly path?: readonly string[] | undefined;
  /** Undefined where they cannot be read. */
  readonly settings?: Settings | undefined;
}

/** Writes an error to standard error, as text or as one JSON object, and returns the exit code. */
export async function report(error: unknown, { argv, io, globalFlags = {}, path, settings }: ReportContext): Promise<number> {
  if (error instanceof ClosedPipeError) return 0;
  const refusal = refusalOf(error);
  const { code, message: fullMessage, status, stack } = refusal;
  const exitCode = exitCodeOf(refusal);
  const next = hintOf(refusal);
  const hint = next && hintText(next, globalFlags, settings, argv);
  // A message can quote an argument, which can be very long.
  const message = fullMessage.length > longestMessage ? `${fullMessage.slice(0, longestMessage)}…` : fullMessage;
  const trace = code === 'internal_error' && error instanceof Error ? error.stack : stack;
  if (globalFlags.debug === true) await io.stderr.write(`${sanitise(trace ?? '')}\n`);
  if (wantsJson(globalFlags, io, settings)) {
    const record = { code, message, status, exitCode, ...(hint !== undefined && { hint }) };
    await io.stderr.write(`${sanitiseJson(JSON.stringify({ error: record }))}\n`);
    return exitCode;
  }
  const colour = settings?.colour ?? (globalFlags.color === false ? 'never' : 'auto');
  const paint = await paintFor(isColoured(io.stderr, colour, io.environment));
  if (code === 'cancelled') {
    // After a "no" to `count cancel`, "Cancelled." would say the opposite of what happened.
    await io.stderr.write(`${paint.dim(path?.at(-1) === 'cancel' ? 'Nothing was cancelled.' : 'Cancelled.')}\n`);
    return exitCode;
  }
  await writeText(io.stderr, `${paint.red('error:')} ${sanitiseCell(withLocalTime(message, refusal, io, settings))}\n`);
  if (next === undefined || hint === undefined) return exitCode;
  const label = paint.dim('hint:');
  if ('advice' in next) await writeText(io.stderr, `${label} ${sanitiseCell(hint)}\n`);
  else await io.stderr.write(`${label} ${sanitiseCell(hint)}\n`);
  return exitCode;
}
