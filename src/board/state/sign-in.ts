import { signal } from '@preact/signals';
import type { Session, SignIn } from '../../domain/sessions/session.js';
import { basePath } from './server/base-path.js';
import { after, jitter } from './clock.js';
import { markStale } from './live/stale.js';
import { announce } from './notices.js';
import { call } from './server/call.js';
import { isUncertain, RefusalError } from './server/refusal.js';
import { clearSession, session, setSession } from './session.js';

/** Why this page could not read its session or redeem its code; undefined where somebody only has to sign in. */
export const startRefusal = signal<RefusalError | undefined>(undefined);

/** Refuses the answer of a server of another version with `foreign_answer`. */
function checkSession(answer: Partial<Session>): Session {
  const { name, scopes, server } = answer;
  if (name !== undefined && Array.isArray(scopes) && server !== undefined) return answer as Session;
  throw new RefusalError('foreign_answer', 'The page cannot read what the server answered. Load the page again.', 0);
}

/** Tells the other pages of the browser, which share the cookie, that the session has changed. */
const otherPages = 'BroadcastChannel' in globalThis ? new BroadcastChannel(`petstore-session${basePath}`) : undefined;

/** Signs in with a token, or with the one-time code of `petstore serve --open`. Refuses with `invalid_token`. */
export async function signIn(secret: SignIn): Promise<void> {
  setSession(checkSession(await call('createSession', { body: secret })));
  startRefusal.value = undefined;
  // What was read before was refused, or may be that of somebody else.
  markStale();
  otherPages?.postMessage('signed in');
}

/** Ends the session. */
export async function signOut(): Promise<void> {
  try {
    await call('deleteSession', {});
    clearSession();
    otherPages?.postMessage('signed out');
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

/** Why one step of the start was refused; undefined where it was not. */
async function refusalOf(step: Promise<void>): Promise<RefusalError | undefined> {
  try {
    await step;
    return undefined;
  } catch (error) {
    if (error instanceof RefusalError) return error;
    throw error;
  }
}

async function readSession(): Promise<void> {
  setSession(checkSession(await call('getSession', {})));
}

const retryMs = 5000;
let cancelRetry = (): void => undefined;

/** Signs in with the code in the address, or reads the session of this browser. Begins again later where the shop cannot be reached. */
export async function beginSession(): Promise<void> {
  cancelRetry();
  const code = takeCode();
  const ofCode = code === undefined ? undefined : await refusalOf(signIn({ code }));
  if (code !== undefined && ofCode === undefined) return;
  const refusal = await refusalOf(readSession());
  if (refusal === undefined) {
    startRefusal.value = undefined;
  } else if (isUncertain(refusal)) {
    startRefusal.value = refusal;
    cancelRetry = after(retryMs * jitter(), () => void beginSession());
  } else {
    startRefusal.value = refusal.code === 'unauthenticated' ? ofCode : refusal;
    session.value = 'signed-out';
  }
}

// A page whose session has ended asks to sign in again, and keeps what was typed.
otherPages?.addEventListener('message', () => void refusalOf(readSession()).then(markStale));
