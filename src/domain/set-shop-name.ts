import * as v from 'valibot';
import { writeOperation } from './operation.js';
import { shopFields } from './shop-settings.js';
import { record, requestRecord } from './values/schemas.js';
import { versionFields } from './values/version.js';
import { writeSetting } from './write-setting.js';

/** The name of the shop, in requests and responses. */
export const namedShop = requestRecord('ShopName', 'The name of the shop. Without `shopName` it has none.', { shopName: shopFields.shopName });

/** The name of the shop, and whether a change has left it as it was. */
export const completeNamedShop = record('CompleteShopName', 'The name of the shop, and whether a change has left it as it was.', {
  ...namedShop.entries,
  unchanged: versionFields.unchanged,
});

/** Names the shop, or removes its name. */
export const setShopName = writeOperation({
  id: 'setShopName',
  summary: 'Name the shop',
  description: 'Sets the name of the shop, which the shop board shows. Without `shopName` the shop has no name.',
  tag: 'Store',
  stability: 'beta',
  method: 'PUT',
  path: '/store/name',
  status: 200,
  input: v.strictObject({ body: namedShop }),
  output: namedShop,
  refuses: [],
  example: { body: { shopName: 'Paws & Fins' }, answer: { shopName: 'Paws & Fins' } },
  cost: 'row',
  run: async (tx, { body }) => ({ ...body, ...(await writeSetting(tx, 'shopName', body.shopName ?? null)) }),
});
