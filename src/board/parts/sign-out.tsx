import type { JSX } from 'preact';
import { session } from '../state/session.js';
import { signOut } from '../state/sign-in.js';

/** Ends the session, where somebody had to sign in. */
export function SignOut(): JSX.Element | null {
  const current = session.value;
  if (typeof current !== 'object' || !current.signInRequired) return null;
  return (
    <button type="button" class="small control" onClick={() => void signOut()}>
      Sign out
    </button>
  );
}
