import type { OriginalRow } from '../../../domain/imports/import-file.js';
import type { StockPreview } from '../../../domain/imports/import-inventory.js';
import type { ImportReport } from '../../../domain/imports/import-report.js';
import type { RowError } from '../../../domain/imports/row-error.js';
import { importLinesType, completeType } from '../../../http/contract/media-types.js';
import { now, wait } from '../clock.js';
import { addressOf } from '../server/call.js';
import type { Imports, InputOf } from '../server/contract.js';
import { RefusalError, refusalIn } from '../server/refusal.js';
import { session, sessionRefused } from '../session.js';
import { refusedRows, type RefusedFile } from './refused-file.js';

/** Renamed columns: the header in the file, and the name of the column in the shop. */
export type Columns = readonly (readonly [theirs: string, ours: string])[];

/** An import to send. */
export type ImportRequest = {
  readonly [Id in keyof Imports]: { readonly id: Id; readonly file: File; readonly input: InputOf<Id>; readonly columns: Columns };
}[keyof Imports] & { readonly previewedAt?: number | undefined };

/** What an import did, or would do. */
export interface ImportOutcome {
  readonly report: ImportReport;
  /** The first changes of stock. */
  readonly preview: StockPreview | undefined;
  /** The columns that were ignored. */
  readonly ignored: readonly string[];
  readonly refused: RefusedFile | undefined;
}

/** Follows an import while it is sent. */
export interface ImportWatch {
  /** Called with the number of bytes that were sent so far. */
  readonly sent: (bytes: number) => void;
  readonly until: AbortSignal;
}

/** Rows of a list that is shown in part. */
export const shownRows = 100;
function headersOf({ id, file, input, columns, previewedAt }: ImportRequest): Readonly<Record<string, string>> {
  const callbacks = ['onRejected', 'onIgnored'];
  if (input.dryRun === true && id === 'importInventory') callbacks.push('onPreview');
  return {
    accept: completeType,
    // The format is detected by the name and the content.
    'content-type': 'text/csv',
    'petstore-import': encodeURIComponent(JSON.stringify({ name: file.name, anyFormat: true, map: columns, callbacks, previewedAt })),
  };
}

/** Why a request had no answer: a browser does not send a file that was changed after somebody chose it. */
async function failureOf(file: File): Promise<RefusalError> {
  try {
    await file.slice(0, 1).arrayBuffer();
  } catch {
    return new RefusalError('import_refused', `${file.name} was changed or moved since it was chosen. Choose it again.`, 0);
  }
  return new RefusalError('no_answer', 'The server did not answer.', 0);
}

/** Sends a file from the disk; XMLHttpRequest, because fetch does not tell how much was sent. The answer stays outside the memory of the page too. */
function post(request: ImportRequest, { sent, until }: ImportWatch): Promise<XMLHttpRequest> {
  const sending = new XMLHttpRequest();
  sending.open('POST', addressOf(request.id, request.input));
  sending.responseType = 'blob';
  for (const [name, value] of Object.entries(headersOf(request))) sending.setRequestHeader(name, value);
  return new Promise((resolve, reject) => {
    sending.upload.addEventListener('progress', ({ loaded }) => sent(loaded));
    sending.addEventListener('load', () => resolve(sending));
    sending.addEventListener('error', () => void failureOf(request.file).then(reject));
    sending.addEventListener('abort', () => reject(new RefusalError('cancelled', 'Cancelled.', 0)));
    until.addEventListener('abort', () => sending.abort());
    sending.send(request.file);
  });
}

async function* linesOf(answer: Blob): AsyncGenerator<string> {
  const reader = answer.stream().pipeThrough(new TextDecoderStream()).getReader();
  let rest = '';
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    const lines = (rest + value).split('\n');
    rest = lines.pop() ?? '';
    yield* lines;
  }
}

/** One line of the answer: the values of a callback, or the end. */
interface AnswerLine {
  readonly onPreview?: readonly [StockPreview];
  readonly onIgnored?: readonly [readonly string[]];
  readonly onRejected?: readonly [RowError, OriginalRow | null];
  readonly report?: ImportReport;
  readonly error?: unknown;
}

// Longer without a pause, the page would not react to keys.
const longestWorkMs = 30;

async function readAnswer(answer: Blob, fileName: string): Promise<ImportOutcome> {
  const rows = refusedRows(fileName);
  let preview: StockPreview | undefined;
  let ignored: readonly string[] = [];
  let pause = now() + longestWorkMs;
  for await (const text of linesOf(answer)) {
    if (now() > pause) {
      await wait(0);
      pause = now() + longestWorkMs;
    }
    if (text === '') continue;
    const { onPreview, onIgnored, onRejected, report, error } = JSON.parse(text) as AnswerLine;
    if (onPreview) [preview] = onPreview;
    if (onIgnored) [ignored] = onIgnored;
    if (onRejected?.[1]) rows.add(onRejected[0], onRejected[1]);
    if (error !== undefined) throw refusalIn(error, 0);
    if (report) return { report, preview, ignored, refused: rows.file() };
  }
  throw new RefusalError('no_answer', 'The server did not answer completely.', 0);
}

/** Imports a file, or tries it with `dryRun`. Refuses with a `RefusalError`. */
export async function sendImport(request: ImportRequest, watch: ImportWatch): Promise<ImportOutcome> {
  const asked = session.peek();
  const answered = await post(request, watch);
  const { status } = answered;
  const answer = answered.response as Blob;
  if (status === 401) sessionRefused(asked);
  if (answered.getResponseHeader('content-type')?.startsWith(importLinesType) === true) return readAnswer(answer, request.file.name);
  throw refusalIn(await new Response(answer).json().catch(() => undefined), status);
}
