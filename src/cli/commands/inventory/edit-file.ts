import { StoreError } from '../../../domain/errors.js';
import type { Environment } from '../../../settings/setting-table.js';
import { system } from '../../../system.js';
import { runLine } from '../../run-line.js';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pluralize } from '../../../domain/values/text.js';
import { explainWriteFailure } from '../../../formats/temp-file.js';
import { isJson } from '../../../settings/output-format.js';
import type { Context } from '../../command.js';
import { canAsk } from '../../prompts/prompt.js';
import { lineProblemsMessage, type LineProblem } from '../../output/line-problems.js';
import { sanitiseCell } from '../../output/sanitise.js';
import { writeText } from '../../output/wrapped-text.js';

/** Editors that draw on a terminal; with flags, such as "vim -es", some work without one. */
const screenEditor = /^(?:\S*\/)?(?:vi|vim|nvim|nano|pico|micro|emacs|hx)$/;

/** The command line of the editor: VISUAL, EDITOR, or that of the system. Refuses with `input_required` an editor that needs a terminal where there is none. */
function editorOf(environment: Environment, isInteractive: boolean): string {
  const named = [environment['VISUAL'], environment['EDITOR']].find((line) => line !== undefined && line.trim() !== '');
  if (isInteractive) return named ?? system.editor;
  if (named !== undefined && !screenEditor.test(named.trim())) return named;
  throw new StoreError('input_required', 'There is no terminal for the editor, and EDITOR does not name one that works without.', {
    advice: 'Set EDITOR to a program that changes the file that it gets.',
  });
}

/** Edits a file until the editor is closed. Answers how it failed, such as "ended with 1"; undefined if it did not. Refuses with `usage` if it cannot be run. */
export async function edit(line: string, path: string, environment: Environment): Promise<string | undefined> {
  const ended = await runLine(line, { args: [path], stdio: 'inherit', env: { ...environment } });
  if (ended === undefined) throw new StoreError('usage', `The editor "${line}" cannot be run.`, { advice: 'Set VISUAL or EDITOR to your editor.' });
  const { code, signal } = ended;
  if (code === 0) return undefined;
  return signal === null ? `ended with ${code}` : `was stopped by ${signal}`;
}

interface EditedLine {
  readonly line: number;
  readonly text: string;
}

const largestBytes = 16 * 1024 * 1024;
/** What begins a line that says what is wrong with the next one; removed before the file is shown again. */
const problemMark = '#! ';
const lineEnd = /\r\n?|\n/;

/** The lines that are neither empty nor comments. */
export function editedLines(text: string): readonly EditedLine[] {
  return text
    .split(lineEnd)
    .map((line, index) => ({ line: index + 1, text: line }))
    .filter(({ text: line }) => line.trim() !== '' && !line.trimStart().startsWith('#'));
}

/** The text with a comment above each line that cannot be applied. */
function withProblems(text: string, problems: readonly LineProblem[]): string {
  const comments = new Map<number, string[]>();
  for (const { line, message } of problems) comments.set(line, [...(comments.get(line) ?? []), `${problemMark}${sanitiseCell(message)}`]);
  return text
    .split(lineEnd)
    .flatMap((line, index) => [...(comments.get(index + 1) ?? []), ...(line.startsWith(problemMark) ? [] : [line])])
    .join('\n');
}

/** The edited text. Refuses a file that is too large with `payload_too_large`, and one that is no text with `import_refused`. */
function readEdited(path: string): string {
  // Before it is opened: opening a FIFO waits for a writer.
  const found = statSync(path);
  if (!found.isFile()) throw new StoreError('usage', `${path} is no longer a file; nothing was changed.`);
  const { size } = found;
  if (size > largestBytes) throw new StoreError('payload_too_large', `The edited file has ${size} bytes; at most ${largestBytes} can be read.`);
  const text = readFileSync(path, 'utf8');
  if (!text.includes('\0')) return text;
  throw new StoreError('import_refused', 'The edited file contains a NUL byte; nothing was changed.', {
    advice: 'Save the file as plain text in UTF-8 (not UTF-16).',
  });
}

/** Writes the text to edit. Refuses with `store_full` when the disk is full. */
function writeToEdit(path: string, text: string): void {
  try {
    writeFileSync(path, text, { mode: 0o600 });
  } catch (error) {
    throw explainWriteFailure(error);
  }
}

/** Whether there is something at a path other than a file with this text. */
function isEdited(path: string, text: string): boolean {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found === undefined) return false;
  return !found.isFile() || found.size !== Buffer.byteLength(text) || readFileSync(path, 'utf8') !== text;
}

interface EditTask {
  /** The name of the file, which tells an editor its format. */
  readonly fileName: string;
  readonly text: string;
  /** Applies an edited text, all of it or nothing; answers the lines that cannot be applied, by line. */
  readonly apply: (text: string) => Promise<readonly LineProblem[]>;
}

/** The refusal of a file with these problems, with the code that all of them have. */
async function refusal(context: Context, name: string, problems: readonly LineProblem[]): Promise<StoreError> {
  const codes = new Set(problems.map(({ code }) => code));
  const [code = 'import_refused'] = codes.size === 1 ? codes : [];
  const sentence = `${pluralize(problems.length, 'line')} of the edited file cannot be applied; nothing was changed.`;
  return new StoreError(code, await lineProblemsMessage(context, { sentence, name, problems }));
}

/** Says where the edited file is kept: on standard error, or for JSON in the message of the refusal. */
async function withKeptFile({ io, settings }: Context, path: string, error: unknown): Promise<unknown> {
  const sentence = `The edited file is kept at ${path}.`;
  if (error instanceof StoreError && isJson(settings.format)) {
    const { code, message, details, advice } = error;
    return new StoreError(code, `${message} ${sentence}`, { details, ...(advice !== undefined && { advice }), cause: error });
  }
  await writeText(io.stderr, `${sentence}\n`);
  return error;
}

/** Edits a file with this text and applies it, again until every line can be applied. */
async function editUntilApplied(context: Context, path: string, { text, apply }: EditTask): Promise<void> {
  const { io, settings, note } = context;
  const editor = editorOf(io.environment, canAsk(io, settings));
  for (let shown = text; ;) {
    const failure = await edit(editor, path, io.environment);
    if (failure !== undefined) throw new StoreError('output_failed', `The editor "${editor}" ${failure}; nothing was changed.`);
    const edited = readEdited(path);
    if (edited === shown && shown !== text) throw new StoreError('import_refused', 'The file was closed with the same mistakes; nothing was changed.');
    if (edited === text) return note('The file was not edited; nothing was changed.');
    if (editedLines(edited).length === 0) return note('The file has no records; nothing was changed.');
    const problems = await apply(edited);
    if (problems.length === 0) return;
    // A script that edits the file would make the same mistakes again.
    if (!canAsk(io, settings)) throw await refusal(context, path, problems);
    shown = withProblems(edited, problems);
    writeToEdit(path, shown);
  }
}

/**
 * Edits a text in the editor of the user and applies it. Lines that cannot be applied are edited again, each below a comment that
 * says why. A file that is unchanged or has no records changes nothing. A file that was edited and could not be applied is kept.
 */
export async function editAndApply(context: Context, task: EditTask): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'petstore-edit-'));
  const path = join(folder, task.fileName);
  let isKept = false;
  try {
    writeToEdit(path, task.text);
    await editUntilApplied(context, path, task).catch(async (error: unknown) => {
      isKept = isEdited(path, task.text);
      throw isKept ? await withKeptFile(context, path, error) : error;
    });
  } finally {
    if (!isKept) rmSync(folder, { recursive: true, force: true });
  }
}
