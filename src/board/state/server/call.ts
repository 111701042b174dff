import { completeType } from '../../../http/contract/media-types.js';
import { pageOf, totalHeader } from '../../../http/contract/pages.js';
import { wait } from '../clock.js';
import { session, sessionRefused } from '../session.js';
import { basePath } from './base-path.js';
import type { AnswerOf, InputOf, OperationId } from './contract.js';
import { operationTable } from './operation-table.js';
import { isLost, RefusalError, refusalIn } from './refusal.js';

/** How one request is sent, besides its input. */
export interface CallOptions {
  /** The version that the record must have; the change is refused with `precondition_failed` otherwise. */
  readonly ifMatch?: number | undefined;
  /** The idempotency key of a change. With it a lost answer is asked for again. */
  readonly key?: string | undefined;
  /** A note, stored in every ledger entry of the change. */
  readonly note?: string | undefined;
  readonly dryRun?: boolean | undefined;
  readonly signal?: AbortSignal | undefined;
}

type Values = Readonly<Record<string, unknown>>;

/** The address of an operation, with its parameters filled in. */
export function addressOf(id: OperationId, input: Values): string {
  const { path, query } = operationTable[id];
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(input[name])));
  const search = new URLSearchParams();
  for (const name of query) if (input[name] !== undefined) search.set(name, String(input[name]));
  return `${basePath}${filled}${search.size > 0 ? `?${search.toString()}` : ''}`;
}

function headersOf({ ifMatch, key, note, dryRun }: CallOptions): Record<string, string> {
  return {
    ...(ifMatch !== undefined && { 'if-match': `"${ifMatch}"` }),
    ...(key !== undefined && { 'idempotency-key': key }),
    ...(note !== undefined && note !== '' && { 'petstore-note': encodeURIComponent(note) }),
    ...(dryRun === true && { 'petstore-dry-run': 'true' }),
  };
}

/** Sends a request to the server. Refuses with the error record of the server, or with `no_answer`. */
export async function send(address: string, request: RequestInit): Promise<Response> {
  const asked = session.peek();
  const response = await fetch(address, { ...request, credentials: 'same-origin', cache: 'no-store' }).catch((error: unknown) => {
    if (request.signal?.aborted === true) throw error;
    throw new RefusalError('no_answer', 'The server did not answer.', 0);
  });
  if (response.status === 401) sessionRefused(asked);
  if (!response.ok) throw refusalIn(await response.json().catch(() => undefined), response.status);
  return response;
}

/** An inventory entry with the id of its pet where the token may not read the name; anything else as it is. */
function named(row: object): object {
  return 'petId' in row && 'available' in row && 'reserved' in row && !('name' in row) ? { ...row, name: `Pet ${String(row.petId)}`, category: '' } : row;
}

/** The content of an answer; undefined for an answer without content, that to signing out. Refuses with `foreign_answer` what is not written by petstore. */
async function contentOf(response: Response, id: OperationId): Promise<unknown> {
  if (response.status === 204 && id === 'deleteSession') return undefined;
  if (response.headers.get('content-type')?.startsWith(completeType) !== true) throw refusalIn(undefined, response.status);
  const content: unknown = await response.json();
  if (typeof content !== 'object' || content === null) throw refusalIn(undefined, response.status);
  if (!Array.isArray(content)) return named(content);
  const rows = content.map(named);
  const links = response.headers.get('link');
  return links === null ? rows : pageOf(rows, links, response.headers.get(totalHeader) ?? undefined);
}

// Longer than any operation takes: without a limit, a connection that broke without a sign would be waited for.
const longestAnswerMs = 30_000;

/** Sends a request once and reads its answer. Refuses as `send` and `contentOf`, and with `no_answer` an answer that is cut short or takes too long. */
async function answerTo(id: OperationId, address: string, request: RequestInit, until: AbortSignal | undefined): Promise<unknown> {
  const limit = AbortSignal.timeout(longestAnswerMs);
  try {
    return await contentOf(await send(address, { ...request, signal: until === undefined ? limit : AbortSignal.any([until, limit]) }), id);
  } catch (error) {
    if (error instanceof RefusalError || until?.aborted === true) throw error;
    throw new RefusalError('no_answer', 'The server did not answer completely.', 0);
  }
}

/** Pauses before a change is sent again under the same key after its answer got lost. */
const pausesMs = [300, 1500];

/** Whether a change may have been made, or may be about to be: an earlier request with its key is still running. */
function mayBeMade({ code }: RefusalError): boolean {
  return isLost(code) || code === 'idempotency_in_progress';
}

/** Sends a change with a key again when its answer got lost: the shop makes it once and repeats the answer. */
async function sendUntilAnswered(once: () => Promise<unknown>): Promise<unknown> {
  for (const pause of pausesMs) {
    try {
      return await once();
    } catch (error) {
      if (!(error instanceof RefusalError) || !mayBeMade(error)) throw error;
      await wait(pause);
    }
  }
  return once().catch((error: unknown) => {
    throw error instanceof RefusalError && mayBeMade(error) ? new RefusalError(error.code, lostAnswer, error.status) : error;
  });
}

const lostAnswer = 'The server did not answer, so it is not known whether the change was made. Try again: it is made only once.';

/** JSON would make null of NaN, which removes a field; the shop refuses an empty text instead. */
function sendable(_: string, value: unknown): unknown {
  return Number.isNaN(value) ? '' : value;
}

/** Runs an operation of the shop. Refuses with a `RefusalError`. */
export async function call<Id extends OperationId>(id: Id, input: InputOf<Id>, options: CallOptions = {}): Promise<AnswerOf<Id>> {
  const { method, body: takesBody } = operationTable[id];
  const values = input as Values;
  const request: RequestInit = {
    method,
    headers: { accept: completeType, ...(takesBody && { 'content-type': 'application/json' }), ...headersOf(options) },
    ...(takesBody && { body: JSON.stringify(values['body'], sendable) }),
  };
  const once = (): Promise<unknown> => answerTo(id, addressOf(id, values), request, options.signal);
  return (await (options.key === undefined ? once() : sendUntilAnswered(once))) as AnswerOf<Id>;
}
