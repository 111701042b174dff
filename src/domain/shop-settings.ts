import type { FieldValues } from './values/fields.js';
import { quantityNumber } from './values/numbers.js';
import { optional, record } from './values/schemas.js';
import { nameText } from './values/text.js';

/** The settings of the shop as a whole. A change of one writes a ledger entry `shop.updated` with its former value. */
export const shopFields = {
  shopName: optional(nameText, 'The name of the shop.'),
  lowAt: optional(quantityNumber, 'Low-stock level of the pets without one of their own.'),
};

/** The settings of the shop, in answers. */
export const shopSettings = record('ShopSettings', 'The settings of the shop; one that is absent is not set.', shopFields);

/** The values of `shopFields`. */
export type ShopFields = FieldValues<typeof shopFields>;

/** The names of the settings. */
export const settingNames = Object.keys(shopFields) as readonly (keyof ShopFields)[];

/** The settings in the examples of the OpenAPI document. */
export const exampleSettings: Required<ShopFields> = { shopName: 'Paws & Fins', lowAt: 2 };

/** The value of a setting; null where it is not set. */
export type Setting<Name extends keyof ShopFields> = NonNullable<ShopFields[Name]> | null;

/** Read access to the settings of the shop. */
export interface SettingReader {
  get<Name extends keyof ShopFields>(name: Name): Promise<Setting<Name>>;
}

/** Write access to the settings of the shop. */
export interface SettingWriter extends SettingReader {
  /** Sets a setting; null removes it. */
  set<Name extends keyof ShopFields>(name: Name, value: Setting<Name>): Promise<void>;
}
