import { rowsText } from '../../domain/ledger/change-text.js';
import { ledgerKind, type LedgerEntry } from '../../domain/ledger/ledger-entry.js';
import type { NamedEntry } from '../../domain/ledger/named-entry.js';
import { findPets } from '../../domain/pets/find-pet.js';
import type { Call } from '../../domain/call.js';
import { repeatedChoice, timeFlag, type FlagValues, recordsFlag, idsFlag } from '../flags.js';
import { existsSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { StoreError } from '../../domain/errors.js';
import { getBatch } from '../../domain/imports/get-batch.js';
import { eventIdOf, positionAfter, positionIn, type LedgerPosition } from '../../domain/ledger/ledger-position.js';
import { listLedger } from '../../domain/ledger/list-ledger.js';
import type { Shop } from '../../domain/shop.js';
import { shortened } from '../../domain/values/text.js';
import { replaceFile } from '../../settings/replace-file.js';
import { allPages, allRows } from '../../domain/all-pages.js';
import { targetProblem } from '../output/file-output.js';
import type { NamedLine } from './ledger-columns.js';

/** The flags of the filter of the ledger. */
export const logFilterFlags = {
  pet: recordsFlag('pet', 'only entries of this pet, by id or name; may be repeated'),
  order: idsFlag('order', 'only entries of this order; may be repeated'),
  batch: idsFlag('batch', 'only entries of this bulk import; may be repeated'),
  kind: repeatedChoice({ long: 'kind', value: 'kind', summary: 'only entries of this kind, such as sale; may be repeated', choices: ledgerKind.options }),
  since: timeFlag('start', { long: 'since', summary: 'only entries at or after this day or time' }),
  until: timeFlag('end', { long: 'until', summary: 'only entries at or before this day or time' }),
};

/** The values of these flags. */
export type LogFlags = FlagValues<typeof logFilterFlags>;

/** The filter that these flags mean. */
export async function filterOf({ pet, order, batch, kind, since, until }: LogFlags, actor: string | undefined, call: Call) {
  const petId = pet && (await findPets(call, pet));
  return { petId, orderId: order && [...order], batchId: batch && [...batch], actor, kind: kind && [...kind], since, until };
}

/** A filter of the ledger. */
export type Filter = Awaited<ReturnType<typeof filterOf>> & { readonly names: boolean };

function allows<T>(wanted: readonly T[] | undefined, found: T | undefined): boolean {
  return wanted === undefined || (found !== undefined && wanted.includes(found));
}

/** Whether a new entry matches the filter. Times are not compared: a new entry is later than --since, and --until is refused. */
function matcherOf({ petId, orderId, batchId, actor, kind }: Filter): (entry: LedgerEntry) => boolean {
  return (entry) =>
    allows(petId, entry.petId) &&
    allows(orderId, entry.orderId) &&
    allows(batchId, entry.batchId) &&
    allows(actor === undefined ? undefined : [actor], entry.actor) &&
    allows(kind, entry.kind);
}

/** Entries that were read together, and the position after them. */
interface ReadEntries {
  readonly entries: readonly NamedEntry[];
  readonly position: LedgerPosition;
}

const longestCursor = 100;

/** The newest entries that match, oldest first; the position is after every entry. */
async function newestEntries(call: Call, filter: Filter, limit: number): Promise<ReadEntries> {
  const newest = await call(listLedger, { sort: '-id', limit: 1 });
  const found = limit === 0 ? [] : await allRows(call, listLedger, { ...filter, sort: '-id' }, limit);
  // Entries that were written between the two reads are in the list already.
  const last = [newest.items[0], found[0]].reduce((one, other) => ((other?.id ?? 0) > (one?.id ?? 0) ? other : one));
  return { entries: found.toReversed(), position: positionAfter(last) };
}

/** The entries after a position, page by page, up to the newest one or to `limit` entries. Refuses with `cursor_unknown`. */
async function* pagesAfter(call: Call, filter: Filter, after: LedgerPosition, limit = Infinity): AsyncGenerator<ReadEntries, void> {
  // Read first: entries that do not match the filter lie behind the position, and later ones are left for the next run.
  const { position: newest } = await newestEntries(call, filter, 0);
  let position = after;
  let left = limit;
  for await (const entries of allPages(call, listLedger, { ...filter, after: eventIdOf(after), sort: 'id' }, limit)) {
    const last = entries.at(-1);
    left -= entries.length;
    if (last !== undefined) yield { entries, position: (position = positionAfter(last)) };
  }
  if (left > 0 && newest.id > position.id) yield { entries: [], position: newest };
}

/** Where reading starts: after a position, or with some of the newest entries. */
export type LogStart = { readonly after: LedgerPosition; readonly limit?: number | undefined } | { readonly newest: number };

/** The entries from a start on; with `follows` then new ones as they are written. Refuses with `cursor_expired` when the ledger no longer has the last one. */
export async function* readEntries(shop: Shop, filter: Filter, start: LogStart, follows: boolean): AsyncGenerator<ReadEntries, void> {
  let position = 'after' in start ? start.after : { id: 0 };
  const first = 'after' in start ? pagesAfter(shop.call, filter, start.after, start.limit) : [await newestEntries(shop.call, filter, start.newest)];
  for await (const read of first) {
    position = read.position;
    yield read;
  }
  if (!follows) return;
  const matches = matcherOf(filter);
  for await (const entries of shop.follow(position)) yield { entries: entries.filter(matches), position: positionAfter(entries.at(-1)) };
}

const runOf = ({ batchId, reverses }: LedgerEntry): string | undefined => (batchId === undefined ? undefined : `${batchId} ${reverses !== undefined}`);

async function lineOf(call: Call, { id, at, actor, source, batchId = 0, reverses }: LedgerEntry): Promise<NamedLine> {
  const note = rowsText(await call(getBatch, { batchId }));
  return { id, at, actor, source, kind: reverses === undefined ? 'batch.applied' : 'batch.undone', batchId, note };
}

/** The same entries, with one line for all rows of an import, under the id of the last one that was read with them. */
export function batchLines(call: Call): (entries: readonly NamedEntry[]) => Promise<readonly NamedLine[]> {
  let printed: string | undefined;
  return async (entries) => {
    const lines: NamedLine[] = [];
    for (const [index, entry] of entries.entries()) {
      const run = runOf(entry);
      const next = entries[index + 1];
      if (run === undefined) lines.push(entry);
      else if (run !== printed && (next === undefined || runOf(next) !== run)) lines.push(await lineOf(call, entry));
      if (run === undefined || next === undefined || runOf(next) !== run) printed = run;
    }
    return lines;
  };
}

/** The position of a text, such as `1208`, or `1208-16z9kqj` in a cursor file. Refuses others with `usage`. */
export function positionOf(text: string, subject: string): LedgerPosition {
  const position = positionIn(text.trim());
  if (position === undefined) throw new StoreError('usage', `${subject} is not the id of a ledger entry: "${shortened(text.trim())}".`);
  return position;
}

/** The position in a cursor file; undefined where there is no file. Refuses with `usage` another content, and a file that cannot be written, before anything is printed. */
export function savedPosition(path: string, store: string): LedgerPosition | undefined {
  const problem = targetProblem(path, { file: store, store });
  if (problem !== undefined) throw new StoreError('usage', `--cursor-file: ${path} ${problem}.`);
  if (!existsSync(path)) return undefined;
  const size = statSync(path).size;
  return positionOf(size > longestCursor ? `${size} bytes` : readFileSync(path, 'utf8'), `The content of ${path}`);
}

/** Replaces a cursor file atomically; a link keeps leading to it. */
export function savePosition(path: string, position: LedgerPosition): void {
  const file = existsSync(path) ? realpathSync(path) : path;
  replaceFile(file, `${eventIdOf(position)}\n`, { draft: `${file}.${process.pid}.new` });
}
