import { signal } from '@preact/signals';
import { now } from '../clock.js';
import { isPaused } from './live.js';
import { markStale } from './stale.js';

const minuteMs = 60_000;

/** The time at the last full minute of the page, in ms since 1970. What is drawn with it follows the day. */
export const presentMinute = signal(now());

/** Reads all figures again each minute, unless the page is paused: orders become overdue and days end without a change in the ledger. */
export function startMinutes(): void {
  setInterval(() => {
    if (isPaused.peek()) return;
    presentMinute.value = now();
    markStale();
  }, minuteMs);
}
