import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { inertText } from './text.js';

/** A command line, with a button that copies it. */
export function CommandNote({ command }: { readonly command: string }): JSX.Element {
  const isCopied = useSignal(false);
  // Also for the clipboard: a terminal would obey control characters in a name.
  const text = inertText(command);
  const copy = async (): Promise<void> => {
    isCopied.value = await navigator.clipboard.writeText(text).then(
      () => true,
      () => false,
    );
  };
  return (
    <span class="command">
      <span>As a command: </span>
      <code>{text}</code> {/* Only a page with https, or of this machine, may write to the clipboard. */}
      {isSecureContext && (
        <button type="button" class="small" onClick={() => void copy()}>
          {isCopied.value ? 'Copied' : 'Copy'}
        </button>
      )}
    </span>
  );
}
