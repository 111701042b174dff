import type { Changes, RowOf } from '../../state/server/contract.js';
import { may } from '../../state/session.js';

/** The stock of one pet as somebody saw it. */
export type StockRow = RowOf<'listInventory'>;

/** What can be done with the stock of a pet. */
export type StockActionName = 'sell' | 'count' | 'adjust' | 'lowLevel' | 'hold' | 'release';

/** An action on the stock of a pet. */
export interface StockAction {
  readonly name: StockActionName;
  readonly label: string;
  /** The key of a row, while the focus is in it. */
  readonly key?: string;
  /** Whether it is frequent, and so has its own button. */
  readonly isMain: boolean;
  readonly operation: keyof Changes;
  /** Whether it makes sense for a pet. */
  readonly isPossible: (row: StockRow) => boolean;
}

const always = (): boolean => true;

/** Every action, the most frequent first. */
export const stockActions: readonly StockAction[] = [
  { name: 'sell', label: 'Sell', key: 's', isMain: true, operation: 'placeOrder', isPossible: ({ available }) => available > 0 },
  { name: 'count', label: 'Count', key: 'c', isMain: false, operation: 'setInventory', isPossible: always },
  { name: 'adjust', label: 'Receive or write off', key: 'a', isMain: false, operation: 'adjustInventory', isPossible: always },
  { name: 'lowLevel', label: 'Set low level', isMain: false, operation: 'setLowAt', isPossible: always },
  { name: 'hold', label: 'Put on hold', isMain: false, operation: 'holdPet', isPossible: ({ hold }) => !hold },
  { name: 'release', label: 'Release', isMain: false, operation: 'releasePet', isPossible: ({ hold }) => hold },
];

/** The actions that the session may do with a pet. */
export function actionsFor(row: StockRow): readonly StockAction[] {
  return stockActions.filter(({ operation, isPossible }) => may(operation) && isPossible(row));
}
