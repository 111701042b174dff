import { createHash, randomUUID } from 'node:crypto';
import type { Call, CallOptions } from '../../../domain/call.js';
import { type AddedLine, maximumLines } from '../../../domain/counts/count-line.js';
import type { Count } from '../../../domain/counts/count.js';
import { StoreError, type ErrorCode } from '../../../domain/errors.js';
import type { IdentifiedPet } from '../../../domain/pets/identify-pet.js';
import { maximumQuantity } from '../../../domain/values/numbers.js';
import { pluralize } from '../../../domain/values/text.js';
import { splitLines } from '../../../formats/lines.js';
import type { Context } from '../../command.js';
import { allBytes, utf8Text } from '../../io.js';
import { isOfStore } from '../../exit-codes.js';
import { type LineProblem, lineProblemsMessage } from '../../output/line-problems.js';
import { sanitiseCell } from '../../output/sanitise.js';
import { writeText } from '../../output/wrapped-text.js';
import { showRecords } from '../../record-command.js';
import { scannedPet } from '../../shared-arguments.js';
import { countLineColumns } from './count-columns.js';
import { type CountedNumber, countedNumber, type LineTarget, sendLines } from './count-lines.js';

/** A line of a file: a pet by id, code or name, and how many; a number beside a code counts its units. */
interface FileLine extends CountedNumber {
  readonly line: number;
  readonly pet: string;
}

interface LineFile {
  /** Its SHA-256, hexadecimal. */
  readonly digest: string;
  readonly lines: readonly FileLine[];
  readonly problems: readonly LineProblem[];
}

// Not the reader of imports: a scanner has no header and writes a pet and a number, often with a separator that also stands in the name
// of the pet, so that each line is split at its last one. An import has columns, and one separator for all of its lines.

/** The headings of the second column in files of scanners and spreadsheets. */
const header = /^(number|quantity|qty|count|counted|units|pieces|n)$/i;

/** An id and a number with spaces in between. */
const spaced = /^([0-9]+)\s+([+]?[0-9]+)$/;

/** The pet and the number of a trimmed line: what stands before and after its last tab, comma or semicolon, or an id and a number. A pet alone is a scan. */
function partsOfLine(text: string): readonly [pet: string, number: string] {
  const [, id, units] = spaced.exec(text) ?? [];
  if (id !== undefined && units !== undefined) return [id, units];
  // Not a regular expression, which would take quadratic time for a long run of spaces.
  const end = Math.max(text.lastIndexOf('\t'), text.lastIndexOf(';'), text.lastIndexOf(','));
  if (end < 0) return [text, '+1'];
  return [text.slice(0, end).trim(), text.slice(end + 1).trim()];
}

/** A cell without the quotes around it, with which spreadsheets write a text; other texts with quotes are taken as they are. */
function unquoted(text: string): string {
  return /^"(?:[^"]|"")*"$/.test(text) ? text.slice(1, -1).replaceAll('""', '"') : text;
}

/** Reads the pet and the number of a line; undefined for a first line of headings. */
function readParts([pet, number]: readonly [pet: string, number: string], line: number): FileLine | LineProblem | undefined {
  if (pet === '' || number === '') return { line, message: 'A line needs a pet and how many, with a tab or a comma in between.' };
  if (line === 1 && header.test(unquoted(number))) return undefined;
  try {
    return { line, pet: unquoted(pet), ...countedNumber(unquoted(number)) };
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
    return { line, message: error.message };
  }
}

/** Reads a line; undefined for an empty one and for a first line of headings. */
function readLine(text: string, line: number): FileLine | LineProblem | undefined {
  const trimmed = text.trim();
  return trimmed === '' ? undefined : readParts(partsOfLine(trimmed), line);
}

/** Reads two lines as one: a pet, and below it its number. */
function readPairs(texts: readonly string[]): readonly (FileLine | LineProblem)[] {
  const filled = texts.flatMap((text, index) => (text.trim() === '' ? [] : [{ text: text.trim(), line: index + 1 }]));
  return filled.flatMap(({ text, line }, index) => {
    if (index % 2 === 1) return [];
    const number = filled[index + 1]?.text;
    return number === undefined ? { line, message: 'The number of this pet is missing in the line below it.' } : (readParts([text, number], line) ?? []);
  });
}

/** Reads the lines of a file, with `inPairs` two at a time. All of them are read before one is recorded, so that a file with a mistake records nothing. */
export async function readLineFile(bytes: AsyncIterable<Uint8Array>, inPairs = false): Promise<LineFile> {
  const content = await allBytes(bytes, 64, 'The lines have');
  const texts = splitLines(utf8Text(content, 'The lines are'));
  const read = inPairs ? readPairs(texts) : texts.flatMap((text, index) => readLine(text, index + 1) ?? []);
  return {
    digest: createHash('sha256').update(content).digest('hex'),
    lines: read.flatMap((one) => ('pet' in one ? [one] : [])),
    problems: read.flatMap((one) => ('message' in one ? [one] : [])),
  };
}

interface RecordedFile {
  readonly bytes: AsyncIterable<Uint8Array>;
  /** Its name in messages. */
  readonly name: string;
  /** Whether its bytes say which delivery it is; two runs with the same standard input count two shelves. */
  readonly isRepeatable: boolean;
  readonly key: string | undefined;
  readonly also: boolean;
  readonly dryRun: boolean;
  /** Whether a pet and its number stand in two lines. */
  readonly inPairs: boolean;
}

