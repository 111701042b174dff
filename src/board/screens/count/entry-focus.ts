import { useLayoutEffect } from 'preact/hooks';
import { isSignedIn } from '../../state/session.js';

/** Elements that take keys themselves. */
const otherInputs = 'input, select, textarea, dialog';

/** Moves the focus to the field of the screen into which lines are typed. */
export function focusEntry(): void {
  document.querySelector<HTMLElement>('[data-entry]')?.focus({ preventScroll: true });
}

function isIn(target: EventTarget | null, selector: string): boolean {
  return target instanceof Element && target.closest(selector) !== null;
}

/** A button would take the focus, and with it the keyboard of a phone would close. */
function keepFocus(event: MouseEvent): void {
  if (isIn(event.target, 'main') && isIn(event.target, 'button, label.check') && !isIn(event.target, 'dialog')) event.preventDefault();
}

/** After a tap or a click anywhere, the next key goes to the field. A control that was pressed by its key keeps the focus. */
function returnFocus({ detail, target }: MouseEvent): void {
  const isSelecting = getSelection()?.isCollapsed === false;
  if (detail > 0 && !isSelecting && !isIn(target, 'header, dialog') && !isIn(document.activeElement, 'select, dialog')) focusEntry();
}

/** A scanner types wherever the focus is: what it types goes to the field. */
function catchKey({ key, ctrlKey, metaKey, altKey, target }: KeyboardEvent): void {
  const isText = key.length === 1 && key !== ' ' && !ctrlKey && !metaKey && !altKey;
  if (isText && (!isIn(target, otherInputs) || isIn(target, '[type=checkbox]'))) focusEntry();
}

/**
 * Keeps the focus in the field of the screen, except where somebody moves it by keys. The field has it as soon as the page is shown
 * again after signing in: a scanner does not wait for an effect.
 */
export function useEntryFocus(): void {
  const isUsable = isSignedIn.value;
  useLayoutEffect(() => {
    if (!isUsable) return;
    // A field that was hidden while it had the focus, behind the dialog to sign in, takes no text until it gets the focus again.
    document.querySelector<HTMLElement>('[data-entry]')?.blur();
    focusEntry();
    const stop = new AbortController();
    const options = { signal: stop.signal };
    document.addEventListener('mousedown', keepFocus, options);
    document.addEventListener('click', returnFocus, options);
    document.addEventListener('keydown', catchKey, { ...options, capture: true });
    return () => stop.abort();
  }, [isUsable]);
}
