import type { RouteOptions } from 'fastify';
import { callEach } from '../domain/calls.js';
import { checkInput } from '../domain/check.js';
import { StoreError } from '../domain/errors.js';
import type { Operation } from '../domain/operation.js';
import { operations } from '../domain/operations.js';
import { asksRows } from './answers.js';
import { readJson } from './body.js';
import { checkAllowed } from './door.js';
import { scopeOf } from './guard.js';
import { inputOf, jsonTypes, mark, saidOf, urlOf, type Routing } from './routes.js';
import { writerOf } from './shape.js';
import { json, parametersOf, rowsType, shortened, type Described } from './wire.js';

const writes = new Map(operations.filter(({ kind }) => kind === 'write').map((operation) => [operation.id as string, operation]));

/** The route that asks one operation for several inputs in one transaction; the token must allow that operation. */
export function callsRoute(routing: Routing): RouteOptions {
  const described = callEach as unknown as Described;
  const parameters = parametersOf(described);
  return {
    method: 'POST',
    url: urlOf(described, routing.basePath),
    handler: async (request, reply) => {
      mark(described, routing, request, reply);
      const { body } = checkInput(callEach, { ...inputOf(parameters, request), body: await readJson(request.raw, jsonTypes, routing.patience) });
      const found = writes.get(body.operation);
      if (found === undefined) throw new StoreError('validation_failed', `operation: "${shortened(body.operation)}" is not an operation that changes records.`);
      if (request.visitor) checkAllowed(request.visitor, scopeOf(found));
      const operation = found as unknown as Operation<unknown, unknown, unknown>;
      const options = saidOf(request, reply);
      const outputs = await routing.once(options.key, () => routing.shopFor(request).callEach(operation, body.inputs, options));
      if (asksRows(request)) return reply.type(rowsType).send(JSON.stringify(outputs));
      const write = writerOf(found.output);
      return reply.type(json).send(`[${outputs.map(write).join(',')}]`);
    },
  };
}