type PetLine = FileLine & { readonly petId: number };
type Line = PetLine & { readonly key: string };

/** The most lines that are refused before the file is. */
const maximumRefused = 20;

/** The lines with the ids of their pets; each name is looked up once. */
async function withPets(lines: readonly FileLine[], call: Call) {
  const found: PetLine[] = [];
  const problems: LineProblem[] = [];
  const pets = new Map<string, IdentifiedPet | string>();
  for (const one of lines) {
    // The file is refused; each further name would be one more look-up.
    if (problems.length === maximumRefused) break;
    const { line, pet } = one;
    let named = pets.get(pet);
    if (named === undefined) {
      named = await scannedPet(pet, { call }).catch((error: unknown) => {
        if (!(error instanceof StoreError) || isOfStore(error)) throw error;
        return error.message;
      });
      pets.set(pet, named);
    }
    if (typeof named === 'string') {
      problems.push({ line, message: named });
      continue;
    }
    const { petId, units } = named;
    const number = one.number * units;
    if (number > maximumQuantity) problems.push({ line, message: `${one.number} × ${units} units are above ${maximumQuantity}.` });
    else found.push({ ...one, petId, number });
  }
  return { found, problems };
}

/** What became of lines: those that are recorded, and the refusal that ended it, with the line that it is about. */
interface SentLines {
  readonly added: readonly AddedLine[];
  readonly error?: StoreError;
  readonly refused?: Line | undefined;
}

/** Sends lines, as many at a time as one request takes, until one is refused. */
async function sendAll(target: LineTarget, lines: readonly Line[], options?: CallOptions): Promise<SentLines> {
  const added: AddedLine[] = [];
  for (let start = 0; start < lines.length; start += maximumLines) {
    const request = lines.slice(start, start + maximumLines);
    try {
      added.push(...(await sendLines(target, request, options)));
    } catch (error) {
      if (!(error instanceof StoreError)) throw error;
      return { added, error, refused: request[error.details.lineIndex ?? -1] };
    }
  }
  return { added };
}

async function refuse(context: Context, name: string, problems: readonly LineProblem[]): Promise<never> {
  const several = problems.length >= maximumRefused ? 'Lines' : pluralize(problems.length, 'line');
  const has = (code: ErrorCode): boolean => problems.some((problem) => problem.code === code);
  const sentence = `${several} cannot be recorded; nothing was recorded.`;
  throw new StoreError('import_refused', await lineProblemsMessage(context, { sentence, name, problems }), {
    advice: has('idempotency_key_reused')
      ? 'Give these lines another --key.'
      : `Correct the file${has('not_in_count') ? ', or add pets that are not in the count with --also' : ' and add it again'}.`,
  });
}

/** A failure of the server that says how many lines were recorded, and with `again` how to add the others. */
function withRecorded(error: StoreError, recorded: number, all: number, again: string): StoreError {
  const isStoreAtFault = isOfStore(error);
  if (recorded === 0 && !isStoreAtFault) return error;
  const message = recorded === 0 ? error.message : `${error.message.replace(/\.$/, '')}: ${recorded} of ${all} lines are recorded.`;
  return new StoreError(error.code, message, { advice: isStoreAtFault ? again : error.advice, details: error.details, cause: error });
}

/** Records the lines of a file in a count: all, or none if one of them is refused. Lines under a key that a run before recorded are not added twice. */
export async function recordFile(context: Context, count: Count, recorded: RecordedFile): Promise<void> {
  const { bytes, name, isRepeatable, also, dryRun, inPairs } = recorded;
  const { call } = await context.shop();
  const file = await readLineFile(bytes, inPairs);
  const { found, problems } = await withPets(file.lines, call);
  const unread = [...file.problems, ...problems];
  const target = { call, countId: count.id, also };
  const key = recorded.key ?? (isRepeatable ? file.digest.slice(0, 40) : randomUUID());
  const lines = found.map((one): Line => ({ ...one, key: `${key}:${one.line}` }));
  const trial = await sendAll(target, lines, { dryRun: true });
  const { error, refused } = trial;
  if (error !== undefined && refused === undefined) throw error;
  const all = [...unread, ...(error && refused ? [{ line: refused.line, message: error.message, code: error.code }] : [])];
  if (all.length > 0) return refuse(context, name, all);
  const again = `Run the same command again${isRepeatable || recorded.key !== undefined ? '' : ` with --key ${key}`}: lines that are recorded are not added twice.`;
  const sent = dryRun ? trial : await sendAll(target, lines);
  if (sent.error !== undefined) throw withRecorded(sent.error, sent.added.length, lines.length, again);
  const { added } = sent;
  if (context.settings.format !== undefined) return showRecords(context, { columns: countLineColumns, rows: added, isList: true });
  const before = added.filter(({ unchanged }) => unchanged);
  const did = `${dryRun ? 'Would record' : 'Recorded'} ${pluralize(added.length - before.length, 'line')} in count ${count.id}`;
  const pets = new Set(added.map(({ petId }) => petId)).size;
  await writeText(
    context.io.stdout,
    `${context.paint.green('✓')} ${did} (${pluralize(pets, 'pet')})${before.length === 0 ? '' : `, ${before.length} recorded before`}\n`,
  );
  const [first] = before;
  if (first !== undefined && recorded.key === undefined) {
    await context.note(`${sanitiseCell(first.by)} added this file to the count before, so its lines are not added again. To add them again, give a --key.`);
  }
}
