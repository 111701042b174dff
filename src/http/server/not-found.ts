import type { FastifyInstance } from 'fastify';
import { StoreError } from '../../domain/errors.js';
import { partsOf } from './request-head.js';
import { acceptPatch } from '../contract/parameters.js';

/** A method that is served at a path; parameters stand in braces. */
export interface ServedPath {
  readonly method: string;
  readonly path: string;
}

/** The methods each path answers to, for `Allow`. */
function methodsOf(served: readonly ServedPath[]): (path: string) => readonly string[] {
  const paths = new Map<string, { readonly pattern: RegExp; readonly methods: string[] }>();
  for (const { method, path } of served) {
    const found = paths.get(path) ?? { pattern: new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`), methods: [] };
    found.methods.push(...(method === 'GET' ? ['GET', 'HEAD'] : [method]));
    paths.set(path, found);
  }
  return (path) => {
    // `/pets/imports` is no pet.
    const methods = paths.get(path)?.methods ?? [...paths.values()].filter(({ pattern }) => pattern.test(path)).flatMap((one) => one.methods);
    return methods.length === 0 ? [] : [...new Set([...methods, 'OPTIONS'])];
  };
}

/** Answers what no route does: another method of a known path (`method_not_allowed`, or what OPTIONS asks), or nothing at all (`not_found`). */
export function answerUnrouted(app: FastifyInstance, served: readonly ServedPath[], basePath: string): void {
  const methodsFor = methodsOf(served);
  const all = [...new Set(served.flatMap(({ path }) => methodsFor(path)))];
  app.setNotFoundHandler(async (request, reply) => {
    const { path } = partsOf(request.url);
    const methods = path === '*' ? all : path.startsWith(basePath) ? methodsFor(path.slice(basePath.length)) : [];
    if (methods.length === 0) throw new StoreError('not_found', 'There is nothing at this address; /openapi.json lists what there is.');
    const allow = methods.join(', ');
    reply.header('allow', allow);
    if (methods.includes('PATCH') && path !== '*') reply.header('accept-patch', acceptPatch);
    if (request.method === 'OPTIONS') return reply.code(204).send();
    throw new StoreError('method_not_allowed', `This address does not take ${request.method}; it takes ${allow}.`);
  });
  // Where a fixed path also reads as one with an id, the router would ask for that id.
  for (const path of new Set(served.map((one) => one.path).filter((one) => !one.includes('{')))) {
    const own = methodsFor(path);
    const method = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'].filter((one) => !own.includes(one));
    app.route({ method, url: `${basePath}${path}`, handler: async (_, reply) => reply.callNotFound() });
  }
}
