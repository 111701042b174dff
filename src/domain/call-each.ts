import { requestRecord, field, optional } from './values/schemas.js';
import { idNumber } from './values/ids.js';
import { exampleOrder } from './orders/order.js';
import { customOperation } from './operation.js';
import * as v from 'valibot';

/** The most inputs of one request. */
export const maximumInputs = 10_000;

const calls = requestRecord('Calls', 'An operation and the inputs to run it with.', {
  operation: field(
    v.pipe(v.string('must be a text'), v.maxLength(50, 'must be the id of an operation')),
    'The operationId of an operation that changes records.',
  ),
  inputs: field(
    v.pipe(
      v.array(v.record(v.string(), v.unknown(), 'must be an input of the operation'), 'must be a list'),
      v.maxLength(maximumInputs, `must be at most ${maximumInputs} inputs`),
    ),
    'The inputs: path and query parameters by name, and the request body as `body`.',
  ),
  ifMatch: optional(
    v.pipe(v.array(idNumber, 'must be a list'), v.maxLength(maximumInputs, `must be at most ${maximumInputs} versions`)),
    'The versions that were read: each changed record must have one of them. No two records have the same version.',
  ),
});

const anyRecord = v.pipe(
  v.looseObject({}),
  v.metadata({ record: 'AnyRecord', jsonSchema: { additionalProperties: true } }),
  v.description('A record, in the form in which the operation returns it.'),
);

/** Runs one write operation for several inputs in one transaction, all or none. Performed by `Shop.callEach`. */
export const callEach = customOperation({
  id: 'callEach',
  summary: 'Run an operation several times in one transaction',
  description:
    'Runs one write operation for several inputs in one transaction: all succeed, or nothing is changed. The token must have the scope of that operation (`pets:write` or `store:write`). Errors of the operation are returned unchanged.',
  tag: 'Store',
  stability: 'experimental',
  method: 'POST',
  path: '/store/calls',
  status: 200,
  input: v.strictObject({
    body: calls,
  }),
  output: v.array(anyRecord),
  refuses: [],
  example: {
    body: { operation: 'updateOrder', inputs: [{ orderId: 12, body: { complete: true } }] },
    answer: [{ ...exampleOrder, complete: true }],
  },
  cost: 'shop',
});
