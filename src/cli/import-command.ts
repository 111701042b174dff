import { type WriteRefusals, refusalsWriter, writeImportReport, importExitCode } from './output/import-report.js';
import { actionNeededExitCode } from './exit-codes.js';
import { rejectsWriter } from './output/rejects-writer.js';
import { optional, type NoArguments } from './arguments.js';
import { StoreError } from '../domain/errors.js';
import type { ImportFile } from '../domain/imports/import-file.js';
import { encodings, type ImportOptions } from '../domain/imports/import-options.js';
import { nearest } from '../domain/values/suggest.js';
import { baseName } from '../domain/imports/file-name.js';
import { mapExample } from '../formats/columns.js';
import { excerpt } from '../formats/fault.js';
import type { ImportReport } from '../domain/imports/import-report.js';
import type { Shop } from '../domain/shop.js';
import type { Command, Path, Context } from './command.js';
import { buildCommand, type CommandDeclaration } from './declare-command.js';
import { mutationFlags } from './mutation-flags.js';
import { completeFiles } from './completion/completers.js';
import { fileArgument } from './shared-arguments.js';
import { choice, flag, repeatedFlag, toggle, type Flags, type FlagValues } from './flags.js';
import { nameText, anyText, wholeNumber } from './readers.js';
import type { Io } from './io.js';
import { progressOf } from './output/progress.js';
import { filePrompt } from './prompts/shared-prompts.js';

/** The flags that every import takes. */
export const importFlags = {
  inputFormat: choice({
    long: 'input-format',
    value: 'format',
    summary: 'the format of the file, if its name does not tell',
    choices: ['csv', 'tsv', 'ndjson', 'json'],
  }),
  delimiter: flag({ long: 'delimiter', value: 'character', summary: 'the separator of a CSV file', read: anyText }),
  encoding: choice({ long: 'encoding', value: 'encoding', summary: 'the encoding of the file', choices: encodings, default: 'utf-8' }),
  map: repeatedFlag({ long: 'map', value: 'theirs=ours', summary: 'read a column of the file under this name; may be repeated', read: mapping }),
  keepGoing: toggle({ long: 'keep-going', summary: 'apply the valid rows even if others are refused' }),
  maxErrors: flag({ long: 'max-errors', value: 'n', summary: 'with --keep-going: refuse the file if more rows than this are refused', read: wholeNumber }),
  rejects: flag({
    long: 'rejects',
    value: 'file',
    summary: 'write the refused rows to this file, to be corrected and imported again',
    read: nameText,
    complete: completeFiles,
  }),
  ...mutationFlags,
};

function mapping(value: string, name: string): readonly [string, string] {
  const at = value.lastIndexOf('=');
  if (at < 1 || at === value.length - 1) throw new StoreError('usage', `${name} takes their header and ours, such as "Animal's Name=name", not "${value}".`);
  return [value.slice(0, at), value.slice(at + 1)];
}

const shownColumns = 20;

/** Names ignored columns, and how to read the first one that is named almost like a column of ours. */
function ignoredNote(columns: readonly string[], ours: readonly string[]): string {
  const more = columns.length > shownColumns ? ` and ${columns.length - shownColumns} more` : '';
  const shown = columns.slice(0, shownColumns);
  const meant = shown.find((column) => nearest(column, ours) !== undefined);
  const advice = meant === undefined ? '' : ` To read ${excerpt(meant)}, add --map ${mapExample(meant, nearest(meant, ours))}.`;
  return `Ignored: ${shown.map(excerpt).join(', ')}${more}.${advice}`;
}

interface ImportDeclaration<F extends Flags> {
  /** The columns of its file, for an import that ignores all others. */
  readonly fileColumns?: readonly string[];
  /** Whether the batch can be undone. */
  readonly undoable: boolean;
  /** Whether it changes nothing, and ends with exit code 8 if the file would change something. */
  readonly previewOnly?: boolean;
  readonly run: (task: ImportTask, options: ImportOptions, flags: FlagValues<typeof importFlags> & FlagValues<NoInfer<F>>) => Promise<ImportReport>;
}

/** What an import command works with. */
export interface ImportTask {
  readonly context: Context;
  readonly shop: Shop;
  readonly file: ImportFile;
  readonly writeRefusals: WriteRefusals;
}

async function fileOf(io: Io, path: string, commandPath: Path, { inputFormat, delimiter, map }: FlagValues<typeof importFlags>): Promise<ImportFile> {
  const source = { format: inputFormat, delimiter, map: new Map(map) };
  if (path !== '-') return { ...source, bytes: io.readFile(path), name: path };
  if (!io.stdin.isTerminal) return { ...source, bytes: io.stdin.bytes() };
  throw new StoreError('input_required', 'No file to import.', {
    advice: `Name a file, or pipe one in; see: petstore ${commandPath.join(' ')} --help`,
  });
}

/** Declares a command that imports a file, with the flags of every import and its own. */
export function importCommand<F extends Flags>({
  flags,
  run,
  fileColumns = [],
  undoable,
  previewOnly = false,
  ...texts
}: Omit<CommandDeclaration<NoArguments, F>, 'arguments'> & ImportDeclaration<F>): Command {
  return buildCommand({
    ...texts,
    arguments: { file: optional({ ...fileArgument, prompt: filePrompt('Which file?') }) },
    flags: { ...importFlags, ...flags },
    mutates: !previewOnly,
    exits: ['partial_failure', 'stock_reserved', 'unauthenticated', ...(previewOnly ? [actionNeededExitCode] : [])],
    run: async (context, values: FlagValues<typeof importFlags> & FlagValues<F> & { readonly file: string | undefined }) => {
      const { io } = context;
      const { file: path = '-' } = values;
      const file = await fileOf(io, path, texts.path, values);
      const rejects = values.rejects === undefined ? undefined : rejectsWriter(context, values.rejects, { input: path, encoding: values.encoding });
      const shop = await context.shop();
      const { progress, stop } = await progressOf(context, path === '-' ? undefined : io.sizeOf(path));
      const options: ImportOptions = {
        mode: values.keepGoing === true ? 'keep-going' : 'atomic',
        dryRun: previewOnly || values.dryRun === true,
        maxErrors: values.maxErrors,
        key: values.key,
        note: values.note,
        encoding: values.encoding,
        fileName: path === '-' ? undefined : baseName(path),
        onRejected: rejects?.add,
        onIgnored: (columns) => void context.note(ignoredNote(columns, fileColumns)),
      };
      const writeRefusals = refusalsWriter(io, path === '-' ? 'standard input' : path);
      const task = { context, shop, file: { ...file, bytes: progress(file.bytes) }, writeRefusals };
      const importAndAnswer = async (): Promise<ImportReport> => {
        const done = await run(task, options, values).finally(stop);
        await writeImportReport(context, done, undoable, writeRefusals);
        return done;
      };
      const report = await importAndAnswer().catch(async (error: unknown) => {
        // The refused rows known so far are kept; a failure to write them must not hide this error.
        await rejects?.close().catch(() => undefined);
        throw error;
      });
      // After the answer, which a failure to write the refused rows must not hide.
      await rejects?.close();
      const exitCode = importExitCode(report);
      return exitCode === 0 && previewOnly && report.applied > 0 ? actionNeededExitCode : exitCode;
    },
  });
}
