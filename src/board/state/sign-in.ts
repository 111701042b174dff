import { basePath } from './base-path.js';
import { send } from './call.js';
import { RefusalError } from './refusal.js';
import { session, signedOut, type Session } from './session.js';

const address = `${basePath}/session`;

/** Reads the session; an older server has none and needs no sign-in on this machine. */
export async function readSession(): Promise<void> {
  try {
    const response = await send(address, {});
    session.value = (await response.json()) as Session;
  } catch (error) {
    if (!(error instanceof RefusalError)) throw error;
    if (error.status === 404) session.value = { scopes: ['admin'] };
    else if (error.status !== 401) throw error;
  }
}

/** Signs in with a token, or with the one-time code of `petstore serve --open`. Refuses with `invalid_token`. */
export async function signIn(secret: { readonly token: string } | { readonly code: string }): Promise<void> {
  const response = await send(address, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(secret) });
  session.value = (await response.json()) as Session;
}

/** Ends the session. */
export async function signOut(): Promise<void> {
  await send(address, { method: 'DELETE' });
  signedOut();
}

const codePattern = /^#code=([\w-]+)$/;

/** Signs in with the code in the address, which is removed from it and from the history, or reads the session of this browser. */
export async function beginSession(): Promise<void> {
  const code = codePattern.exec(location.hash)?.[1];
  if (code !== undefined) history.replaceState(null, '', location.pathname + location.search);
  try {
    if (code === undefined) await readSession();
    else await signIn({ code });
  } catch (error) {
    if (!(error instanceof RefusalError)) throw error;
    signedOut();
  }
}
