import { listOperation } from '../operation.js';
import { idNumber } from '../values/ids.js';
import { page, pageParameters, valueList, type Page, type Slice } from '../values/pages.js';
import { optional } from '../values/schemas.js';
import { code, codeText, exampleCode, type Code } from './code.js';
import { codePosition } from './code-table.js';
import * as v from 'valibot';

/** Lists codes. */
export const listCodes = listOperation({
  id: 'listCodes',
  summary: 'List codes',
  description: 'Lists the codes of the pets of the shop.',
  tag: 'Codes',
  stability: 'beta',
  path: '/codes',
  input: v.strictObject({
    ...pageParameters(['code']),
    petId: optional(valueList(idNumber), 'Only codes of these pets.'),
    code: optional(codeText, 'Only the code that equals this one.'),
  }),
  output: code,
  refuses: [],
  example: { answer: [exampleCode] },
  cost: ({ count }) => (count ? 'shop' : 'page'),
  run: (tx, { petId, code: text, ...paging }): Promise<Page<Code>> => {
    const filter = { petId, code: text };
    return page('codes', paging, filter, {
      keys: { code: 'text' },
      list: (slice: Slice<'code'>) => tx.codes.list(filter, slice),
      position: codePosition,
      total: () => tx.codes.count(filter),
    });
  },
});
