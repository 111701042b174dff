import type { FastifyInstance, FastifyRequest, RouteOptions } from 'fastify';
import type { Server as NodeServer } from 'node:http';
import { join } from 'node:path';
import { StoreError } from '../../domain/errors.js';
import { offeredOperations, operations } from '../../domain/operations.js';
import { commandLineAgent } from '../contract/headers.js';
import { guardRequests } from './request-guard.js';
import { callEachRoute } from './call-each-route.js';
import { authenticator, checkExposure, tokenRequirement, type Identity } from './authenticate.js';
import { boardAddress, checkOpen } from './pages/board-address.js';
import { boardRoutes } from './pages/board-files.js';
import { eventStreams, type EventStreams } from './event-stream.js';
import { importRoutes } from './import-routes.js';
import { createFastify } from './fastify-instance.js';
import { listenPrivately, listenError, removeStaleSocket } from './listen.js';
import { clientKey } from './client-key.js';
import { createMetrics, metricsRoute } from './metrics.js';
import { labelRoute } from './pages/label-page.js';
import { documentRoutes } from './pages/docs-page.js';
import { probeRoutes } from './probes.js';
import type { ServerDependencies, ServeOptions, Timeouts } from './server-options.js';
import { rateLimits } from './rate-limit.js';
import { requestLog } from './request-log.js';
import { exclusiveRunner } from './exclusive-runner.js';
import { requestIds } from './request-ids.js';
import { contractRoute, routeOf, type Routing } from './routes.js';
import { sessionRoutes } from './sessions/session-routes.js';
import { signInCodes, type SignInCodes } from './sessions/sign-in-codes.js';
import { handleNotFound } from './not-found.js';

/** A server that listens. */
export interface Server {
  /** Where it can be reached, such as http://127.0.0.1:8080. */
  readonly address: string;
  /** The address of the board with a new one-time code. */
  readonly signInAddress: () => string;
  /** Answers the requests that were received, then stops. */
  readonly stop: () => Promise<void>;
}

/** A server that does not listen yet. */
export interface Application {
  readonly app: FastifyInstance;
  readonly streams: EventStreams;
  /** Issues one-time codes to sign in. */
  readonly codes: SignInCodes;
  /** Adds `Connection: close` to every further answer. */
  readonly retire: () => void;
}

/** Builds the server with all its routes: operations, probes, documents and metrics, behind one request guard. */
export async function createApplication(dependencies: ServerDependencies, options: ServeOptions): Promise<Application> {
  const { basePath, stableOnly } = options;
  const streams = eventStreams();
  const metrics = createMetrics(streams.count);
  const log = requestLog(dependencies.log, metrics);
  const app = createFastify(options, { ids: requestIds(), ...log });
  app.addHook('onClose', async () => metrics.stop());
  let retired = false;
  // At send time, not on request: earlier requests may be answered after the stop began.
  app.addHook('onSend', (_, reply, payload, done) => {
    if (retired) reply.header('connection', 'close');
    done(null, payload);
  });
  const isTokenRequired = tokenRequirement(dependencies, options);
  const authenticate = authenticator(dependencies, basePath, isTokenRequired);
  const codes = signInCodes(dependencies.clock);
  const limits = await rateLimits(app, options);
  await guardRequests(app, authenticate, limits, options);
  const identityOf = ({ identity }: FastifyRequest): Identity => identity ?? { actor: dependencies.actor };
  const routing: Routing = {
    ...options,
    shopFor: (request) => {
      const { actor, token } = identityOf(request);
      const source = request.headers['user-agent'] === commandLineAgent ? 'cli' : 'http';
      return dependencies.shopOf(actor, source, token, () => ({ key: clientKey(request), isGone: () => request.socket.destroyed }));
    },
    stored: metrics.stored,
    runExclusively: exclusiveRunner(identityOf),
    authenticate,
    refusalFor: log.refusalFor,
  };
  const served = offeredOperations(stableOnly);
  const routes = [
    ...operations.map((operation) => routeOf(operation, routing)),
    ...importRoutes(routing),
    callEachRoute(routing),
    streams.route(routing),
    ...sessionRoutes({ dependencies, options, codes, isTokenRequired, limits }, routing),
  ];
  for (const route of routes) if (served.includes(route.operation)) app.route(contractRoute(route, routing));
  const shop = dependencies.shopOf(dependencies.actor, 'http');
  const pages: readonly RouteOptions[] = [
    ...probeRoutes(basePath, { shop, checkWritable: dependencies.checkWritable, isStopping: () => retired }),
    ...documentRoutes(join(dependencies.pagesFolder, 'docs'), options),
    metricsRoute(basePath, metrics, shop),
    ...(options.board ? [labelRoute(routing), ...boardRoutes(join(dependencies.pagesFolder, 'board'), options)] : []),
  ];
  for (const page of pages) app.route(page);
  handleNotFound(app, [...served, ...pages.map(({ url }) => ({ method: 'GET', path: url.slice(basePath.length) }))], basePath);
  await app.ready();
  return {
    app,
    streams,
    codes,
    retire: () => {
      retired = true;
    },
  };
}

const idleCheckMs = 50;

async function stopServer({ app, streams, retire }: Application, { lastRequestMs, stopMs }: Timeouts): Promise<void> {
  retire();
  streams.end();
  await new Promise((resolve) => setTimeout(resolve, lastRequestMs));
  const server: NodeServer = app.server;
  const deadline = setTimeout(() => server.closeAllConnections(), stopMs);
  // Those that become idle after `close` has closed the others.
  const sweep = setInterval(() => server.closeIdleConnections(), idleCheckMs);
  try {
    await app.close();
  } finally {
    clearInterval(sweep);
    clearTimeout(deadline);
  }
}

/**
 * Ends the sessions of the owner, which were made under the access rules of an earlier start. Where there are none nothing waits for a
 * turn to write. A shop that is only read, such as a standby, keeps them: the server that writes to it ends them.
 */
async function endOwnerSessions({ sessions }: ServerDependencies): Promise<void> {
  if (!(await sessions.list()).some(({ holder }) => holder === 'owner')) return;
  await sessions.endEach('owner').catch((error: unknown) => {
    if (!(error instanceof StoreError && error.code === 'store_read_only')) throw error;
  });
}

/** Starts a server. Refuses with `usage` to serve other machines without tokens, to open a board that cannot be used, and an address it cannot listen at. */
export async function serve(dependencies: ServerDependencies, options: ServeOptions): Promise<Server> {
  checkOpen(options);
  await checkExposure(options, dependencies);
  const built = await createApplication(dependencies, options);
  const { host, port, socket, basePath, timeouts } = options;
  try {
    if (socket !== undefined) await removeStaleSocket(socket);
    const address =
      socket === undefined
        ? await built.app.listen({ host, port })
        : await listenPrivately(socket, dependencies.setUmask, () => built.app.listen({ path: socket }));
    await endOwnerSessions(dependencies);
    const baseUrl = `${address}${basePath}`;
    return { address: baseUrl, signInAddress: () => boardAddress(baseUrl, built.codes.issue()), stop: () => stopServer(built, timeouts) };
  } catch (error) {
    await built.app.close();
    throw listenError(error, socket ?? `${host}:${port}`);
  }
}
