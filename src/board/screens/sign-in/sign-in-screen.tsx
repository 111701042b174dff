import type { JSX } from 'preact';
import { Dialog } from '../../parts/forms/dialog.js';
import { Screen } from '../../parts/screen.js';
import { RefusalBox } from '../../parts/shown.js';
import { clearSession, hasEnded } from '../../state/session.js';
import { startRefusal } from '../../state/sign-in.js';
import { SignInForm } from './sign-in-form.js';

/** The server refuses to sign in over plain HTTP; the page does not even send the token, which others in the network could read. */
function NeedsHttps(): JSX.Element {
  return (
    <div class="refusal-box" role="alert">
      <p>
        This page came over plain HTTP, so others in the network could read a token. Open it at an <code>https://</code> address, or on the machine of the
        server at <code>http://localhost</code>.
      </p>
      <p>
        How to set it up: <code>petstore help deployment</code>
      </p>
    </div>
  );
}

/** Asks for an access token, in place of the screen that was opened. */
export function SignInScreen(): JSX.Element {
  const { value: refusal } = startRefusal;
  return (
    <Screen title="Sign in">
      <div class="panel sign-in stack">
        {refusal && <RefusalBox of={refusal} />}
        {isSecureContext ? <SignInForm /> : <NeedsHttps />}
      </div>
    </Screen>
  );
}

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
