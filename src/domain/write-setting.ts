import type { Undoing } from './ledger/ledger-entry.js';
import type { Setting, ShopFields } from './shop-settings.js';
import type { WriteTransaction } from './transaction.js';
import type { Versioned } from './values/version.js';

/** What follows from the change of a setting, after its ledger entry. */
const effects: { readonly [Name in keyof ShopFields]?: (tx: WriteTransaction, before: Setting<Name>, after: Setting<Name>) => Promise<void> } = {
  lowAt: async (tx, before, after) => {
    await tx.ledger.appendCrossings(before, after);
    await tx.stock.setSharedLowAt(after);
  },
};

/** Writes a setting of the shop, null for none, and its ledger entries. Returns what the answer says of the change. */
export async function writeSetting<Name extends keyof ShopFields>(
  tx: WriteTransaction,
  name: Name,
  value: Setting<Name>,
  { reverses }: Undoing = {},
): Promise<Pick<Versioned, 'unchanged'>> {
  const before = await tx.settings.get(name);
  if (before === value) return { unchanged: true };
  await tx.ledger.append({ kind: 'shop.updated', previous: { [name]: before }, current: { [name]: value }, reverses });
  await effects[name]?.(tx, before, value);
  await tx.settings.set(name, value);
  return {};
}
