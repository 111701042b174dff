import * as v from 'valibot';
import { readOperation } from './operation.js';
import { exampleSettings, settingNames, shopSettings, type ShopFields } from './shop-settings.js';

/** Reads the settings of the shop. */
export const getShopSettings = readOperation({
  id: 'getShopSettings',
  summary: 'Read the settings of the shop',
  description: 'Reads the settings of the shop as a whole, such as its name.',
  tag: 'Store',
  stability: 'beta',
  path: '/store/settings',
  input: v.strictObject({}),
  output: shopSettings,
  refuses: [],
  example: { answer: exampleSettings },
  cost: 'row',
  run: async (tx): Promise<ShopFields> => {
    const settings: Partial<Record<keyof ShopFields, unknown>> = {};
    for (const name of settingNames) settings[name] = (await tx.settings.get(name)) ?? undefined;
    return settings as ShopFields;
  },
});
