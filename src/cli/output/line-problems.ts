import type { ErrorCode } from '../../domain/errors.js';
import { isJson } from '../../settings/output-format.js';
import type { Context } from '../command.js';
import { grouped } from './numbers.js';
import { sanitiseCell } from './sanitise.js';
import { writeText } from './wrapped-text.js';

/** Why a line of a file cannot be applied. */
export interface LineProblem {
  readonly line: number;
  readonly message: string;
  /** The code of the refusal, where the shop refused it. */
  readonly code?: ErrorCode;
}

const maximumShown = 20;

/** The first lines of many, and how many more there are; `all` counts those that are not given too. */
export function firstLines(lines: readonly string[], all = lines.length): readonly string[] {
  const shown = lines.slice(0, maximumShown);
  return all > shown.length ? [...shown, `… and ${grouped(all - shown.length)} more`] : shown;
}

/** The refusal of a file: a sentence, the name of the file, and why its lines cannot be applied. */
interface RefusedLines {
  readonly sentence: string;
  readonly name: string;
  readonly problems: readonly LineProblem[];
}

/** The message of the refusal of a file. Its problems are written to standard error, or for JSON, where a refusal is one object, into the message. */
export async function lineProblemsMessage({ io, settings }: Context, { sentence, name, problems }: RefusedLines): Promise<string> {
  const sorted = problems.toSorted((one, other) => one.line - other.line);
  const lines = firstLines(sorted.map(({ line, message }) => sanitiseCell(`${name}:${line}: ${message}`)));
  if (isJson(settings.format)) return [sentence, ...lines].join(' ');
  await writeText(io.stderr, lines.map((line) => `${line}\n`).join(''));
  return sentence;
}
