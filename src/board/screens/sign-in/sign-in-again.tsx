import type { JSX } from 'preact';
import { Dialog } from '../../parts/forms/dialog.js';
import { clearSession, hasEnded } from '../../state/session.js';
import { SignInForm } from './sign-in-form.js';

/** Asks to sign in again over a screen whose session ended, so that nothing is lost that was typed there. The screen is not shown meanwhile. */
export function SignInAgain(): JSX.Element | null {
  if (!hasEnded.value) return null;
  return (
    <Dialog title="Sign in again" isOpaque onClose={() => hasEnded.peek() && clearSession()}>
      <div class="stack">
        <p>Your session ended, or its token was revoked. What you typed is kept until you leave.</p>
        <SignInForm onCancel={clearSession} />
      </div>
    </Dialog>
  );
}
