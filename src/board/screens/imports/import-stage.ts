import { effect, signal } from '@preact/signals';
import { countText, numberText } from '../../parts/text.js';
import { sendImport, type ImportOutcome, type ImportRequest } from '../../state/imports/send-import.js';
import { markStale } from '../../state/live/stale.js';
import { announce } from '../../state/notices.js';
import { isLost, RefusalError } from '../../state/server/refusal.js';
import { go, href, pageAddress } from '../../state/router.js';
import { may, session } from '../../state/session.js';
import { clearForm, form, requestOf } from './import-form.js';

/** How far an import is. */
export type Stage =
  | { readonly name: 'choosing'; readonly refusal?: RefusalError }
  | { readonly name: 'checking' | 'importing'; readonly file: File; readonly sent: number; readonly stop: () => void }
  | { readonly name: 'checked'; readonly file: File; readonly outcome: ImportOutcome; readonly refusal?: RefusalError };

/** How far the import of this page is. It goes on while other screens are shown. */
export const stage = signal<Stage>({ name: 'choosing' });

/** Whether no refusal is shown: the import was cancelled, or the page asks to sign in again. */
function isSilent({ code }: RefusalError): boolean {
  return code === 'cancelled' || code === 'unauthenticated';
}

const lostAnswer = 'The server did not answer, so it is not known whether the file was imported. Import it again: what was applied is not applied twice.';

/** What the check shows after an import that was not made, as far as is known. */
function notImported(file: File, outcome: ImportOutcome, refusal: RefusalError): Stage {
  if (isSilent(refusal)) return { name: 'checked', file, outcome };
  return { name: 'checked', file, outcome, refusal: isLost(refusal.code) ? new RefusalError(refusal.code, lostAnswer, refusal.status) : refusal };
}

/** The request whose progress is shown; undefined after signing out, so that its late answer is not shown. */
let shown: AbortController | undefined;

/** Sends a request and shows how far it is. Undefined where it was refused or cancelled, which `refused` shows, and where somebody signed out meanwhile. */
async function send(request: ImportRequest, name: 'checking' | 'importing', refused: (refusal: RefusalError) => Stage): Promise<ImportOutcome | undefined> {
  const stop = new AbortController();
  const { file } = request;
  const running = { name, file, stop: () => stop.abort() } as const;
  const show = (next: Stage): void => {
    if (shown === stop) stage.value = next;
  };
  shown = stop;
  show({ ...running, sent: 0 });
  try {
    const outcome = await sendImport(request, { sent: (sent) => show({ ...running, sent }), until: stop.signal });
    return shown === stop ? outcome : undefined;
  } catch (error) {
    if (!(error instanceof RefusalError)) throw error;
    show(refused(error));
    return undefined;
  }
}

/** Tries the file that was chosen. All valid rows are counted, whatever is wrong with others. */
export async function checkFile(file: File): Promise<void> {
  const request = requestOf(file, { dryRun: true, mode: 'keep-going' });
  const outcome = await send(request, 'checking', (refusal) => {
    return isSilent(refusal) ? { name: 'choosing' } : { name: 'choosing', refusal };
  });
  if (outcome) stage.value = { name: 'checked', file, outcome };
}

function sentence({ applied, unchanged, rejected, batch }: ImportOutcome['report'], file: File, isOfPets: boolean): string {
  if (applied === 0) return `Nothing was imported from ${file.name} (batch ${batch}).`;
  const done = isOfPets ? `Created ${countText(applied, 'pet')} from` : `Applied ${countText(applied, 'row')} of`;
  const others = [unchanged > 0 && `${numberText(unchanged)} unchanged`, rejected > 0 && `${numberText(rejected)} refused`].filter((part) => part !== false);
  return `${done} ${file.name} (batch ${batch})${others.length > 0 ? `, ${others.join(', ')}` : ''}.`;
}

/** Imports what was checked, and shows the import: nothing is imported where more rows are refused now than were shown. */
export async function importFile(file: File, checked: ImportOutcome): Promise<void> {
  const { rejected } = checked.report;
  const request = requestOf(file, rejected === 0 ? {} : { mode: 'keep-going', maxErrors: rejected });
  const outcome = await send({ ...request, previewedAt: checked.preview?.ledgerId }, 'importing', (refusal) => notImported(file, checked, refusal));
  markStale();
  if (outcome === undefined) return;
  form.file.value = undefined;
  chooseAgain();
  announce(sentence(outcome.report, file, request.id === 'importPets'));
  // Somebody who opened another screen meanwhile stays there.
  if (may('getBatch') && pageAddress.value.path === '/imports') go(href(`/imports/${outcome.report.batch}`));
}

/** Begins with another file; not while one is sent. */
export function chooseFile(file: File): void {
  const { name } = stage.value;
  if (name === 'checking' || name === 'importing') return;
  form.file.value = file;
  stage.value = { name: 'choosing' };
}

/** Goes back to the form, with everything that was chosen. */
export function chooseAgain(): void {
  stage.value = { name: 'choosing' };
}

// The next person who signs in starts anew.
effect(() => {
  if (session.value !== 'signed-out') return;
  shown = undefined;
  clearForm();
  chooseAgain();
});
