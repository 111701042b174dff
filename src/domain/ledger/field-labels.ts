// The board contains this file: it imports only types.
import type { PreviousValues } from './ledger-entry.js';

/** What each field is called, in the order in which an undo names them. */
export const fieldLabels: Readonly<Record<keyof PreviousValues, string>> = {
  name: 'name',
  description: 'description',
  categoryId: 'category',
  shopName: 'name',
  lowAt: 'low level',
  petId: 'pet',
  quantity: 'quantity',
  shipDate: 'ship date',
  returned: 'units returned',
  code: 'code',
  units: 'units',
};

/** What the settings of the shop are called whose former values an entry holds: "name". */
export function settingLabels(previous: PreviousValues = {}): string {
  return (Object.keys(previous) as (keyof PreviousValues)[]).map((field) => fieldLabels[field]).join(' and ') || 'settings';
}
