import type { SignIn } from '../../domain/sessions/session.js';
import { call } from './call.js';
import { RefusalError } from './refusal.js';
import { session, signedOut } from './session.js';

/** Signs in with a token, or with the one-time code of `petstore serve --open`. Refuses with `invalid_token`. */
export async function signIn(secret: SignIn): Promise<void> {
  session.value = await call('createSession', { body: secret });
}

/** Ends the session. */
export async function signOut(): Promise<void> {
  await call('deleteSession', {});
  signedOut();
}

const codePattern = /^#code=([\w-]+)$/;

/** Signs in with the code in the address, which is removed from it and from the history, or reads the session of this browser. */
export async function beginSession(): Promise<void> {
  const code = codePattern.exec(location.hash)?.[1];
  if (code !== undefined) history.replaceState(null, '', location.pathname + location.search);
  try {
    if (code === undefined) session.value = await call('getSession', {});
    else await signIn({ code });
  } catch (error) {
    if (!(error instanceof RefusalError)) throw error;
    signedOut();
  }
}
