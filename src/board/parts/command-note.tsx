import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { inertText } from './text.js';

/** A command line, with a button that copies it. */
export function CommandNote({ command }: { readonly command: string }): JSX.Element {
  const copied = useSignal<string | undefined>(undefined);
  // Also for the clipboard: a terminal would obey control characters in a name.
  const text = inertText(command);
  const copy = async (): Promise<void> => {
    copied.value = await navigator.clipboard.writeText(text).then(
      () => text,
      () => undefined,
    );
  };
  return (
    <span class="command">
      <span>As a command: </span>
      <code>{text}</code> {/* Only a page with https, or of this machine, may write to the clipboard. */}
      {isSecureContext && (
        <button type="button" class="small" onClick={() => void copy()}>
          {copied.value === text ? 'Copied' : 'Copy'}
        </button>
      )}
    </span>
  );
}
