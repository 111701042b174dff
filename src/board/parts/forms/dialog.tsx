import type { ComponentChildren, JSX } from 'preact';
import { useId, useLayoutEffect, useRef } from 'preact/hooks';
import { Name } from '../name.js';

interface DialogProps {
  readonly title: string;
  /** The name of the pet that it is about, after the title. */
  readonly pet?: string | undefined;
  /** Whether nothing of the page is seen behind it. */
  readonly isOpaque?: boolean;
  readonly onClose: () => void;
  readonly children: ComponentChildren;
}

/** A dialog that is open as long as it is rendered. The browser keeps the focus inside, closes it by Esc, and returns the focus. */
export function Dialog({ title, pet, isOpaque = false, onClose, children }: DialogProps): JSX.Element {
  const dialog = useRef<HTMLDialogElement>(null);
  const titleId = useId();
  useLayoutEffect(() => {
    const { current } = dialog;
    const opener = document.activeElement;
    current?.showModal();
    return () => {
      current?.close();
      // The browser returns the focus only of a dialog that is still in the page.
      if (opener instanceof HTMLElement && opener.isConnected) opener.focus();
    };
  }, []);
  return (
    <dialog ref={dialog} aria-labelledby={titleId} data-opaque={isOpaque} onClose={onClose}>
      <h2 id={titleId}>
        {title} {pet !== undefined && <Name of={pet} />}
      </h2>
      {children}
    </dialog>
  );
}
