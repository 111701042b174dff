import { callEach } from '../../domain/call-each.js';
import { checkInput } from '../../domain/check-input.js';
import { isTooDeep, maximumDepth } from '../../domain/values/depth.js';
import { StoreError } from '../../domain/errors.js';
import { operations } from '../../domain/operations.js';
import { asksRows } from './answers.js';
import { readJson } from './request-body.js';
import { checkAllowed } from './authenticate.js';
import { scopeOf } from '../contract/scopes.js';
import { saidOf, type OperationRoute, type Routing } from './routes.js';
import { writerOf } from './json-writer.js';
import { isOverwriting, bodyTypes, shortened } from '../contract/parameters.js';
import { json, rowsType } from '../contract/media-types.js';

const writes = new Map(operations.filter(({ kind }) => kind === 'write').map((operation) => [operation.id, operation]));

/** The route that asks one operation for several inputs in one transaction; the token must allow that operation. */
export function callsRoute({ patience, once, shopFor, requireIfMatch }: Routing): OperationRoute {
  return {
    operation: callEach,
    scope: 'any',
    handler: async (request, reply, input) => {
      const { body } = checkInput(callEach, { ...input, body: await readJson(request.raw, bodyTypes(callEach), patience) });
      const operation = writes.get(body.operation);
      if (operation === undefined) {
        throw new StoreError('validation_failed', `operation: "${shortened(body.operation)}" is not an operation that changes records.`);
      }
      const deep = body.inputs.findIndex((one) => isTooDeep(one));
      if (deep >= 0) throw new StoreError('validation_failed', `inputs.${deep}: is nested deeper than ${maximumDepth} levels.`);
      if (request.visitor) checkAllowed(request.visitor, scopeOf(operation));
      if (requireIfMatch && isOverwriting(operation)) {
        throw new StoreError('precondition_required', `This server takes ${operation.id} only with If-Match, one record at a time.`);
      }
      const options = saidOf(request, reply);
      const outputs = await once(request, options.key, () => shopFor(request).callEach(operation, body.inputs, options));
      if (asksRows(request)) return reply.type(rowsType).send(JSON.stringify(outputs));
      const write = writerOf(operation.output);
      return reply.type(json).send(`[${outputs.map(write).join(',')}]`);
    },
  };
}
