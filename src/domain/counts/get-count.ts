import { readOperation } from '../operation.js';
import { count, countIdParameter, exampleCount } from './count.js';
import { requireCount } from './require-count.js';
import * as v from 'valibot';

/** Reads one count. */
export const getCount = readOperation({
  id: 'getCount',
  summary: 'Read a count of the stock',
  description: 'Reads one count with its figures.',
  tag: 'Store',
  stability: 'beta',
  path: '/store/counts/{countId}',
  input: v.strictObject({ countId: countIdParameter }),
  output: count,
  refuses: [],
  example: { answer: exampleCount },
  cost: 'row',
  run: (tx, { countId }) => requireCount(tx, countId),
});
