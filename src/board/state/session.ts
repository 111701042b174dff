import { computed, signal } from '@preact/signals';
import type { Session } from '../../domain/sessions/session.js';
import type { OperationId } from './contract.js';
import { operationTable } from './operation-table.js';

/** The session: undefined until the server has told it, `signed-out` where it needs a token. */
export const session = signal<Session | 'signed-out' | undefined>(undefined);

/** Whether the screens can be shown. */
export const isSignedIn = computed(() => typeof session.value === 'object');

/** The name of the shop; the program's name before somebody is signed in. */
export const shopName = computed(() => (typeof session.value === 'object' ? session.value.server.shop : 'petstore'));

/** Shows the sign-in: there is no session, or it ended. */
export function signedOut(): void {
  session.value = 'signed-out';
}

/** The version to send with a change that compares what was seen itself: only where the server refuses changes without If-Match. */
export function requiredVersion(version: number | undefined): number | undefined {
  return typeof session.value === 'object' && session.value.server.requireIfMatch ? version : undefined;
}

/** Whether the session may run an operation; controls that it may not use are not shown. */
export function may(id: OperationId): boolean {
  const needed = operationTable[id]?.scope;
  const current = session.value;
  if (needed === undefined || typeof current !== 'object') return false;
  return current.scopes.includes(needed);
}
