import { computed, signal } from '@preact/signals';
import { isSignedIn, session } from './session.js';

/** What a change did. */
export interface Notice {
  /** Different for each notice, so that the same sentence is announced again. */
  readonly id: number;
  readonly text: string;
}

const last = signal<Notice & { readonly of: typeof session.value }>({ id: 0, text: '', of: undefined });

/** The result of the last change, until it is dismissed. Only the session that made the change sees it. */
export const notice = computed<Notice | undefined>(() => (isSignedIn.value && last.value.of === session.value ? last.value : undefined));

/** Shows what a change did, or why it could not be made. */
export function announce(text: string): void {
  last.value = { id: last.peek().id + 1, text, of: session.peek() };
}

/** Shows nothing until the next change. */
export function dismissNotice(): void {
  last.value = { ...last.peek(), of: undefined };
}
