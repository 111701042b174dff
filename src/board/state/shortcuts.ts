import { signal } from '@preact/signals';
import { after } from './clock.js';
import { go, href, isWall } from './router.js';
import { may } from './session.js';

/** Whether the dialog of a sale is open, over whichever screen. */
export const isSelling = signal(false);

/** Opens it, where the session may sell. */
export function openSale(): void {
  if (may('placeOrder') && !isWall.peek()) isSelling.value = true;
}

/** A sequence of keys and what it does. */
export interface Shortcut {
  readonly keys: string;
  readonly does: string;
  readonly work: () => void;
}

function focusSearch(): void {
  document.querySelector<HTMLElement>('[data-search]')?.focus();
}

const opening = (keys: string, title: string, path: string): Shortcut => ({ keys, does: `Open ${title}`, work: () => go(href(path)) });

/** The shortcuts of every screen. */
export const shortcuts: readonly Shortcut[] = [
  { keys: '/', does: 'Search', work: focusSearch },
  { keys: 's', does: 'Sell', work: openSale },
  { keys: 'u', does: 'Undo the change that was just made', work: () => document.querySelector<HTMLElement>('[data-undo]')?.click() },
  opening('g t', 'Today', '/'),
  opening('g s', 'Stock', '/stock'),
  opening('g c', 'Counts', '/counts'),
  opening('g o', 'Orders', '/orders'),
  opening('g l', 'Ledger', '/ledger'),
  opening('g i', 'Imports', '/imports'),
  opening('g r', 'Reports', '/reports'),
  opening('g h', 'Help', '/help'),
];

const settingName = 'petstore-board-shortcuts';

function storedSetting(): string | null {
  try {
    return localStorage.getItem(settingName);
  } catch {
    return null;
  }
}

/** Whether keys are shortcuts; people who use speech input can turn them off (WCAG 2.1.4). */
export const areShortcutsOn = signal(storedSetting() !== 'off');

/** Turns them on or off, for as long as the page is open where the browser blocks storage. */
export function turnShortcuts(isOn: boolean): void {
  areShortcutsOn.value = isOn;
  try {
    localStorage.setItem(settingName, isOn ? 'on' : 'off');
  } catch {
    // Not remembered, but set on this page.
  }
}

/** Whether keys are typed into a field or a dialog. */
function isTyping({ target }: KeyboardEvent): boolean {
  return target instanceof HTMLElement && (target.isContentEditable || target.closest('input, select, textarea, dialog') !== null);
}

/** The time in which the second key of a sequence follows the first. */
const sequenceMs = 1500;
let typed = '';
let forget = (): void => undefined;

function remember(keys: string): void {
  forget();
  typed = keys;
  forget = after(sequenceMs, () => (typed = ''));
}

/** Whether the next key ends a sequence, and so means nothing else. */
export function isInSequence(): boolean {
  return typed === 'g';
}

/** Performs the shortcuts while the page is open. */
export function startShortcuts(): void {
  document.addEventListener('keydown', (event) => {
    if (!areShortcutsOn.value || event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented || isTyping(event)) return;
    remember(typed === 'g' ? `g ${event.key}` : event.key);
    const shortcut = shortcuts.find(({ keys }) => keys === typed);
    if (shortcut === undefined) return;
    event.preventDefault();
    shortcut.work();
  });
}
