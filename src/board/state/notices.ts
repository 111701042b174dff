import { computed, signal } from '@preact/signals';
import { after } from './clock.js';
import { isSignedIn, session } from './session.js';

/** What a change did. */
export interface Notice {
  /** Different for each notice, so that the same sentence is announced again. */
  readonly id: number;
  readonly text: string;
  /** The change, by the id that undoes it; undefined where it cannot be undone, or is not known yet. */
  readonly entryId?: number | undefined;
}

const last = signal<Notice & { readonly of: typeof session.value }>({ id: 0, text: '', of: undefined });

/** The result of the last change, for a while. Only the session that made the change sees it. */
export const notice = computed<Notice | undefined>(() => (isSignedIn.value && last.value.of === session.value ? last.value : undefined));

/** How long a result is shown. */
const shownMs = 10_000;

let forget = (): void => undefined;

/** Shows nothing until the next change. */
export function dismissNotice(): void {
  forget();
  last.value = { ...last.peek(), of: undefined };
}

/** Lets the notice go after a while. */
export function letNoticeGo(): void {
  forget();
  forget = after(shownMs, dismissNotice);
}

/** Keeps the notice as long as somebody is at it. */
export function keepNotice(): void {
  forget();
}

/** Shows what a change did, or why it could not be made; answers with the id of the notice. */
export function announce(text: string): number {
  const id = last.peek().id + 1;
  last.value = { id, text, of: session.peek() };
  letNoticeGo();
  return id;
}

/** Offers to undo the change of a notice, unless another came meanwhile. */
export function offerUndo(id: number, entryId: number): void {
  if (last.peek().id === id) last.value = { ...last.peek(), entryId };
}
