import { computed, signal } from '@preact/signals';
import type { Scope } from '../../domain/tokens/token.js';
import type { OperationId } from './contract.js';
import { operationTable } from './operation-table.js';

/** Who uses the page, and what they may do. */
export interface Session {
  /** The name of the token; absent where the server needs no token. */
  readonly name?: string;
  readonly scopes: readonly Scope[];
  /** When the sign-in ends, as RFC 3339 in UTC. */
  readonly expiresAt?: string;
}

/** The session: undefined until the server has told it, `signed-out` where it needs a token. */
export const session = signal<Session | 'signed-out' | undefined>(undefined);

/** Whether the screens can be shown. */
export const isSignedIn = computed(() => typeof session.value === 'object');

/** Shows the sign-in: there is no session, or it ended. */
export function signedOut(): void {
  session.value = 'signed-out';
}

/** Whether the session may run an operation; controls that it may not use are not shown. */
export function may(id: OperationId): boolean {
  const needed = operationTable[id]?.scope;
  const current = session.value;
  if (needed === undefined || typeof current !== 'object') return false;
  return current.scopes.some((scope) => scope === 'admin' || scope === needed || scope.replace(':write', ':read') === needed);
}
