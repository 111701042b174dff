import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { ActionForm } from '../../parts/action-form.js';
import { Field } from '../../parts/field.js';
import { Screen } from '../../parts/screen.js';
import { RefusalError } from '../../state/refusal.js';
import { signIn } from '../../state/sign-in.js';

/** Asks for an access token, in place of the screen that was opened. */
export function SignInScreen(): JSX.Element {
  const token = useSignal('');
  const isRunning = useSignal(false);
  const refusal = useSignal<RefusalError | undefined>(undefined);
  const submit = async (): Promise<void> => {
    if (isRunning.value) return;
    isRunning.value = true;
    try {
      await signIn({ token: token.value.trim() });
    } catch (error) {
      if (!(error instanceof RefusalError)) throw error;
      refusal.value = error;
    } finally {
      isRunning.value = false;
    }
  };
  const hint = (
    <>
      Made by <code>petstore token create</code>. It stays on the server: this browser keeps only a session of 12 hours.
    </>
  );
  return (
    <Screen title="Sign in">
      <div class="panel narrow">
        <ActionForm label="Sign in" action={{ isRunning, refusal }} fields={['token']} onSubmit={submit}>
          <Field label="Access token" name="token" type="password" value={token} refusal={refusal.value} hint={hint} isRequired isFirst />
        </ActionForm>
      </div>
    </Screen>
  );
}
