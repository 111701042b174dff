import { addCountLines } from '../../../domain/counts/add-count-lines.js';
import type { AddedLine } from '../../../domain/counts/count-line.js';
import { type Count, hidesExpected } from '../../../domain/counts/count.js';
import { checkCountIsOpen } from '../../../domain/counts/require-count.js';
import { StoreError } from '../../../domain/errors.js';
import { isIdText } from '../../../domain/values/ids.js';
import { shortened } from '../../../domain/values/text.js';
import { HintedError } from '../../../settings/hint.js';
import { argument, optional } from '../../arguments.js';
import type { Command, Context } from '../../command.js';
import { completeRecords } from '../../completion/completers.js';
import { command } from '../../declare-command.js';
import { type FlagValues, flag, toggle } from '../../flags.js';
import { mutationFlags } from '../../mutation-flags.js';
import { canAsk } from '../../prompts/prompt.js';
import { idOf } from '../../readers.js';
import { type VerbForm, makeChange, unitsDoubt } from '../../record-command.js';
import { scannedPet, withPetArgument } from '../../shared-arguments.js';
import { countLineColumns } from './count-columns.js';
import { countedNumber, countedProblem, numberText, stockChangeText, sendLines } from './count-lines.js';
import { countArgument, requestedCount } from './open-count.js';

const longestKey = 80;

/** Reads the key of a line, or the start of the keys of all lines of a file. */
function lineKey(text: string, name: string): string {
  if (/^[\x20-\x7e]+$/.test(text) && text.length <= longestKey && text.trim() !== '') return text;
  throw new StoreError('usage', `${name} takes 1 to ${longestKey} printable ASCII characters.`);
}

const lineFlags = {
  also: toggle({ long: 'also', summary: 'add pets that are not in the count to it' }),
  key: flag({ long: 'key', value: 'key', summary: 'key of the line, or of all lines: a repeat with it adds nothing', ofChanges: true, read: lineKey }),
  dryRun: mutationFlags.dryRun,
  yes: mutationFlags.yes,
};

const pairFlag = { pairs: toggle({ long: 'pairs', summary: 'take a pet and then its number, in two lines' }) };

type LineFlagValues = FlagValues<typeof lineFlags>;

/** What the words of a line name: a pet and a number, or a file. */
type NamedLine = { readonly count: string | undefined } & ({ readonly pet: string; readonly number: string } | { readonly file: string });

const help = { command: ['count', 'add', '--help'] };

/** Tells pets, numbers, counts and files apart. Refuses with `usage`. */
function readWords(words: readonly string[]): NamedLine {
  const [first, second, third] = words;
  if (first === undefined) throw new HintedError('usage', 'Give a pet and how many, or a file.', help);
  if (second === undefined) return { count: undefined, file: first };
  if (third !== undefined) return { count: first, pet: second, number: third };
  const problem = countedProblem(second);
  if (problem === undefined) return { count: undefined, pet: first, number: second };
  if (second === '-' || (isIdText(first) && !/^[+-]?[0-9.,]+$/.test(second))) return { count: first, file: second };
  throw new HintedError('usage', `"${shortened(second)}" ${problem}.`, help);
}

const anyWord = optional(argument({ read: (text) => text, complete: completeRecords('pet') }));

function lineSentence({ petId, name, number, adds, countedSoFar = number, onHand }: AddedLine, count: Count, verb: VerbForm): string {
  const soFar = adds ? `, ${countedSoFar} so far` : '';
  const expected = hidesExpected(count) ? '' : `, ${onHand} expected`;
  return `${verb('Counted', 'Would count')} ${numberText({ number, adds })} × ${name} (pet ${petId})${soFar}${expected}`;
}

async function addOne(context: Context, count: Count, named: { readonly pet: string; readonly number: string }, flags: LineFlagValues) {
  const { call } = await context.shop();
  const { number, adds } = countedNumber(named.number);
  const { petId, units } = await scannedPet(named.pet, { call });
  const line = { petId, number: number * units, adds, ...(flags.key !== undefined && { key: flags.key }) };
  const target = { call, countId: count.id, also: flags.also === true };
  const { yes, dryRun } = flags;
  const lines = await makeChange<AddedLine>(
    context,
    { yes, dryRun },
    {
      columns: countLineColumns,
      make: (options) => withPetArgument(sendLines(target, [line], options)),
      doubt: unitsDoubt(number),
      sentence: (row, verb) => lineSentence(row, count, verb),
    },
  );
  for (const text of lines.flatMap((one) => stockChangeText(one) ?? [])) await context.note(text);
}

