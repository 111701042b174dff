import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { useEffect } from 'preact/hooks';
import { ActionForm } from '../../parts/forms/action-form.js';
import { Field } from '../../parts/forms/field.js';
import { RefusalError } from '../../state/server/refusal.js';
import { signIn } from '../../state/sign-in.js';

/** The form that takes an access token. It keeps the token until the server has accepted it, and nowhere else. */
export function SignInForm({ onCancel }: { readonly onCancel?: () => void }): JSX.Element {
  const token = useSignal('');
  const isRunning = useSignal(false);
  const refusal = useSignal<RefusalError | undefined>(undefined);
  // The attribute autofocus works only once for each page.
  useEffect(() => document.querySelector<HTMLElement>('input[name=token]')?.focus(), []);
  const submit = async (): Promise<void> => {
    if (isRunning.value) return;
    isRunning.value = true;
    try {
      await signIn({ token: token.value.trim() });
      token.value = '';
    } catch (error) {
      if (!(error instanceof RefusalError)) throw error;
      refusal.value = error;
    } finally {
      isRunning.value = false;
    }
  };
  const hint = (
    <>
      Made once for this device, on the machine of the shop: <code>petstore token create</code>. This browser does not store it.
    </>
  );
  return (
    <ActionForm label="Sign in" action={{ isRunning, refusal }} fields={['token']} onSubmit={submit} {...(onCancel && { onCancel })}>
      <Field label="Access token" name="token" type="password" value={token} refusal={refusal.value} hint={hint} isRequired isFirst />
    </ActionForm>
  );
}
