import type { JSX } from 'preact';
import { Screen } from '../../parts/screen.js';
import { RefusalBox } from '../../parts/shown.js';
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
