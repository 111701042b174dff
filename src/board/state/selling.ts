import { signal } from '@preact/signals';
import { isWall } from './router.js';
import { may } from './session.js';

/** Whether the dialog of a sale is open, over whichever screen. */
export const isSelling = signal(false);

/** Opens it, where the session may sell. */
export function openSale(): void {
  if (may('placeOrder') && !isWall.peek()) isSelling.value = true;
}
