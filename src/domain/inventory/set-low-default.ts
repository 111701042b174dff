import { lowLevel } from './stock.js';
import * as v from 'valibot';
import { writeOperation } from '../operation.js';
import { writeSetting } from '../write-setting.js';

/** Sets the low-stock level of the shop, which applies to pets without their own; without a level those pets are never low. */
export const setLowDefault = writeOperation({
  id: 'setLowDefault',
  summary: "Set the shop's low-stock level",
  description: 'Sets the low-stock level of all pets without one of their own. Without `lowAt`, those pets are never low.',
  tag: 'Store',
  stability: 'beta',
  method: 'PUT',
  path: '/store/low-at',
  status: 200,
  input: v.strictObject({ body: lowLevel }),
  output: lowLevel,
  refuses: [],
  example: { body: { lowAt: 2 }, answer: { lowAt: 2 } },
  cost: 'shop',
  run: async (tx, { body }) => ({ ...body, ...(await writeSetting(tx, 'lowAt', body.lowAt ?? null)) }),
});
