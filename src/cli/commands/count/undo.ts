import { listCountLines } from '../../../domain/counts/list-count-lines.js';
import { undoCountLine } from '../../../domain/counts/undo-count-line.js';
import type { AddedLine } from '../../../domain/counts/count-line.js';
import type { Call } from '../../../domain/call.js';
import { StoreError } from '../../../domain/errors.js';
import { findPet } from '../../../domain/pets/find-pet.js';
import { HintedError } from '../../../settings/hint.js';
import { allPages } from '../../all-pages.js';
import { argument, optional } from '../../arguments.js';
import type { Command } from '../../command.js';
import { completeRecords } from '../../completion/completers.js';
import { command } from '../../declare-command.js';
import { flag } from '../../flags.js';
import { callOptions, mutationFlags } from '../../mutation-flags.js';
import { idOf, petText } from '../../readers.js';
import { showChange, type VerbForm } from '../../record-command.js';
import { countLineColumns } from './count-columns.js';
import { numberText } from './line-number.js';
import { countArgument, requestedCount } from './open-count.js';

/** The line to undo: the one with this id, else the newest of this pet, else the newest of the caller. */
interface WantedLine {
  readonly line: number | undefined;
  /** The id or the name of a pet. */
  readonly pet: string | undefined;
}

/** The id of the line to undo. Refuses with `line_not_found` where every such line is undone, and with `unknown_pet`. */
async function lineToUndo(call: Call, countId: number, { line, pet }: WantedLine): Promise<number> {
  if (line !== undefined) return line;
  const filter = pet === undefined ? { mine: true } : { petId: await findPet(call, pet, 'unknown_pet') };
  for await (const lines of allPages(call, listCountLines, { countId, ...filter })) {
    const found = lines.find(({ undone }) => !undone);
    if (found !== undefined) return found.id;
  }
  const owner = pet === undefined ? 'yours' : `pet ${pet}`;
  throw new HintedError('line_not_found', `Count ${countId} has no line of ${owner} to undo.`, { command: ['count', 'view', String(countId)] });
}

function undoneSentence({ id, petId, name, number, adds, by, countedSoFar }: AddedLine, verb: VerbForm): string {
  const left = countedSoFar === undefined ? 'not counted' : `${countedSoFar} counted`;
  return `${verb('Undid', 'Would undo')} line ${id} by ${by}: ${numberText({ number, adds })} × ${name} (pet ${petId}), now ${left}`;
}

/** The command `count undo`. */
export const countUndo: Command = command({
  path: ['count', 'undo'],
  summary: 'undo your last line, the last one of a pet, or another',
  arguments: { count: countArgument, line: optional(argument({ read: (text) => idOf('line')(text) })) },
  flags: {
    pet: flag({ long: 'pet', value: 'pet', summary: 'undo the last line of this pet, by id or name', read: petText, complete: completeRecords('pet') }),
    dryRun: mutationFlags.dryRun,
    yes: mutationFlags.yes,
    key: mutationFlags.key,
  },
  operations: [undoCountLine, listCountLines],
  exits: ['count_not_found', 'line_not_found', 'unknown_pet'],
  columns: countLineColumns,
  mutates: true,
  run: async (context, { count, line, pet, ...mutation }) => {
    if (line !== undefined && pet !== undefined) throw new StoreError('usage', 'Give a line or --pet, not both.');
    const { call } = await context.shop();
    const { id: countId } = await requestedCount(call, count, 'undo');
    const lineId = await lineToUndo(call, countId, { line, pet });
    const undone = await call(undoCountLine, { countId, lineId }, callOptions(context, { ...mutation, note: undefined }));
    await showChange(context, { columns: countLineColumns, rows: [undone], sentence: undoneSentence, dryRun: mutation.dryRun });
  },
  examples: ['petstore count undo', 'petstore count undo --pet "Neon tetra"', 'petstore count undo 3', 'petstore count undo 3 118'],
});
