import { signal } from '@preact/signals';
import type { SignIn } from '../../domain/sessions/session.js';
import { askEarly } from './live/live.js';
import { markStale } from './live/stale.js';
import { announce } from './notices.js';
import { call } from './server/call.js';
import { RefusalError } from './server/refusal.js';
import { session, signedIn, signedOut } from './session.js';

/** Why this page could not read its session or redeem its code; undefined where somebody only has to sign in. */
export const startRefusal = signal<RefusalError | undefined>(undefined);

/** Signs in with a token, or with the one-time code of `petstore serve --open`. Refuses with `invalid_token`. */
export async function signIn(secret: SignIn): Promise<void> {
  signedIn(await call('createSession', { body: secret }));
  startRefusal.value = undefined;
  // What was read before was refused, or may be that of somebody else.
  markStale();
}

/** Ends the session. */
export async function signOut(): Promise<void> {
  try {
    await call('deleteSession', {});
    signedOut();
  } catch (error) {
    if (!(error instanceof RefusalError)) throw error;
    announce(`You are still signed in: ${error.message}`);
  }
}

const codePattern = /^#code=([\w-]+)$/;

/** The code of the address, which is removed from it and from the history. */
function takeCode(): string | undefined {
  const code = codePattern.exec(location.hash)?.[1];
  if (code !== undefined) history.replaceState(null, '', location.pathname + location.search);
  return code;
}

/** Runs one step of the start; answers whether it was refused. */
async function isRefused(step: () => Promise<void>): Promise<boolean> {
  try {
    await step();
    return false;
  } catch (error) {
    if (!(error instanceof RefusalError)) throw error;
    if (error.code !== 'unauthenticated') startRefusal.value = error;
    return true;
  }
}

/** Signs in with the code in the address, or reads the session of this browser. */
export async function beginSession(): Promise<void> {
  startRefusal.value = undefined;
  const code = takeCode();
  if (code !== undefined && !(await isRefused(() => signIn({ code })))) return;
  askEarly();
  const isOut = await isRefused(async () => signedIn(await call('getSession', {})));
  if (!isOut) startRefusal.value = undefined;
  else if (startRefusal.peek()?.code !== 'no_answer') session.value = 'signed-out';
}
