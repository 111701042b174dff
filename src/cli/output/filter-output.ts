import { StoreError } from '../../domain/errors.js';
import type { Command } from '../command.js';
import { type Io, type Output, withOutputs } from '../io.js';
import { afterChange, type Commits } from '../guarded-setup.js';
import { jqTimeLimitSeconds, type JqAnswer, type JqFilter } from '../program-setup.js';
import { sanitise } from './sanitise.js';

/** The JSON of a command that jq can filter at once; its memory holds about this much. */
const maximumJsonBytes = 1 << 25;
/** The NDJSON that is collected for one run of jq. */
const chunkBytes = 1 << 18;

const compileError = 3;

const limitTexts = {
  time: `the expression runs for more than ${jqTimeLimitSeconds} seconds`,
  memory: 'the expression needs more than 256 MB of memory',
} as const;

const byRecordAdvice = 'A list can be filtered record by record: add --format ndjson.';

/** The message of jq about an error, as the end of a sentence: without its prefix, and with the position as line and column. */
function jqMessage(stderr: string): string {
  const lines = stderr.split('\n');
  const line = lines.find((one) => one.startsWith('jq: ')) ?? lines[0] ?? '';
  return line
    .replace(/^jq: (?:error|parse error)(?: \(at [^)]*\))?(?: \(not a string\))?: /, '')
    .replace(/ at <top-level>, line (\d+), column (\d+):$/, ' (line $1, column $2)')
    .replace(/[.\s]*$/, '');
}

function checkAnswer(answer: JqAnswer, length = 0): asserts answer is Exclude<JqAnswer, { readonly limit: unknown }> {
  if ('limit' in answer)
    throw new StoreError(
      'usage',
      `--jq failed: ${limitTexts[answer.limit]}.`,
      answer.limit === 'memory' && length > chunkBytes ? { advice: byRecordAdvice } : {},
    );
  if (answer.exitCode === 0) return;
  const { stderr, exitCode } = answer;
  if (exitCode === compileError) throw new StoreError('usage', `The expression of --jq is not valid: ${jqMessage(stderr)}.`);
  throw new StoreError('usage', `--jq failed: ${jqMessage(stderr)}.`);
}

/** The output of jq as it is shown: strings as they are, other values as JSON. */
function textOf(stdout: string): string {
  if (stdout === '') return '';
  const values = stdout.split('\n').map((line) => (line.startsWith('"') ? (JSON.parse(line) as string) : line));
  return `${values.join('\n')}\n`;
}

interface Filtered {
  readonly command: Command;
  /** Whether it writes NDJSON, whose records are filtered one by one. */
  readonly isNdjson: boolean;
  readonly commits: Commits;
}

/** Standard output that collects JSON for jq; `end` filters what is left. */
function filteredOutput(
  { stdout, stderr }: Io,
  filter: JqFilter['filter'],
  { command, isNdjson, commits }: Filtered,
): Output & { readonly end: () => Promise<void> } {
  let collected: string[] = [];
  let length = 0;
  let failure: { readonly error: unknown } | undefined;
  const flush = async (): Promise<void> => {
    const json = collected.join('');
    [collected, length] = [[], 0];
    if (json.trim() === '') return;
    const answer = await filter(json);
    checkAnswer(answer, json.length);
    // What the expression writes with `debug` and `stderr`.
    if (answer.stderr !== '') await stderr.write(`${sanitise(answer.stderr)}\n`);
    const text = textOf(answer.stdout);
    await stdout.write(stdout.isTerminal ? sanitise(text) : text);
  };
  const write = async (text: string, flushAt: number): Promise<void> => {
    if (failure !== undefined) return;
    try {
      collected.push(text);
      length += text.length;
      if (length >= flushAt) await flush();
      if (length > maximumJsonBytes)
        throw new StoreError('usage', `--jq failed: the JSON has more than ${maximumJsonBytes >> 20} MB.`, { advice: byRecordAdvice });
    } catch (error) {
      // A failure must not end an import in the middle.
      if (!command.mutates) throw error;
      failure = { error };
    }
  };
  const outputOf = (flushAt: number): Output => Object.create(stdout, { write: { value: (text: string) => write(text, flushAt) } }) as Output;
  return Object.create(outputOf(isNdjson ? chunkBytes : Infinity), {
    lineByLine: { value: outputOf(0) },
    end: {
      value: async () => {
        try {
          if (failure !== undefined) throw failure.error;
          await flush();
        } catch (error) {
          throw commits.isMade && error instanceof StoreError ? afterChange(commits, `filtered: ${error.message}`) : error;
        }
      },
    },
  }) as Output & { readonly end: () => Promise<void> };
}

/**
 * Runs a command whose output goes through jq. An invalid expression is refused before a command changes anything. Refuses with
 * `usage` what jq cannot filter, and with `output_failed` if the command has made its change by then.
 */
export async function filterOutput(io: Io, jq: JqFilter, filtered: Filtered, run: (io: Io) => Promise<number>): Promise<number> {
  const { command } = filtered;
  // Without input jq only compiles the expression.
  const compiled = jq.filter('').then((answer) => checkAnswer(answer));
  const stdout = filteredOutput(io, async (json) => (await compiled, jq.filter(json)), filtered);
  try {
    // A command that changes nothing runs while the expression is compiled.
    if (command.mutates || command.operations.length === 0) await compiled;
    const [exitCode] = await Promise.all([run(withOutputs(io, { stdout })), compiled]);
    await stdout.end();
    return exitCode;
  } catch (error) {
    // An invalid expression is reported instead of any other refusal.
    await compiled;
    throw error;
  } finally {
    await jq.close();
  }
}
