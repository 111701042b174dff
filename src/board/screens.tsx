import type { JSX } from 'preact';
import { CloseScreen } from './screens/count/close-screen.js';
import { CountScreen } from './screens/count/count-screen.js';
import { CountsScreen } from './screens/count/counts-screen.js';
import { HelpScreen } from './screens/help/help-screen.js';
import { ImportScreen } from './screens/imports/import-screen.js';
import { ImportsScreen } from './screens/imports/imports-screen.js';
import { LedgerScreen } from './screens/ledger/ledger-screen.js';
import { OrderScreen } from './screens/orders/order-screen.js';
import { OrdersScreen } from './screens/orders/orders-screen.js';
import { PetScreen } from './screens/pet/pet-screen.js';
import { ReportsScreen } from './screens/reports/reports-screen.js';
import { StockScreen } from './screens/stock/stock-screen.js';
import { TodayScreen } from './screens/today/today-screen.js';
import type { OperationId } from './state/server/contract.js';

/** A screen and its address below `/board`. */
export interface ScreenEntry {
  /** The path; `{id}` is the id that `show` gets. */
  readonly path: string;
  readonly show: (id: number) => JSX.Element;
  /** Its name in the navigation. */
  readonly name?: string;
  /** The read without which it shows nothing: nobody who may not do it sees its link. */
  readonly needs?: OperationId;
}

/** Every screen, in the order of the navigation. */
export const screens: readonly ScreenEntry[] = [
  { path: '/', name: 'Today', needs: 'getSummary', show: () => <TodayScreen /> },
  { path: '/stock', name: 'Stock', needs: 'listInventory', show: () => <StockScreen /> },
  { path: '/pets/{id}', show: (id) => <PetScreen key={id} petId={id} /> },
  { path: '/counts', name: 'Counts', needs: 'listCounts', show: () => <CountsScreen /> },
  { path: '/counts/{id}', show: (id) => <CountScreen key={id} countId={id} /> },
  { path: '/counts/{id}/close', show: (id) => <CloseScreen key={id} countId={id} /> },
  { path: '/orders', name: 'Orders', needs: 'listOrders', show: () => <OrdersScreen /> },
  { path: '/orders/{id}', show: (id) => <OrderScreen key={id} orderId={id} /> },
  { path: '/ledger', name: 'Ledger', needs: 'listLedger', show: () => <LedgerScreen /> },
  { path: '/imports', name: 'Imports', needs: 'listBatches', show: () => <ImportsScreen /> },
  { path: '/imports/{id}', show: (id) => <ImportScreen key={id} batchId={id} /> },
  { path: '/reports', name: 'Reports', needs: 'reportStock', show: () => <ReportsScreen /> },
  { path: '/help', name: 'Help', show: () => <HelpScreen /> },
];

/** What a path shows; undefined for a path without a screen. */
export function screenAt(path: string): JSX.Element | undefined {
  for (const { path: pattern, show } of screens) {
    const match = new RegExp(`^${pattern.replace('{id}', '([1-9][0-9]{0,15})')}$`).exec(path);
    if (match) return show(Number(match[1]));
  }
  return undefined;
}
