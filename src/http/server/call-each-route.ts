import { callEach } from '../../domain/call-each.js';
import { checkInput } from '../../domain/check-input.js';
import { checkNamesRecord } from '../../domain/conditions.js';
import { invalidField, StoreError } from '../../domain/errors.js';
import { operations } from '../../domain/operations.js';
import { sendRecords } from './answers.js';
import { readJson } from './request-body.js';
import { authorize } from './authenticate.js';
import { scopesOf, bodyTypes, isOverwriting } from '../contract/operation-rules.js';
import { callOptionsOf } from './call-options.js';
import type { OperationRoute, Routing } from './routes.js';
import { writerOf } from './json-writer.js';
import { shortened } from '../../domain/values/text.js';

const writes = new Map(operations.filter(({ kind }) => kind === 'write').map((operation) => [operation.id, operation]));

/** The route that runs one operation for several inputs in one transaction. Refuses with `insufficient_scope` a token without the scope of that operation. */
export function callEachRoute({ timeouts, runExclusively, shopFor, stored, requireIfMatch }: Routing): OperationRoute {
  return {
    operation: callEach,
    scope: 'any',
    handler: async (request, reply, input) => {
      const { body } = checkInput(callEach, { ...input, body: await readJson(request.raw, bodyTypes(callEach), timeouts) });
      const operation = writes.get(body.operation);
      if (operation === undefined) {
        throw invalidField('operation', `"${shortened(body.operation)}" is not an operation that changes records`);
      }
      if (request.identity) for (const scope of scopesOf(operation)) authorize(request.identity, scope);
      if (requireIfMatch && isOverwriting(operation) && body.ifMatch === undefined) {
        throw new StoreError(
          'precondition_required',
          `This server requires If-Match for ${operation.id}: give the versions of the records as ifMatch, or send one request for each record.`,
        );
      }
      checkNamesRecord(operation, body);
      const options = { ...callOptionsOf(request, reply), ifMatch: body.ifMatch };
      const outputs = await runExclusively(request, options.key, () => stored('write', () => shopFor(request).callEach(operation, body.inputs, options)));
      sendRecords(request, reply, outputs, writerOf(operation.output));
      return reply;
    },
  };
}
