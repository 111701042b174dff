import { addCountLines } from '../../../domain/counts/add-count-lines.js';
import { maximumLines, type AddedLine } from '../../../domain/counts/count-line.js';
import type { Count } from '../../../domain/counts/count.js';
import { listCountLines } from '../../../domain/counts/list-count-lines.js';
import type { Call, CallOptions } from '../../../domain/call.js';
import { StoreError } from '../../../domain/errors.js';
import { pluralize } from '../../../domain/values/text.js';
import type { Context } from '../../command.js';
import { isUnavailable } from '../../exit-codes.js';
import { grouped } from '../../output/numbers.js';
import { sanitiseCell } from '../../output/sanitise.js';
import { writeText } from '../../output/wrapped-text.js';
import { showRecords } from '../../record-command.js';
import { readPet } from '../../shared-arguments.js';
import { countLineColumns } from './count-columns.js';
import { readLineFile, type FileLine, type FileLineProblem } from './line-file.js';

/** A file to record in a count. */
export interface RecordedFile {
  readonly bytes: AsyncIterable<Uint8Array>;
  /** Its name in messages. */
  readonly name: string;
  readonly key: string | undefined;
  readonly also: boolean;
  readonly dryRun: boolean;
}

type Line = FileLine & { readonly petId: number; readonly key: string };

/** The most problems that are written. */
const maximumShown = 20;
/** The most lines that are refused before the file is. */
const maximumRefused = 20;

/** The lines with the ids of their pets; each name is looked up once. */
async function withPets(lines: readonly FileLine[], call: Call, keyOf: (line: number) => string) {
  const found: Line[] = [];
  const problems: FileLineProblem[] = [];
  const pets = new Map<string, number | string>();
  for (const one of lines) {
    // The file is refused; each further name would be one more look-up.
    if (problems.length === maximumRefused) break;
    const { line, pet } = one;
    let petId = pets.get(pet);
    if (petId === undefined) {
      petId = await readPet(pet, { call }).catch((error: unknown) => {
        if (!(error instanceof StoreError) || isUnavailable(error)) throw error;
        return error.message;
      });
      pets.set(pet, petId);
    }
    if (typeof petId === 'string') problems.push({ line, message: petId });
    else found.push({ ...one, petId, key: keyOf(line) });
  }
  return { found, problems };
}

function requests(lines: readonly Line[]): readonly (readonly Line[])[] {
  return Array.from({ length: Math.ceil(lines.length / maximumLines) }, (_, index) => lines.slice(index * maximumLines, (index + 1) * maximumLines));
}

/** Where lines are sent. */
interface Target {
  readonly call: Call;
  readonly countId: number;
  /** Whether pets that are not in the count are added to it. */
  readonly also: boolean;
}

async function send({ call, countId, also }: Target, lines: readonly Line[], options: CallOptions = {}): Promise<readonly AddedLine[]> {
  const body = { lines: lines.map(({ petId, number, adds, key }) => ({ petId, number, adds, key, also })) };
  return (await call(addCountLines, { countId, body }, options)).lines;
}

/** Sends lines as a dry run; answers why some cannot be recorded, and what the others would be. */
async function tryLines(target: Target, lines: readonly Line[]) {
  const problems: FileLineProblem[] = [];
  const added: AddedLine[] = [];
  let areOutside = false;
  for (const request of requests(lines)) {
    let rest = request;
    while (rest.length > 0 && problems.length < maximumRefused) {
      try {
        added.push(...(await send(target, rest, { dryRun: true })));
        break;
      } catch (error) {
        if (!(error instanceof StoreError) || error.details.lineIndex === undefined) throw error;
        const { lineIndex } = error.details;
        const refused = rest[lineIndex];
        if (refused === undefined) throw error;
        problems.push({ line: refused.line, message: error.message, code: error.code });
        areOutside ||= error.code === 'not_in_count';
        rest = rest.filter((_, index) => index !== lineIndex);
      }
    }
  }
  return { problems, added, areOutside };
}

/** Writes why lines cannot be recorded, and refuses the file; `areOutside`: some of their pets are not in the count. */
async function refuse({ io }: Context, name: string, problems: readonly FileLineProblem[], areOutside: boolean): Promise<never> {
  const lines = problems
    .toSorted((one, other) => one.line - other.line)
    .slice(0, maximumShown)
    .map(({ line, message }) => `${name}:${line}: ${message}`);
  if (problems.length > lines.length) lines.push(`… and ${grouped(problems.length - lines.length)} more`);
  await writeText(io.stderr, lines.map((line) => `${sanitiseCell(line)}\n`).join(''));
  const several = problems.length >= maximumRefused ? 'Lines' : pluralize(problems.length, 'line');
  const isKeyReused = problems.every(({ code }) => code === 'idempotency_key_reused');
  throw new StoreError('import_refused', `${several} cannot be recorded; nothing was recorded.`, {
    advice: isKeyReused
      ? 'Give these lines another --key.'
      : `Correct the file${areOutside ? ', or add pets that are not in the count with --also' : ' and add it again'}.`,
  });
}

/** Sends all lines. A failure of the server says how many were recorded. */
async function record(target: Target, lines: readonly Line[]): Promise<readonly AddedLine[]> {
  const added: AddedLine[] = [];
  for (const request of requests(lines)) {
    try {
      added.push(...(await send(target, request)));
    } catch (error) {
      if (!(error instanceof StoreError) || added.length === 0) throw error;
      throw new StoreError(error.code, `${error.message.replace(/\.$/, '')}: ${added.length} of ${lines.length} lines are recorded.`, {
        advice: isUnavailable(error) ? 'Run the same command again: lines that are recorded are not added twice.' : error.advice,
        details: error.details,
        cause: error,
      });
    }
  }
  return added;
}

/** Records the lines of a file in a count: all, or none if one of them is refused. Lines that a run before recorded are not added twice. */
export async function recordFile(context: Context, count: Count, { bytes, name, key, also, dryRun }: RecordedFile): Promise<void> {
  const { call } = await context.shop();
  const file = await readLineFile(bytes);
  const base = key ?? file.digest.slice(0, 40);
  const { found, problems } = await withPets(file.lines, call, (line) => `${base}:${line}`);
  const unread = [...file.problems, ...problems];
  const target = { call, countId: count.id, also };
  const trial = await tryLines(target, found);
  if (unread.length + trial.problems.length > 0) return refuse(context, name, [...unread, ...trial.problems], trial.areOutside);
  const { items } = await call(listCountLines, { countId: count.id, limit: 1 });
  const newest = items[0]?.id ?? 0;
  const added = dryRun ? trial.added : await record(target, found);
  if (context.settings.format !== undefined) return showRecords(context, { columns: countLineColumns, rows: added, isList: true });
  const before = added.filter(({ id }) => id <= newest).length;
  const recorded = `${dryRun ? 'Would record' : 'Recorded'} ${pluralize(added.length - before, 'line')} in count ${count.id}`;
  const pets = new Set(added.map(({ petId }) => petId)).size;
  await writeText(
    context.io.stdout,
    `${context.paint.green('✓')} ${recorded} (${pluralize(pets, 'pet')})${before === 0 ? '' : `, ${before} recorded before`}\n`,
  );
}