async function addFile(
  context: Context,
  count: Count,
  path: string,
  { also, key, dryRun, pairs }: Partial<LineFlagValues & FlagValues<typeof pairFlag>>,
): Promise<void> {
  const { io } = context;
  if (path === '-' && io.stdin.isTerminal)
    throw new HintedError('input_required', 'No lines on standard input.', { command: ['count', 'scan', String(count.id)] });
  const { recordFile } = await import('./record-file.js');
  const bytes = path === '-' ? io.stdin.bytes() : io.readFile(path);
  const isInput = path === '-';
  const file = {
    bytes,
    name: isInput ? 'standard input' : path,
    isRepeatable: !isInput,
    key,
    also: also === true,
    dryRun: dryRun === true,
    inPairs: pairs === true,
  };
  await recordFile(context, count, file).catch((error: unknown) => {
    if (!(error instanceof Error) || !('code' in error) || error.code !== 'ENOENT') throw error;
    throw new HintedError('usage', `There is no file "${path}". To count a pet, give its id or name and how many.`, help);
  });
}

/** The command `count add`. */
export const countAdd: Command = command({
  path: ['count', 'add'],
  summary: 'record what was counted of a pet, or a file of such lines',
  arguments: { count: anyWord, pet: anyWord, number: anyWord },
  flags: lineFlags,
  operations: [addCountLines],
  exits: ['pet_not_found', 'count_not_found', 'import_refused', 'not_utf8', 'payload_too_large'],
  columns: countLineColumns,
  mutates: true,
  run: async (context, { count: first, pet: second, number: third, ...values }) => {
    const words = [first, second, third].filter((word) => word !== undefined);
    const named = readWords(words);
    const { call } = await context.shop();
    const count = await requestedCount(call, named.count === undefined ? undefined : idOf('count')(named.count), 'add', words);
    // A line under a key may be a repeat, which is answered also after the count has ended.
    if ('file' in named || values.key === undefined) checkCountIsOpen(count);
    if ('file' in named) return addFile(context, count, named.file, values);
    if (named.count === undefined && named.pet === String(count.id)) {
      const line = ['count', 'add', String(count.id), named.pet, named.number];
      throw new HintedError(
        'usage',
        `"${named.pet} ${named.number}" can be pet ${named.pet}, or pet ${named.number} of count ${count.id}; give the count too.`,
        {
          command: line,
        },
      );
    }
    return addOne(context, count, named, values);
  },
  examples: ['petstore count add 7 12', 'petstore count add "Neon tetra" +2', 'petstore count add scanner.txt', 'petstore count add 3 -'],
});

/** The command `count scan`. */
export const countScan: Command = command({
  path: ['count', 'scan'],
  summary: 'count with a scanner or the keyboard',
  arguments: { count: countArgument },
  flags: { also: lineFlags.also, ...pairFlag, key: lineFlags.key },
  operations: [addCountLines],
  exits: ['pet_not_found', 'count_not_found', 'import_refused', 'not_utf8', 'payload_too_large', 'cancelled'],
  columns: countLineColumns,
  mutates: true,
  run: async (context, { count: given, also, pairs, key }) => {
    const { io, settings } = context;
    if (io.stdin.isTerminal && !canAsk(io, settings))
      throw new HintedError('input_required', 'Scanning needs a terminal, or lines on standard input.', { command: ['count', 'add', '--help'] });
    const { call } = await context.shop();
    const count = await requestedCount(call, given, 'scan');
    checkCountIsOpen(count);
    if (!io.stdin.isTerminal) return addFile(context, count, '-', { also, pairs, key });
    const { scanCount } = await import('./scan-session.js');
    return scanCount(context, count, also === true, pairs === true);
  },
  examples: ['petstore count scan', 'petstore count scan 3 --also', 'petstore count scan --pairs'],
});
