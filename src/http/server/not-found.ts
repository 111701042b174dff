import type { FastifyInstance } from 'fastify';
import { StoreError } from '../../domain/errors.js';
import { splitTarget } from './request-head.js';
import { acceptPatch } from '../contract/operation-rules.js';

/** A method that a path supports; its parameters are in braces, and `*` at its end is any rest. */
export interface ServedPath {
  readonly method: string;
  readonly path: string;
}

/** The methods of each path. */
function methodsByPath(served: readonly ServedPath[]) {
  const paths = new Map<string, { readonly pattern: RegExp; readonly methods: string[] }>();
  for (const { method, path } of served) {
    const pattern = path
      .replaceAll('.', '\\.')
      .replaceAll(/\{\w+\}/g, '[^/]+')
      .replace(/\*$/, '.*');
    const found = paths.get(path) ?? { pattern: new RegExp(`^${pattern}$`), methods: [] };
    found.methods.push(...(method === 'GET' ? ['GET', 'HEAD'] : [method]));
    paths.set(path, found);
  }
  return paths;
}

/** Answers requests without a route: OPTIONS with `Allow`, other methods of a known path with `method_not_allowed`, the rest with `not_found`. */
export function handleNotFound(app: FastifyInstance, served: readonly ServedPath[], basePath: string): void {
  const paths = methodsByPath(served);
  const methodsLike = (path: string): readonly string[] => [...paths.values()].filter(({ pattern }) => pattern.test(path)).flatMap(({ methods }) => methods);
  /** The methods of a path, for `Allow`. */
  const methodsFor = (path: string): readonly string[] => {
    // A fixed path first: `/pets/imports` also matches `/pets/{petId}`.
    const methods = paths.get(path)?.methods ?? methodsLike(path);
    return methods.length === 0 ? [] : [...new Set([...methods, 'OPTIONS'])];
  };
  const all = [...new Set(served.flatMap(({ path }) => methodsFor(path)))];
  app.setNotFoundHandler(async (request, reply) => {
    const { path } = splitTarget(request.url);
    const methods = path === '*' ? all : path.startsWith(basePath) ? methodsFor(path.slice(basePath.length)) : [];
    if (methods.length === 0) throw new StoreError('not_found', 'There is nothing at this address; /openapi.json lists all operations.');
    const allow = methods.join(', ');
    reply.header('allow', allow);
    if (methods.includes('PATCH') && path !== '*') reply.header('accept-patch', acceptPatch);
    if (request.method === 'OPTIONS') return reply.code(204).send();
    throw new StoreError('method_not_allowed', `This address does not support ${request.method}; it supports ${allow}.`);
  });
  // Otherwise the router would take the last segment of such a path for an id.
  for (const path of [...paths.keys()].filter((one) => !one.includes('{'))) {
    const own = methodsFor(path);
    // The router answers HEAD as GET.
    const method = [...new Set(methodsLike(path))].filter((one) => one !== 'HEAD' && !own.includes(one));
    if (method.length > 0) app.route({ method, url: `${basePath}${path}`, handler: async (_, reply) => reply.callNotFound() });
  }
}
