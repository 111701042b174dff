import type { ComponentChildren, JSX } from 'preact';
import { useId, useLayoutEffect, useRef } from 'preact/hooks';
import { mayLeave } from '../../state/router.js';
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
  const leave = (event: Event): void => {
    event.preventDefault();
    const { current } = dialog;
    if (current !== null && mayLeave(current)) current.close();
  };
  // The browser closes a dialog at the second Esc in a row, whatever `onCancel` says.
  const press = (event: KeyboardEvent): void => {
    if (event.key === 'Escape' && !event.defaultPrevented) leave(event);
  };
  return (
    <dialog ref={dialog} aria-labelledby={titleId} data-opaque={isOpaque} onCancel={leave} onKeyDown={press} onClose={onClose}>
      <h2 id={titleId}>
        {title} {pet !== undefined && <Name of={pet} />}
      </h2>
      {children}
    </dialog>
  );
}
