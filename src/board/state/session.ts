import { batch, computed, signal } from '@preact/signals';
import type { Session } from '../../domain/sessions/session.js';
import type { OperationId } from './server/contract.js';
import { operationTable } from './server/operation-table.js';

/** The session: undefined until the server has answered, `signed-out` where it needs a token. */
export const session = signal<Session | 'signed-out' | undefined>(undefined);

/** Whether the session ended while the page was in use. The screen stays with what was typed, behind a dialog that asks to sign in again. */
export const hasEnded = signal(false);

/** Whether the shop can be read. */
export const isSignedIn = computed(() => typeof session.value === 'object' && !hasEnded.value);

/** The name of the shop; the program's name before somebody is signed in. */
export const shopName = computed(() => (typeof session.value === 'object' ? session.value.server.shop : 'petstore'));

/** The server answered that there is no session, or none any more. `asked` is that with which it was asked: a late answer says nothing about a new one. */
export function sessionRefused(asked: typeof session.value): void {
  if (asked !== session.peek()) return;
  if (typeof asked === 'object') hasEnded.value = true;
  else session.value = 'signed-out';
}

/** Shows the page to sign in, and nothing of the shop. */
export function clearSession(): void {
  batch(() => {
    session.value = 'signed-out';
    hasEnded.value = false;
  });
}

/** Shows the shop as this session may see it. */
export function setSession(next: Session): void {
  batch(() => {
    session.value = next;
    hasEnded.value = false;
  });
}

/** The version to send with a change that compares what was seen itself: only where the server refuses changes without If-Match. */
export function requiredVersion(version: number | undefined): number | undefined {
  return typeof session.value === 'object' && session.value.server.requireIfMatch ? version : undefined;
}

/** Whether the session may run an operation; controls that it may not use are not shown. */
export function may(id: OperationId): boolean {
  const current = session.value;
  return typeof current === 'object' && current.scopes.includes(operationTable[id].scope);
}
